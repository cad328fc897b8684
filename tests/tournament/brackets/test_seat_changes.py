"""Seats swapped, late entries, re-entries, jackpots, withdrawals and results in any order, in formats of every shape.

Refused changes write nothing, and stored seats always equal those computed from the facts.
"""

import contextlib
import random

import pytest

from tests.tournament import stories
from tournament.brackets.open_seats import entry_seats
from tournament.corrections import consistency
from tournament.draw.formats import Format, Kind
from tournament.draw.recipes.drops import PROGRESSIVE
from tournament.drawing import jackpots, swaps
from tournament.drawing.jackpots import JackpotPlan
from tournament.drawing.swaps import Swap
from tournament.entries import late_entry, reentry, registration
from tournament.entries.late_entry import LateEntryRequest
from tournament.entries.reentry import ReentryTerms
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.models import Entry, SeatChange, Tournament
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db

FORMATS = {
    "knock-out with a match for third place": Format(third_place=True),
    "consolation": Format(consolation=PROGRESSIVE),
    "double elimination": Format(Kind.DOUBLE),
    "groups and play-off": Format(Kind.GROUPS, groups=3, qualifiers=1),
    "lives": Format(Kind.LIVES, lives=1),
}
ACTIONS = 18


def swap(made: Tournament, chance: random.Random, actor) -> None:
    first, second = chance.sample(entry_seats(made), 2)
    swaps.swap(made.pk, Swap(first.feed, second.feed, (first.entry, second.entry)), actor, "by hand")


def enter_late(made: Tournament, chance: random.Random, actor) -> None:
    name = f"Late {chance.randrange(10**6)}"
    late_entry.enter(made.pk, LateEntryRequest(EntryDetails(PlayerDetails(name)), seed_text="late"), actor)


def buy_re_entry(made: Tournament, chance: random.Random, actor) -> None:
    reentry.re_enter(some_entry(made, chance), actor, "again")


def join(made: Tournament, chance: random.Random, actor) -> None:
    waiting = made.jackpots.filter(bracket=None).first()
    jackpot = waiting or jackpots.open_jackpot(made.pk, JackpotPlan(4, 3), actor)
    jackpots.join(jackpot.pk, some_entry(made, chance), actor)


def leave(made: Tournament, chance: random.Random, actor) -> None:
    registration.withdraw(some_entry(made, chance), actor)


def come_back(made: Tournament, chance: random.Random, actor) -> None:
    registration.unwithdraw(some_entry(made, chance), actor)


def play(made: Tournament, chance: random.Random, actor) -> None:
    waiting = stories.playable(made)
    if waiting:
        stories.play(chance.choice(waiting), actor, chance.choice(["left", "right"]))


def some_entry(made: Tournament, chance: random.Random) -> Entry:
    return chance.choice(
        list(made.entries.select_related("player", "tournament").order_by("entered_at", "pk"))
    )


@pytest.mark.parametrize("name", FORMATS)
def test_manual_seat_changes_match_the_resolved_bracket(actor, name):
    chance = random.Random(f"{name} 7")
    made = stories.released(actor, 7, format=FORMATS[name])
    reentry.set_terms(made.pk, ReentryTerms(allowed=True, times=2), actor)
    for _ in range(ACTIONS):
        action = chance.choice([swap, swap, swap, enter_late, buy_re_entry, join, leave, come_back, play])
        with contextlib.suppress(Refused):
            action(made, chance, actor)
    assert consistency.differences(made.event) == []
    assert SeatChange.objects.exists()
