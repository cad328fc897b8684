"""Who may do what: every address and verb, the roles it is open to, and what such a call is answered with.

Each row brings what its call needs to be really done (`ready` prepares the tournament, `body` is in order), so that
whoever may is seen to do it, and whoever may not is refused for that reason and no other.
"""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile

from matches.keepers import Keeper
from matches.models import GameRecord
from matches.writing import FinalScore, Writing
from rules.score import Game, Side
from tests.matches import files
from tests.tournament import stories
from tests.tournament.conftest import Hall
from tournament import correcting, desk, drawing, importing, records, reentry, registration, rounds
from tournament.draw.graph import Seat
from tournament.entrylist.reading import read
from tournament.models import (
    ApiToken,
    Correction,
    Entry,
    Jackpot,
    PersonalLink,
    Question,
    ResultKind,
    Tournament,
)
from tournament.openseats import entry_seats
from tournament.reentry import ReentryTerms
from tournament.registration import EntryCard, PlayerCard

OWNER, DIRECTOR, DESK, PLAYER, OTHER, STRANGER = ROLES = (
    "owner", "director", "desk", "player", "player of another match", "stranger",
)  # fmt: skip
EVERYBODY = frozenset(ROLES)
NOBODY: frozenset[str] = frozenset()
OWNERS = frozenset({OWNER})
DIRECTORS = OWNERS | {DIRECTOR}
DESKS = DIRECTORS | {DESK}
USERS = DESKS
PHONES = frozenset({PLAYER, OTHER})
THIS_MATCH = frozenset({PLAYER})
WRITTEN = {Keeper.LEFT: uuid.UUID(int=1), Keeper.DESK: uuid.UUID(int=2), Keeper.RIGHT: uuid.UUID(int=3)}
LIST = "Name\nAna Novice\n"
NEW_PASSWORD = "a long enough sentence"


@dataclass
class World:
    """The hall with a second tournament that is not drawn yet, and with everything that can wait at a desk.

    `role` is who is asking. `record` is there after `has_a_record`.
    """

    hall: Hall
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

    @property
    def tournament(self) -> Tournament:
        return self.hall.tournament

    @property
    def pairing(self) -> Any:
        return self.hall.pairing

    @property
    def keeper(self) -> Keeper:
        """Whose card the asker writes on."""
        return Keeper.LEFT if self.role == PLAYER else Keeper.DESK


Ask = Callable[[World], Any]


@dataclass(frozen=True)
class Row:
    """`cookie`: the token of a link that the browser carries besides."""

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
        """What a call that is done is answered with."""
        return self.done if isinstance(self.done, int) else int(self.done(world))


def rows(
    names: str, verbs: str, roles: frozenset[str], arguments: Ask | None = None, **more: Any
) -> list[Row]:
    given = arguments or (lambda world: [])
    return [Row(name, verb, roles, given, **more) for name in names.split() for verb in verbs.split()]


def page(names: str, roles: frozenset[str], arguments: Ask | None = None, **more: Any) -> list[Row]:
    """A page to look at, and its form, which leads on when it is in order."""
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


def row(**said: Any) -> Ask:
    """The first row of a card."""
    return lambda world: {"key": uuid.uuid4(), "predecessor": world.pairing.match_id, **said}


def strike(keeper: Keeper | None = None, **more: Any) -> Ask:
    def body(world: World) -> dict[str, Any]:
        written = WRITTEN[keeper or world.keeper]
        return {"key": uuid.uuid4(), "predecessor": written, "supersedes": written, **more}

    return body


def record(world: World) -> list[Any]:
    return [world.record.pk] if world.record else []


def a_file(world: World) -> dict[str, Any]:
    return {"file": SimpleUploadedFile("final.mat", files.CLEAN)}


def says(**said: Any) -> Ask:
    return lambda world: said


def a_game_is_written(world: World) -> None:
    for keeper in (Keeper.LEFT, Keeper.DESK):
        writing = Writing(WRITTEN[keeper], world.pairing.match_id, Game(Side.LEFT))
        if keeper is Keeper.DESK:
            desk.enter_at_desk(world.pairing, keeper, writing, world.hall.desk)
        else:
            desk.enter(world.pairing, keeper, writing, world.hall.desk)


def is_reported(world: World) -> None:
    """By the right player."""
    writing = Writing(WRITTEN[Keeper.RIGHT], world.pairing.match_id, FinalScore(1, 3))
    desk.enter(world.pairing, Keeper.RIGHT, writing, world.hall.desk)


def is_disputed(world: World) -> None:
    is_reported(world)
    desk.disagree(world.pairing, Keeper.LEFT, "", world.hall.desk)


def is_posted(world: World) -> None:
    stories.post(world.pairing, world.hall.owner)


def is_corrected(world: World) -> None:
    is_posted(world)
    shown = correcting.preview(world.pairing.pk, other_won(world))
    correcting.correct(shown, shown.digest, "read from the wrong side", world.hall.owner)


def correction(world: World) -> list[Any]:
    """The one there is."""
    made = Correction.objects.first()
    return [made.pk if made else uuid.uuid4()]


def other_won(world: World) -> correcting.Change:
    return correcting.Change(ResultKind.PLAYED, world.pairing.right_id, 1, 3)


def the_other_won(world: World) -> dict[str, Any]:
    """A correction as a page and a program send it, with the digest of its preview."""
    is_there = world.pairing.results.exists()
    digest = correcting.preview(world.pairing.pk, other_won(world)).digest if is_there else "none"
    said = {"kind": "played", "outcome": "played", "left": 1, "right": 3, "winner": world.pairing.right_id}
    return {**said, "digest": digest, "reason": "read from the wrong side"}


def has_a_record(world: World) -> None:
    """One in which something is wrong, and checked."""
    brought = records.bring(world.pairing, Keeper.DESK, files.WRONG, "wrong.mat", world.hall.desk)
    world.record = brought[0]
    records.check(world.record.pk)


def has_a_public_record(world: World) -> None:
    has_a_record(world)
    is_posted(world)


def a_round_is_played(world: World) -> None:
    stories.play_a_swiss_round(world.novice, world.hall.owner)


def a_round_is_paired(world: World) -> None:
    a_round_is_played(world)
    rounds.pair_next(world.novice.pk, world.hall.owner)


def is_drawn(world: World) -> None:
    drawing.make(world.novice.pk, drawing.DrawPlan(), world.hall.owner)


def has_a_password(world: World) -> None:
    user = User.objects.get(username="owner")
    user.set_password(NEW_PASSWORD)
    user.save()


def seat_by_seat(world: World) -> dict[str, Any]:
    one, other = (
        seat for seat in entry_seats(world.tournament) if seat.seat is Seat.LEFT and seat.round == 1
    )
    return {
        "one": one.feed, "other": other.feed, "one_entry": one.entry, "other_entry": other.entry,
        "reason": "Two of one club",
    }  # fmt: skip


def has_a_free_seat(world: World) -> None:
    for seed in (1, 2, 3):
        card = EntryCard(PlayerCard(f"Seed {seed}"), seed=seed)
        registration.enter(world.novice.pk, card, world.hall.owner)
    drawing.make(world.novice.pk, drawing.DrawPlan("seeded"), world.hall.owner)
    drawing.release(world.novice.pk, world.hall.owner)


def somebody_is_out(world: World) -> None:
    """The newcomer, who may come back."""
    has_a_free_seat(world)
    reentry.set_terms(world.novice.pk, ReentryTerms(allowed=True), world.hall.owner)
    registration.withdraw(world.newcomer, world.hall.owner)


def digest(world: World) -> str:
    return importing.preview(world.novice, read(LIST.encode())).digest


EVENT = {"name": "New", "starts_on": date(2026, 11, 21), "time_zone": "UTC"}
OPEN = {"name": "Open", "lengths": [3], "final_score_allowed": False}
HELPER = {"helper-user_name": "helper", "helper-role": "desk"}
OWN_CARDS = DESKS | THIS_MATCH
CONFIRMED = says(tail=str(WRITTEN[Keeper.RIGHT]))

API_ROWS = [
    *rows("schema presets events", "GET", EVERYBODY),
    *rows("events", "POST", USERS, body=says(**EVENT), done=201),
    *rows("event tournaments", "GET", EVERYBODY, event),
    *rows("event", "PUT", DIRECTORS, event, body=says(**EVENT)),
    *rows("people", "GET", DIRECTORS, event),
    *rows("people", "PUT", OWNERS, event, body=says(user_name="desk", role="director"), done=204),
    *rows("person", "DELETE", OWNERS, doing("desk", event), done=204),
    *rows("journal", "GET", DESKS, event),
    *rows("tournaments", "POST", DIRECTORS, event, body=says(name="Last chance"), done=201),
    *rows("tournament entries draws", "GET", EVERYBODY, by_id),
    *rows("tournament", "PUT", DIRECTORS, by_id, body=says(**OPEN)),
    *rows("entries", "POST", DESKS, novice_by_id, body=says(name="Somebody new"), done=201),
    *rows("import", "POST", DIRECTORS, novice_by_id, body=says(text=LIST)),
    *rows("import", "PUT", DIRECTORS, novice_by_id, body=lambda world: {"text": LIST, "digest": digest(world)}),
    *rows("draws", "POST", DIRECTORS, novice_by_id, done=201),
    *rows("draws", "DELETE", DIRECTORS, by_id, body=says(reason="Somebody was left out"), done=204),
    *rows("release", "POST", DIRECTORS, novice_by_id, ready=is_drawn, done=204),
    *rows("rounds", "POST", DIRECTORS, novice_by_id, ready=a_round_is_played, done=201),
    *rows("rounds", "DELETE", DIRECTORS, novice_by_id, ready=a_round_is_paired, body=says(reason="late"), done=204),
    *rows("bracket", "GET", EVERYBODY, doing("main", by_id)),
    *rows("brackets standings results", "GET", EVERYBODY, by_id),
    *rows("questions phones", "GET", DESKS, by_id),
    *rows("phone-action", "POST", DESKS, lambda world: [world.waiting.pk, "approve"], done=204),
    *rows("phone-action", "POST", DESKS, lambda world: [world.waiting.pk, "revoke"], done=204),
    *rows("entry", "GET", DESKS, entry),
    *rows("entry", "PUT", DESKS, entry, body=says(name="Another name")),
    *rows("entry", "DELETE", DIRECTORS, lambda world: [world.newcomer.pk], done=204),
    *rows("links", "POST PUT", DESKS, entry, done=201),
    *[one for action in ("check-in", "undo-check-in", "paid", "unpaid", "withdraw", "unwithdraw")
      for one in rows("entry-action", "POST", DESKS, doing(action, entry))],
    *rows("round", "PUT", DIRECTORS, lambda world: [world.pairing.round_id], body=says(length=5), done=204),
    *rows("round-clock", "PUT", DIRECTORS, lambda world: [world.pairing.round_id],
          body=says(point_seconds=60, move_seconds=8), done=204),
    *rows("seats", "GET", DESKS, by_id),
    *rows("swaps", "POST", DIRECTORS, by_id, body=seat_by_seat, done=204),
    *rows("late-entries", "POST", DESKS, novice_by_id, ready=has_a_free_seat, body=says(name="Late"), done=201),
    *rows("re-entry-terms jackpots", "GET", EVERYBODY, by_id),
    *rows("re-entry-terms", "PUT", DIRECTORS, by_id, body=says(allowed=True)),
    *rows("re-entry", "POST", DESKS, lambda world: [world.newcomer.pk], ready=somebody_is_out, done=201),
    *rows("jackpots", "POST", DESKS, by_id, body=lambda world: {"key": uuid.uuid4(), "size": 4, "length": 5}, done=201),
    *rows("jackpot-close", "POST", DESKS, lambda world: [world.jackpot.pk], done=204),
    *rows("jackpot-seat", "PUT", OWN_CARDS, in_jackpot),
    *rows("jackpot-seat", "DELETE", OWN_CARDS, in_jackpot, done=204),
    *rows("match", "GET", EVERYBODY, match),
    *rows("games", "POST", OWN_CARDS, match, body=row(winner="left"), done=201),
    *rows("final", "POST", OWN_CARDS, match, body=row(left=3, right=1), done=201),
    *rows("strikes", "POST", OWN_CARDS, match, ready=a_game_is_written, body=strike(), done=201),
    *rows("confirm", "POST", OWN_CARDS, match, ready=is_reported, body=CONFIRMED),
    *rows("disagree", "POST", THIS_MATCH, match, ready=is_reported),
    *rows("records", "GET", OWN_CARDS, match),
    *rows("records", "POST", OWN_CARDS, match, body=a_file, done=201),
    *rows("record record-file", "GET", OWN_CARDS, record, ready=has_a_record),
    *rows("record-left", "PUT", DESKS, record, ready=has_a_record, body=says(side="left")),
    *rows("ruling", "POST", DESKS, match, ready=is_disputed, body=says(keeper="right")),
    *rows("card-games", "POST", DESKS, card, body=row(winner="left"), done=201),
    *rows("card-penalties", "POST", DESKS, card, body=row(against="left", points=1), done=201),
    *rows("card-final", "POST", DESKS, card, body=row(left=3, right=1), done=201),
    *rows("card-strikes", "POST", DESKS, card, ready=a_game_is_written, body=strike(Keeper.LEFT), done=201),
    *rows("award", "POST", DESKS, pairing, body=says(kind="double_no_show"), done=204),
    *rows("retract", "POST", DESKS, pairing, ready=is_posted, done=204),
    *rows("correction-preview", "POST", DIRECTORS, pairing, ready=is_posted, body=the_other_won),
    *rows("corrections", "POST", DIRECTORS, pairing, ready=is_posted, body=the_other_won, done=201),
    *rows("correction-undo", "POST", DIRECTORS, correction, ready=is_corrected, done=204),
    *rows("question-close", "POST", DESKS, lambda world: [world.question.pk], done=204),
    *rows("tokens", "GET", USERS),
    *rows("tokens", "POST", USERS, body=says(name="scoreboard"), done=201),
    *rows("token", "DELETE", OWNERS, lambda world: [world.api_token.pk], done=204),
    *rows("me", "GET", PHONES),
    *rows("nowhere", "GET POST PUT PATCH DELETE", NOBODY, lambda world: ["no/such/place/"]),
]  # fmt: skip

DESK_ROWS = [
    *press("desk-action", DESKS, at_desk("enter"), body=row(card="desk", winner="left", kind="single", cube=1)),
    *press("desk-action", DESKS, at_desk("final"), body=row(card="desk", left=3, right=1)),
    *press("desk-action", DESKS, at_desk("penalty"), body=row(card="desk", against="left", points=1)),
    *press("desk-action", DESKS, at_desk("strike"), ready=a_game_is_written,
           body=strike(Keeper.LEFT, card="left")),
    *press("desk-action", DESKS, at_desk("confirm"), ready=is_reported, body=CONFIRMED),
    *press("desk-action", DESKS, at_desk("rule"), ready=is_disputed, body=says(card="right")),
    *press("desk-action", DESKS, at_desk("award"), body=says(outcome="double_no_show")),
    *press("desk-action", DESKS, at_desk("retract"), ready=is_posted),
    *rows("desk-correct", "GET", DIRECTORS, at_desk_match, ready=is_posted),
    *press("desk-correct", DIRECTORS, at_desk_match, ready=is_posted, body=the_other_won),
    *press("correction-undo", DIRECTORS, lambda world: [*tournament(world), *correction(world)],
           ready=is_corrected),
]  # fmt: skip

PHONE_ROWS = [
    *rows("my-matches my-matches-fragment", "GET", PHONES),
    *rows("my-match my-match-fragment", "GET", THIS_MATCH, match),
    *press("my-row", THIS_MATCH, match, body=row(winner="left", kind="single", cube=1, step="save")),
    *press("my-undo", THIS_MATCH, match, ready=a_game_is_written, body=strike(Keeper.LEFT)),
    *press("my-final", THIS_MATCH, match, body=row(left=3, right=1, step="save")),
    *press("my-confirm", THIS_MATCH, match, ready=is_reported, body=CONFIRMED),
    *press("my-disagree", THIS_MATCH, match, ready=is_reported),
    *press("my-record", THIS_MATCH, match, body=a_file),
    *rows("record-page record-fragment record-file", "GET", OWN_CARDS, record, ready=has_a_record),
    *rows("record-board", "GET", OWN_CARDS, lambda world: [*record(world), 1], ready=has_a_record),
    *press("record-left", DESKS, record, ready=has_a_record, body=says(side="left")),
    *press("forget-phone", EVERYBODY),
    *rows("personal-link", "GET", EVERYBODY, lambda world: [world.hall.right], done=302),
]

PUBLIC_ROWS = [
    *rows("home reach reach-check healthz readyz", "GET", EVERYBODY),
    *rows("sign-in", "GET", EVERYBODY, done=lambda world: 302 if world.role in USERS else 200),
    *press("sign-in", EVERYBODY, ready=has_a_password, body=says(username="owner", password=NEW_PASSWORD)),
    *press("sign-out", EVERYBODY),
    *page("sign-in-link", EVERYBODY, lambda world: [world.sign_in_token]),
    *page("poster", EVERYBODY, event, body=lambda world: {"entry": world.pairing.right_id}),
    *rows("poster-wait", "GET", EVERYBODY, event, cookie=lambda world: world.waiting_token),
    *rows("event", "GET", EVERYBODY, event),
    *rows("bracket bracket-fragment bracket-print bracket-svg", "GET", EVERYBODY, tournament),
    *rows("standings entry-list rules-page", "GET", EVERYBODY, tournament),
    *rows("standings-export results-export", "GET", EVERYBODY, doing("csv", tournament)),
    *rows("player-page", "GET", EVERYBODY, with_entry),
    *rows("match-page match-fragment", "GET", EVERYBODY, with_match),
    *rows(
        "match-board",
        "GET",
        EVERYBODY,
        lambda world: [*with_match(world), *record(world)],
        ready=has_a_public_record,
    ),
]

DIRECTOR_ROWS = [
    *page("event-new", USERS, body=says(**EVENT)),
    *page("password", USERS, body=says(new_password1=NEW_PASSWORD, new_password2=NEW_PASSWORD)),
    *page("api-tokens", USERS, body=says(label="scoreboard"), done=200),
    *press("api-token-revoke", OWNERS, lambda world: [world.api_token.pk]),
    *press("link-action", DESKS, lambda world: [world.waiting.pk, "approve"]),
    *rows("event-overview", "GET", DESKS, event),
    *page("event-edit", DIRECTORS, event, body=says(**EVENT)),
    *page("event-people", OWNERS, event, body=says(user_name="desk", role="director")),
    *press("people-helper", OWNERS, event, body=says(**HELPER), done=200),
    *press("people-action", OWNERS, lambda world: [*event(world), world.hall.desk.user.pk, "take"]),
    *press("people-action", OWNERS, lambda world: [*event(world), world.hall.desk.user.pk, "let-in"], done=200),
    *rows("event-journal", "GET", DESKS, event),
    *rows("poster-print", "GET", DESKS, event),
    *page("tournament-new", DIRECTORS, event, body=says(name="Last chance", others=5, sheet="tournament")),
    *page("tournament-edit", DIRECTORS, tournament, body=says(name="Masters")),
    *page("entries", DESKS, novice, body=says(name="Somebody new")),
    *page("entries-import", DIRECTORS, novice, body=says(text=LIST), done=200),
    *page("entry-edit", DESKS, with_entry, body=says(name="Another name")),
    *[one for action in ("check-in", "undo-check-in", "paid", "unpaid", "withdraw", "unwithdraw")
      for one in press("entry-action", DESKS, doing(action, with_entry))],
    *[one for action in ("link", "reissue")
      for one in press("entry-action", DESKS, doing(action, with_entry), done=200)],
    *press("entry-action", DIRECTORS, lambda world: [*novice(world), world.newcomer.pk, "remove"]),
    *page("slips", DESKS, tournament, done=200),
    *rows("score-cards", "GET", DESKS, tournament),
    *rows("draw", "GET", DESKS, tournament),
    *press("draw", DIRECTORS, novice, body=says(do="draw", method="random")),
    *rows("desk desk-fragment", "GET", DESKS, tournament),
    *press("desk", DESKS, tournament, body=row(who="1", own=3, other=1)),
    *rows("desk-match", "GET", DESKS, lambda world: [*tournament(world), world.pairing.pk]),
    *rows("desk-records", "GET", DESKS, lambda world: [*tournament(world), world.pairing.pk]),
    *press("desk-record", DESKS, lambda world: [*tournament(world), world.pairing.pk], body=a_file),
    *press("question-close", DESKS, lambda world: [*tournament(world), world.question.pk]),
]  # fmt: skip

TABLE = [
    *(
        Row(f"v1:{row.name}", row.verb, row.roles, row.arguments, row.body, row.ready, row.done)
        for row in API_ROWS
    ),
    *PUBLIC_ROWS,
    *PHONE_ROWS,
    *DIRECTOR_ROWS,
    *DESK_ROWS,
]
