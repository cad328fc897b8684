"""The tournament of the access table: roles, URL arguments, bodies, and preparations of requests."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from matches.keepers import Keeper
from matches.models import GameRecord
from matches.rows import FinalScore, NewRow
from rules.score import Game, Side
from tests.matches import files
from tests.tournament import stories
from tests.tournament.conftest import Hall
from tournament import corrections
from tournament.access.actors import SYSTEM, Actor
from tournament.accounts import roles, sessions
from tournament.brackets.open_seats import entry_seats
from tournament.draw.formats import Kind
from tournament.draw.graph import Seat
from tournament.drawing import draw_secret, draws, rounds, swaps
from tournament.drawing.order import DrawRules
from tournament.drawing.swaps import Swap
from tournament.entries import attendance, copying, importing, reentry, registration
from tournament.entries.attendance import Mark
from tournament.entries.lists.reading import read_list
from tournament.entries.reentry import ReentryTerms
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import recycle_bin
from tournament.models import (
    ApiToken,
    Correction,
    Entry,
    Invitation,
    Jackpot,
    JournalLine,
    PersonalLink,
    Question,
    Result,
    ResultKind,
    Round,
    SeatChange,
    Session,
    Tournament,
)
from tournament.money.player_merging import preview_merge
from tournament.records import checking
from tournament.results import absence, desk, disputes

OWNER, DIRECTOR, DESK, MONITOR, CASHIER, ADMINISTRATOR, PLAYER, OTHER, STRANGER = ROLES = (
    "owner", "director", "desk", "monitor", "cashier", "administrator", "player", "player of another match", "stranger",
)  # fmt: skip
EVERYBODY = frozenset(ROLES)
NOBODY: frozenset[str] = frozenset()
OWNERS = frozenset({OWNER})
DIRECTORS = OWNERS | {DIRECTOR}
DESKS = DIRECTORS | {DESK}
CALLERS = DESKS | {MONITOR, CASHIER}
CASHIERS = DIRECTORS | {CASHIER}
ADMINISTRATORS = frozenset({ADMINISTRATOR})
USERS = CALLERS | ADMINISTRATORS
PHONES = frozenset({PLAYER, OTHER})
THIS_MATCH = frozenset({PLAYER})
WRITTEN = {Keeper.LEFT: uuid.UUID(int=1), Keeper.DESK: uuid.UUID(int=2), Keeper.RIGHT: uuid.UUID(int=3)}
LIST = "Name\nAna Novice\n"
NEW_PASSWORD = "a long enough sentence"


@dataclass
class World:
    """The hall with a second tournament that is not drawn, and with an open item of every kind at the desk.

    `role` sends the request. `record` is set by `has_a_record`.
    """

    hall: Hall
    sessions: dict[str, str]
    novice: Tournament
    newcomer: Entry
    api_token: ApiToken
    waiting: PersonalLink
    waiting_token: str
    sign_in_token: str
    question: Question
    jackpot: Jackpot
    role: str = STRANGER
    record: GameRecord | None = None
    browser: Client = field(default_factory=Client)

    def session_name(self) -> str:
        return sessions.session_name(Session.objects.get(session_key=self.sessions[OWNER]))

    @property
    def tournament(self) -> Tournament:
        return self.hall.tournament

    @property
    def pairing(self) -> Any:
        return self.hall.pairing

    @property
    def keeper(self) -> Keeper:
        return Keeper.LEFT if self.role == PLAYER else Keeper.DESK


Ask = Callable[[World], Any]


@dataclass(frozen=True)
class Row:
    """`cookie`: the token of a second personal link in the browser."""

    name: str
    verb: str
    roles: frozenset[str]
    arguments: Ask = lambda world: []
    body: Ask = field(default=lambda world: {})
    ready: Ask = field(default=lambda world: None)
    done: int | Ask = 200
    cookie: Ask | None = None

    def __str__(self) -> str:
        return f"{self.verb} {self.name}"

    def status(self, world: World) -> int:
        """The status of a request that succeeds."""
        return self.done if isinstance(self.done, int) else int(self.done(world))


def rows(
    names: str, verbs: str, roles: frozenset[str], arguments: Ask | None = None, **more: Any
) -> list[Row]:
    arguments = arguments or (lambda world: [])
    return [Row(name, verb, roles, arguments, **more) for name in names.split() for verb in verbs.split()]


def page(names: str, roles: frozenset[str], arguments: Ask | None = None, **more: Any) -> list[Row]:
    """A page with a form, which redirects after success."""
    return [*rows(names, "GET", roles, arguments), *press(names, roles, arguments, **more)]


def press(names: str, roles: frozenset[str], arguments: Ask | None = None, **more: Any) -> list[Row]:
    return rows(names, "POST", roles, arguments, **{"done": 302, **more})


def event(world: World) -> list[Any]:
    return [world.tournament.event.slug]


def tournament(world: World) -> list[Any]:
    return [*event(world), world.tournament.slug]


def novice(world: World) -> list[Any]:
    return [*event(world), world.novice.slug]


def by_id(world: World) -> list[Any]:
    return [world.tournament.pk]


def novice_by_id(world: World) -> list[Any]:
    return [world.novice.pk]


def match(world: World) -> list[Any]:
    return [world.pairing.match_id]


def card(world: World) -> list[Any]:
    return [*match(world), "left"]


def pairing(world: World) -> list[Any]:
    return [world.pairing.pk]


def entry(world: World) -> list[Any]:
    return [world.pairing.left_id]


def with_entry(world: World) -> list[Any]:
    return [*tournament(world), world.pairing.left_id]


def with_match(world: World) -> list[Any]:
    return [*tournament(world), world.pairing.match_id]


def in_jackpot(world: World) -> list[Any]:
    return [world.jackpot.pk, world.pairing.left_id]


def doing(action: str, arguments: Ask) -> Ask:
    return lambda world: [*arguments(world), action]


def at_desk_match(world: World) -> list[Any]:
    return [*tournament(world), world.pairing.pk]


def at_desk(action: str) -> Ask:
    return lambda world: [*tournament(world), world.pairing.pk, action]


def typed_result(world: World) -> dict[str, Any]:
    """A result typed at the desk, for the match and the player who were found."""
    pairing = world.pairing
    which = f"{pairing.pk}:{pairing.left_id}:{pairing.right_id}"
    return {"key": uuid.uuid4(), "who": "1", "which": which, "own": 3, "other": 1}


def row(**fields: Any) -> Ask:
    """The first row of a card."""
    return lambda world: {"key": uuid.uuid4(), "predecessor": world.pairing.match_id, **fields}


def strike(keeper: Keeper | None = None, **more: Any) -> Ask:
    def body(world: World) -> dict[str, Any]:
        written = WRITTEN[keeper or world.keeper]
        return {"key": uuid.uuid4(), "predecessor": written, "supersedes": written, **more}

    return body


def record(world: World) -> list[Any]:
    return [world.record.pk] if world.record else []


def a_file(world: World) -> dict[str, Any]:
    return {"file": SimpleUploadedFile("final.mat", files.CLEAN)}


def says(**fields: Any) -> Ask:
    return lambda world: fields


def a_game_is_written(world: World) -> None:
    for keeper in (Keeper.LEFT, Keeper.DESK):
        new_row = NewRow(WRITTEN[keeper], world.pairing.match_id, Game(Side.LEFT))
        if keeper is Keeper.DESK:
            desk.enter_at_desk(world.pairing, keeper, new_row, world.hall.desk)
        else:
            desk.enter(world.pairing, keeper, new_row, world.hall.desk)


def goes_by_time(world: World) -> None:
    Round.objects.filter(pk=world.pairing.round_id).update(length=None, minutes=60)
    stories.as_session(world.pairing)


def is_reported(world: World) -> None:
    """The right player enters a final score."""
    new_row = NewRow(WRITTEN[Keeper.RIGHT], world.pairing.match_id, FinalScore(1, 3))
    desk.enter(world.pairing, Keeper.RIGHT, new_row, world.hall.desk)


def is_confirmed(world: World) -> None:
    """The left player confirms what the right player reported."""
    is_reported(world)
    desk.confirm(world.pairing, Keeper.LEFT, None, SYSTEM)


def is_disputed(world: World) -> None:
    is_reported(world)
    disputes.open_dispute(world.pairing, Keeper.LEFT, "", world.hall.desk)


def is_posted(world: World) -> None:
    stories.post(world.pairing, world.hall.owner)


def is_corrected(world: World) -> None:
    is_posted(world)
    consequences = corrections.preview(world.pairing.pk, right_wins(world))
    corrections.correct(consequences, consequences.digest, "read from the wrong side", world.hall.owner)


def correction(world: World) -> list[Any]:
    made = Correction.objects.first()
    return [made.pk if made else uuid.uuid4()]


def right_wins(world: World) -> corrections.Change:
    return corrections.Change(ResultKind.PLAYED, world.pairing.right_id, 1, 3)


def correction_to_right(world: World) -> dict[str, Any]:
    """A correction with the digest of its preview, valid for the page and for the API."""
    is_there = world.pairing.results.exists()
    digest = corrections.preview(world.pairing.pk, right_wins(world)).digest if is_there else "none"
    correction = {
        "kind": "played",
        "outcome": "played",
        "left": 1,
        "right": 3,
        "winner": world.pairing.right_id,
    }
    return {**correction, "digest": digest, "reason": "read from the wrong side"}


def has_a_record(world: World) -> None:
    """Adds a game record with an error, already checked."""
    world.record, *_ = checking.upload(world.pairing, Keeper.DESK, files.WRONG, "wrong.mat", world.hall.desk)
    checking.check_record(world.record.pk)


def has_a_public_record(world: World) -> None:
    has_a_record(world)
    is_posted(world)


def a_round_is_played(world: World) -> None:
    stories.play_a_round(world.novice, world.hall.owner)


def lives_are_played(world: World) -> None:
    stories.play_a_round(world.novice, world.hall.owner, Kind.LIVES)


def a_round_is_paired(world: World) -> None:
    a_round_is_played(world)
    rounds.pair_next_round(world.novice.pk, world.hall.owner)


def event_is_deleted(world: World) -> None:
    recycle_bin.delete_event(world.tournament.event, world.hall.owner)


def tournament_is_deleted(world: World) -> None:
    recycle_bin.delete_tournament(world.tournament, world.hall.owner)


def has_a_secret(world: World) -> None:
    draw_secret.commit_to_secret(world.novice.pk, world.hall.owner)


def is_absent(world: World) -> None:
    absence.post_no_show(world.pairing, Side.LEFT, world.hall.owner, withdraws=True)


def no_show(world: World) -> list[Any]:
    result = Result.objects.filter(pairing=world.pairing).first()
    return [*at_desk_match(world), result.pk if result else uuid.uuid4()]


def all_have_paid(world: World) -> None:
    attendance.mark_entries(world.novice, [world.newcomer.pk], world.hall.owner, Mark.PAID)


def paid_batch(world: World) -> list[Any]:
    line = JournalLine.objects.filter(verb="mark paid").first()
    return [*novice(world), line.after["batch"] if line else uuid.uuid4()]


def has_copied_players(world: World) -> None:
    copying.copy_entries(world.novice.pk, world.tournament, [world.pairing.left_id], world.hall.owner)


def two_players(world: World) -> list[Any]:
    return [*event(world), world.newcomer.player_id]


def merges_two_players(world: World) -> dict[str, Any]:
    other = Entry.objects.get(pk=world.pairing.left_id).player_id
    preview = preview_merge(world.novice.event, world.newcomer.player_id, other, world.hall.owner)
    return {"other": other, "confirmed": preview.digest, "digest": preview.digest}


def copied_batch(world: World) -> list[Any]:
    line = JournalLine.objects.filter(verb="copy entries").first()
    return [*novice(world), line.after["batch"] if line else uuid.uuid4()]


def has_closed_entries(world: World) -> None:
    has_a_secret(world)
    draw_secret.close_entries(world.novice.pk, DrawRules(), world.hall.owner)


def is_drawn_by_secret(world: World) -> None:
    has_closed_entries(world)
    draws.make(world.novice.pk, draws.DrawPlan(public="31 52 66"), world.hall.owner)
    draws.release(world.novice.pk, world.hall.owner)


def is_drawn(world: World) -> None:
    draws.make(world.novice.pk, draws.DrawPlan(), world.hall.owner)


def has_a_guest(world: World) -> None:
    """Gives a role to an account of another event."""
    has_invited_a_guest(world)
    guest = User.objects.get(username="guest")
    roles.accept(Invitation.objects.get(user=guest), Actor(user=guest))


def has_invited_a_guest(world: World) -> None:
    owner = stories.director("guest's owner")
    stories.helper(stories.event(owner), "desk", owner, "guest")
    roles.set_role(world.tournament.event, "guest", "desk", world.hall.owner)


def guest(_world: World) -> int:
    return User.objects.filter(username="guest").values_list("pk", flat=True).first() or 0


def desk_is_invited_elsewhere(_world: World) -> None:
    owner = stories.director("another owner")
    roles.set_role(stories.event(owner), "desk", "desk", owner)


def invitation_of(name: str) -> int:
    return Invitation.objects.filter(user_name=name).values_list("pk", flat=True).first() or 0


def has_a_password(world: World) -> None:
    user = User.objects.get(username="owner")
    user.set_password(NEW_PASSWORD)
    user.save()


def has_second_factors(world: World) -> None:
    """Gives the owner an authenticator app, a passkey and recovery codes."""
    for kind, data in (
        ("totp", {"secret": ""}),
        ("recovery_codes", {"seed": "", "used_mask": 0}),
        ("webauthn", {"name": "Key"}),
    ):
        Authenticator.objects.create(user=world.hall.owner.user, type=kind, data=data)


def passkey(world: World) -> list[Any]:
    authenticator = Authenticator.objects.filter(type="webauthn").first()
    return [authenticator.pk if authenticator else 999_999]


def swap_json(world: World) -> dict[str, Any]:
    first, second = (
        seat for seat in entry_seats(world.tournament) if seat.seat is Seat.LEFT and seat.round == 1
    )
    return {
        "one": first.feed, "other": second.feed, "one_entry": first.entry, "other_entry": second.entry,
        "reason": "Two of one club",
    }  # fmt: skip


def with_jackpot(action: str) -> Ask:
    return lambda world: [*tournament(world), world.jackpot.pk, action]


def swap_form(world: World) -> dict[str, Any]:
    """The fields of the form for the swap of `swap_json`."""
    fields = swap_json(world)
    tokens = {name: f"{fields[name]}:{fields[f'{name}_entry']}" for name in ("one", "other")}
    return {**tokens, "reason": fields["reason"]}


def seats_are_swapped(world: World) -> None:
    fields = swap_json(world)
    seats = Swap(fields["one"], fields["other"], (fields["one_entry"], fields["other_entry"]))
    swaps.swap(world.tournament.pk, seats, world.hall.owner, fields["reason"])


def swapped_seats(world: World) -> list[Any]:
    change = SeatChange.objects.first()
    return [*tournament(world), change.pk if change else 0]


def another_length(world: World) -> dict[str, Any]:
    pk = world.pairing.round_id
    return {f"round-{pk}-round": pk, f"round-{pk}-length": 5}


def has_a_free_seat(world: World) -> None:
    for seed in (1, 2, 3):
        card = EntryDetails(PlayerDetails(f"Seed {seed}"), seed=seed)
        registration.enter(world.novice.pk, card, world.hall.owner)
    draws.make(world.novice.pk, draws.DrawPlan("seeded"), world.hall.owner)
    draws.release(world.novice.pk, world.hall.owner)


def has_a_withdrawal(world: World) -> None:
    """Withdraws the newcomer, who may enter again."""
    has_a_free_seat(world)
    reentry.set_terms(world.novice.pk, ReentryTerms(allowed=True), world.hall.owner)
    registration.withdraw(world.newcomer, world.hall.owner)


def digest(world: World) -> str:
    return importing.preview(world.novice, read_list(LIST.encode())).digest
