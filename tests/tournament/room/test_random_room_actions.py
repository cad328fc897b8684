"""Random actions in the room and at the desk: no player has two tables, and only open matches hold tables."""

import random
from collections.abc import Callable

import pytest

from matches.models import MatchState
from tests.tournament import stories
from tests.tournament.room.halls import with_tables
from tournament.access.actors import SYSTEM
from tournament.brackets import advancing
from tournament.drawing import jackpots
from tournament.drawing.jackpots import JackpotPlan
from tournament.entries import registration
from tournament.models import Call, Entry, Pairing, Table, TableOccupancy, Tournament
from tournament.results import desk
from tournament.room import calls, next_calls, tables
from tournament.runtime.errors import NotFound, Refused

pytestmark = pytest.mark.django_db

ACTIONS = 60
# Draws differ, so a seed may need more actions until calls have ended in both ways.
MOST_ACTIONS = 10 * ACTIONS


class Day:
    """A knock-out of eight with a jackpot beside it, at three tables."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.made: Tournament = stories.released(stories.director(), 8)
        self.pool = with_tables(self.made, "1-3")
        side = jackpots.open_jackpot(self.made.pk, JackpotPlan(4, 3), SYSTEM)
        for entry in list(self.made.entries.all())[:4]:
            jackpots.join(side.pk, entry, SYSTEM)

    def any_table(self) -> int | None:
        return self.chance.choice([None, *(table.pk for table in self.pool)])

    def any_call(self) -> Call:
        """Returns a current call in about half of the cases, otherwise any call."""
        calls = Call.objects.filter(ended_at=None) if self.chance.random() < 0.5 else Call.objects.all()
        return self.chance.choice(list(calls))

    def any_match(self) -> Pairing:
        return self.chance.choice(list(stories.pairings(self.made).filter(match__isnull=False)))

    def actions(self) -> list[Callable[[], object]]:
        pick = self.chance.choice
        return [
            lambda: calls.call(self.any_match().pk, self.any_table(), SYSTEM),
            lambda: calls.call(self.any_match().pk, self.any_table(), SYSTEM),
            lambda: next_calls.call_to_free_tables(self.made.event_id, SYSTEM),
            lambda: calls.call_again(self.any_call().pk, SYSTEM),
            lambda: calls.mark_playing(self.any_call().pk, SYSTEM),
            lambda: calls.move(self.any_call().pk, self.any_table(), SYSTEM),
            lambda: calls.take_back(self.any_call().pk, SYSTEM),
            lambda: calls.restore(self.any_call().pk, SYSTEM),
            lambda: pick([calls.undo_second_call, calls.undo_playing])(self.any_call().pk, SYSTEM),
            lambda: stories.play(pick(stories.playable(self.made)), SYSTEM, pick(["left", "right"])),
            lambda: desk.retract(self.any_match(), "", SYSTEM),
            lambda: pick([tables.close, tables.reopen])(pick(list(Table.objects.all())), SYSTEM),
            lambda: pick([registration.withdraw, registration.unwithdraw])(
                pick(list(Entry.objects.all())), SYSTEM
            ),
            advancing.advance_waiting,
        ]

    def act(self) -> bool:
        """Does a random action. Returns False if it was refused."""
        try:
            self.chance.choice(self.actions())()
        except (Refused, NotFound, IndexError):
            return False
        return True

    def has_seen_calls_end(self) -> bool:
        """Returns whether calls were undone, and others ended with their match."""
        ended = Call.objects.filter(ended_at__isnull=False)
        return all(ended.filter(is_taken_back=taken_back).exists() for taken_back in (True, False))


def assert_invariants() -> None:
    current = list(
        Call.objects.filter(ended_at=None).select_related("match", "pairing__left", "pairing__right")
    )
    assert {call.match.state for call in current} <= {MatchState.OPEN, MatchState.REPORTED}
    assert all(call.pairing.match_id == call.match_id for call in current)
    sitting = sorted(
        str(pk) for pk in TableOccupancy.objects.filter(left_at=None).values_list("player", flat=True)
    )
    called = [entry.player_id for call in current for entry in (call.pairing.left, call.pairing.right)]
    assert sitting == sorted(map(str, called))
    assert len(set(sitting)) == len(sitting)
    taken = [call.table_id for call in current if call.table_id]
    assert len(set(taken)) == len(taken)


def test_no_player_has_two_tables_and_only_open_matches_have_tables():
    day = Day(seed=1)
    tried = succeeded = 0
    while tried < ACTIONS or not (day.has_seen_calls_end() or tried == MOST_ACTIONS):
        succeeded += day.act()
        tried += 1
        assert_invariants()
    assert succeeded > tried / 3
    assert day.has_seen_calls_end()
