"""A sample event with an object of every kind, and a token for every role. It is created by work functions only."""

import io
import uuid
from dataclasses import dataclass
from datetime import date

from django.contrib.auth.models import User
from PIL import Image

from matches.keepers import Keeper
from matches.rows import FinalScore, NewRow
from rules.ruleset import DEFAULT_PRESET, PRESETS
from rules.score import Game, Side
from tests.bench.fuzz.sample_money import create_money
from tournament import corrections
from tournament.access.actors import Actor
from tournament.accounts import directors, links, roles
from tournament.brackets import advancing
from tournament.corrections import Change
from tournament.demo.filed import FOLDER
from tournament.draw.formats import Format, Kind
from tournament.drawing import draw_secret, draws, jackpots
from tournament.drawing.draws import DrawPlan
from tournament.drawing.jackpots import JackpotPlan
from tournament.drawing.order import DrawRules
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.events.setup import EventPlan, TournamentPlan
from tournament.models import Event, Pairing, ResultKind, Tournament, Visibility
from tournament.records import checking
from tournament.results import desk, disputes
from tournament.room import calls, tables
from tournament.screens.display_links import create_display
from tournament.screens.plan import Plan
from tournament.screens.slides import add_slide

STRANGER = "stranger"
HELPER_ROLES = ("director", "desk", "monitor", "cash")
NAMES = ("Ana", "Łukasz", "მარიამი", "小林", "<b>Şule</b>", "=1+1", "Zoë", "مريم")
DAY = date(2026, 11, 21)


@dataclass(frozen=True)
class SampleEvent:
    """The token of each role; a stranger's is empty."""

    event: Event
    tokens: dict[str, str]


def _create_helper(event: Event, name: str, role: str, owner: Actor) -> User:
    roles.make_helper(event, name, role, owner)
    return User.objects.get(username=name)


def create_sample_event(name: str) -> SampleEvent:
    """Creates an event of this name that is being played, and one of another director."""
    owner = Actor(user=directors.get_director(f"owner of {name}"))
    event = setup.create_event(EventPlan(name, DAY), owner, Visibility.PUBLIC)
    users = {role: _create_helper(event, f"{role} of {name}", role, owner) for role in HELPER_ROLES}
    played = _create_played_tournament(event, owner)
    _create_other_tournaments(event, owner)
    _create_room_and_slide(event, played, owner)
    create_money(event, played, owner)
    player = played.entries.order_by("number")[2]
    tokens = {role: links.make_api_token(user, role) for role, user in users.items()}
    display, display_token = create_display(event, "Bar", Plan(), owner)
    return SampleEvent(
        display.event,
        {
            "owner": links.make_api_token(_user(owner), "owner"),
            **tokens,
            "player": links.make_link(player, owner),
            "screen": display_token,
            "another owner": _create_other_event(f"{name} elsewhere"),
            STRANGER: "",
        },
    )


def _user(actor: Actor) -> User:
    if actor.user is None:
        raise TypeError("The owner of an event has an account.")
    return actor.user


def _create_other_event(name: str) -> str:
    """Returns the token of its owner."""
    owner = Actor(user=directors.get_director(f"owner of {name}"))
    event = setup.create_event(EventPlan(name, DAY), owner, Visibility.PUBLIC)
    tournament = _create_tournament(event, owner, "Theirs", 2)
    draws.make(tournament.pk, DrawPlan(), owner)
    return links.make_api_token(_user(owner), "owner")


def _create_tournament(
    event: Event, owner: Actor, name: str, entries: int, played: Format | None = None
) -> Tournament:
    plan = TournamentPlan(name, PRESETS[DEFAULT_PRESET], (3,), confirm_after=10, format=played or Format())
    tournament = setup.create_tournament(event, plan, owner)
    for number in range(entries):
        registration.enter(
            tournament.pk, EntryDetails(PlayerDetails(f"{NAMES[number % len(NAMES)]} {number}")), owner
        )
    return tournament


def _create_played_tournament(event: Event, owner: Actor) -> Tournament:
    """A knock-out of eight with consolation: one match corrected, one reported, one disputed, one being played."""
    tournament = _create_tournament(event, owner, "Open", 8, Format(consolation="simple"))
    draws.make(tournament.pk, DrawPlan(seed_text="fuzz"), owner)
    draws.release(tournament.pk, owner)
    posted, reported, disputed, under_way = _first_round(tournament)
    _decide(posted, owner)
    change = Change(ResultKind.PLAYED, posted.right_id, 1, 3)
    corrections.correct(corrections.preview(posted.pk, change), _digest(posted, change), "misread", owner)
    for pairing in (reported, disputed):
        desk.enter(pairing, Keeper.RIGHT, _row(pairing, FinalScore(1, 3)), owner)
    disputes.open_dispute(disputed, Keeper.LEFT, "I won the last game", owner, photo=small_picture())
    desk.enter(under_way, Keeper.LEFT, _row(under_way, Game(Side.LEFT)), owner)
    file = (FOLDER / "fault.mat").read_bytes()
    checking.check_record(checking.upload(under_way, Keeper.LEFT, file, "=fault.mat", owner)[0].pk)
    jackpots.open_jackpot(tournament.pk, JackpotPlan(4, 3), owner)
    links.request_link(tournament.entries.all()[0])
    return tournament


def _create_other_tournaments(event: Event, owner: Actor) -> None:
    """One that is not drawn, a Swiss after its first round, and one with a committed draw."""
    _create_tournament(event, owner, "Novice", 3)
    swiss = _create_tournament(event, owner, "Swiss", 4, Format(Kind.SWISS, rounds=3))
    draws.make(swiss.pk, DrawPlan(), owner)
    draws.release(swiss.pk, owner)
    for pairing in _first_round(swiss):
        _decide(pairing, owner)
    secret = _create_tournament(event, owner, "Secret", 2)
    draw_secret.commit_to_secret(secret.pk, owner)
    draw_secret.close_entries(secret.pk, DrawRules(), owner)
    draws.make(secret.pk, DrawPlan(public="31 52 66"), owner)


def _create_room_and_slide(event: Event, played: Tournament, owner: Actor) -> None:
    first, *_ = tables.add(event.pk, "1-4", owner)
    *_, under_way = _first_round(played)
    tables.pin(first, under_way, "it is filmed", owner)
    calls.call(under_way.pk, first.pk, owner)
    add_slide(event, "Supper at seven", small_picture(), owner)


def _first_round(tournament: Tournament) -> list[Pairing]:
    rows = Pairing.objects.filter(
        round__bracket__tournament=tournament, round__bracket__key="main", round__number=1
    )
    return list(
        rows.select_related("match", "left", "right", "round__bracket__tournament__event").order_by("line")
    )


def _decide(pairing: Pairing, owner: Actor) -> None:
    desk.enter_at_desk(pairing, Keeper.DESK, _row(pairing, FinalScore(3, 1)), owner)
    advancing.advance_waiting()


def _row(pairing: Pairing, what: Game | FinalScore) -> NewRow:
    if pairing.match_id is None:
        raise TypeError("The pairing has no match.")
    return NewRow(uuid.uuid4(), pairing.match_id, what)


def _digest(pairing: Pairing, change: Change) -> str:
    return corrections.preview(pairing.pk, change).digest


def small_picture() -> bytes:
    data, image = io.BytesIO(), Image.new("RGB", (32, 18), "green")
    image.save(data, "PNG")
    return data.getvalue()
