"""Events built through the work functions, as a director would build them."""

import random
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

from django.contrib.auth.models import User
from django.db import transaction

from matches.keepers import Keeper
from matches.models import Match
from matches.rows import FinalScore, NewRow
from rules.ruleset import PRESETS
from rules.score import Ending, Game, Side, Win
from tournament.access.actors import Actor
from tournament.accounts import lifecycle, roles
from tournament.brackets import advancing
from tournament.draw.formats import Format, Kind
from tournament.drawing import draws
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.models import Entry, Event, Invitation, Pairing, Result, Round, Tournament, Visibility
from tournament.results import desk

NAMES = ("Ana", "Βασίλης", "გიორგი", "小林", "Şule", "Łukasz", "José", "Zoë", "Søren", "مريم")


@contextmanager
def rolled_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def director(name: str = "") -> Actor:
    user = User.objects.create_user(name or f"director-{uuid.uuid4().hex[:8]}")
    lifecycle.set_event_right(user, may_create=True)
    return Actor(user=user)


def administrator(name: str = "administrator") -> Actor:
    user = User.objects.create_user(name)
    lifecycle.set_administrator(user, is_administrator=True)
    return Actor(user=User.objects.get(pk=user.pk))


def helper(event: Event, role: str, owner: Actor, name: str = "") -> Actor:
    """An account that the event made, named after its role."""
    roles.make_helper(event, name or role, role, owner)
    return Actor(user=User.objects.get(username=name or role))


def join(event: Event, member: Actor, role: str, owner: Actor) -> None:
    """An account from elsewhere is invited and accepts."""
    assert member.user is not None
    roles.set_role(event, member.user.username, role, owner)
    roles.accept(Invitation.objects.get(event=event, user=member.user), member)


def event(actor: Actor, name: str = "Friday night") -> Event:
    return setup.create_event(setup.EventPlan(name, date(2026, 11, 20)), actor, Visibility.PUBLIC)


def tournament(actor: Actor, lengths: tuple[int, ...] = (3,), **more) -> Tournament:
    plan = setup.TournamentPlan("Open", PRESETS["tournament"], lengths, **more)
    return setup.create_tournament(event(actor), plan, actor)


def entered(actor: Actor, entries: int, *, seeded: bool = False, **more) -> Tournament:
    made = tournament(actor, **more)
    with advancing.lock_tournament(made.pk) as locked:
        for number in range(1, entries + 1):
            name = f"{NAMES[number % len(NAMES)]} {number}"
            card = EntryDetails(PlayerDetails(name), seed=number if seeded else None)
            registration.create_entry(locked, card, actor)
    return made


def draw_and_release(made: Tournament, actor: Actor, entries: int) -> None:
    for number in range(entries):
        registration.enter(
            made.pk, EntryDetails(PlayerDetails(f"{NAMES[number % len(NAMES)]} {number}")), actor
        )
    draws.make(made.pk, draws.DrawPlan(), actor)
    draws.release(made.pk, actor)


def drawn(actor: Actor, entries: int, *, method: str = "random", **more) -> Tournament:
    made = entered(actor, entries, seeded=method == "seeded", **more)
    draws.make(made.pk, draws.DrawPlan(method, seed_text="a seed"), actor)
    return made


def released(actor: Actor, entries: int, **more) -> Tournament:
    made = drawn(actor, entries, **more)
    draws.release(made.pk, actor)
    return made


def pairings(made: Tournament):
    rows = Pairing.objects.filter(round__bracket__tournament=made).order_by("round__number", "line")
    return rows.select_related("match", "round__bracket__tournament__event", "left__player", "right__player")


def playable(made: Tournament) -> list[Pairing]:
    return list(pairings(made).filter(match__isnull=False, settled="", match__state__in=("open", "reported")))


def as_session(pairing: Pairing, games: int | None = None) -> None:
    """Makes its round one of stake play: of so many games, or for an hour."""
    Round.objects.filter(pk=pairing.round_id).update(length=None, games=games, minutes=None if games else 60)
    Match.objects.filter(pk=pairing.match_id).update(length=None, games=games)


def post(
    pairing: Pairing, actor: Actor, winner: str = "left", score: tuple[int, int] | None = None
) -> Result:
    """The desk enters a final score, which is not advanced yet."""
    length = pairing.match.length
    won, lost = score or (length, length - 1)
    final = FinalScore(won, lost) if winner == "left" else FinalScore(lost, won)
    card = pairing.match.cards.filter(keeper="desk").first()
    writing = NewRow(uuid.uuid4(), card.tail if card else pairing.match.pk, final)
    desk.enter_at_desk(pairing, Keeper.DESK, writing, actor)
    return Result.objects.get(pairing=pairing, superseded_by__isnull=True)


def play(
    pairing: Pairing, actor: Actor, winner: str = "left", score: tuple[int, int] | None = None
) -> Result:
    """The desk enters a final score, and a worker moves the players on."""
    result = post(pairing, actor, winner, score)
    advancing.advance(result.pk)
    return result


def begin(pairing: Pairing) -> None:
    """The desk writes down a first game."""
    game = Game(Side.LEFT, Win.SINGLE, Ending.PLAYED, 1)
    desk.enter_at_desk(pairing, Keeper.DESK, NewRow(uuid.uuid4(), pairing.match.pk, game), director())


def play_out(made: Tournament, actor: Actor, chance: random.Random) -> Entry:
    """Plays whatever can be played, in any order, to the end; returns the champion."""
    while waiting := playable(made):
        play(chance.choice(waiting), actor, chance.choice(["left", "right"]))
    return pairings(made).last().winner


def after_one_semifinal(actor: Actor, **more) -> Tournament:
    """Eight players: their first round is played, and the first of the semifinals."""
    made = released(actor, 8, **more)
    main = pairings(made).filter(round__bracket__key="main")
    for pairing in list(main.filter(round__number=1)):
        play(pairing, actor)
    play(main.get(round__number=2, line=1), actor)
    return made


def play_a_round(made: Tournament, actor: Actor, kind: Kind = Kind.SWISS) -> None:
    """Makes a Swiss of it, or lives, with at least four players, and plays its first round."""
    plan = setup.TournamentPlan(made.name, PRESETS["tournament"], (3,), format=Format(kind, rounds=3))
    setup.change_tournament(made.pk, plan, actor)
    draw_and_release(made, actor, 4 - made.entries.count())
    for pairing in playable(made):
        play(pairing, actor)
