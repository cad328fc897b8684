"""Races for the lock of the room: a player has one table, a table one match, and finished matches none."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import transaction

from tests.tournament import stories
from tests.tournament.races import race, refusals
from tests.tournament.room.halls import names, no_table_is_taken, semifinals, standing
from tournament.access.actors import SYSTEM
from tournament.drawing import jackpots
from tournament.drawing.jackpots import JackpotPlan
from tournament.events import recycle_bin, visibility
from tournament.models import Pairing, Room, Table
from tournament.occupancy import locking
from tournament.room import calls

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def calling(pairing: Pairing, table: Table) -> Iterator[None]:
    """The first of two at the desk has called a match, and has not committed yet."""
    with transaction.atomic():
        calls.call(pairing.pk, table.pk, SYSTEM)
        yield


def two_matches_of_one_player() -> tuple[Pairing, Pairing, list[Table]]:
    """A semifinal, and a match of one of its players in a jackpot."""
    made, (first, _), tables = semifinals()
    side = jackpots.open_jackpot(made.pk, JackpotPlan(4, 1), SYSTEM)
    for entry in made.entries.all():
        jackpots.join(side.pk, entry, SYSTEM)
    shared = next(
        row for row in stories.playable(made) if row.round_id != first.round_id and names(row) & names(first)
    )
    return first, shared, tables


def without_the_room_lock(event_id) -> Room:
    return Room.objects.get(event=event_id)


@pytest.mark.parametrize("is_locked", [True, False])
def test_concurrent_calls_seat_a_player_at_one_table(monkeypatch, is_locked):
    """Without the lock the constraint alone says no, in the same words."""
    first, shared, (table, two, _) = two_matches_of_one_player()
    if not is_locked:
        monkeypatch.setattr(locking, "_lock_row", without_the_room_lock)
    codes: list[str] = []
    race(calling(first, table), lambda: refusals(lambda: calls.call(shared.pk, two.pk, SYSTEM), codes))
    assert codes == ["player-at-table"]
    assert standing() == [("1", names(first))]


@pytest.mark.parametrize("is_locked", [True, False])
def test_concurrent_calls_to_one_table_seat_one_match(monkeypatch, is_locked):
    _, (first, second), (table, *_) = semifinals()
    if not is_locked:
        monkeypatch.setattr(locking, "_lock_row", without_the_room_lock)
    codes: list[str] = []
    race(calling(first, table), lambda: refusals(lambda: calls.call(second.pk, table.pk, SYSTEM), codes))
    assert codes == ["table-taken"]
    assert standing() == [("1", names(first))]


def test_a_match_called_while_its_result_is_posted_holds_no_table():
    _, (first, _), (table, *_) = semifinals()
    codes: list[str] = []

    @contextmanager
    def posting() -> Iterator[None]:
        with transaction.atomic():
            stories.post(first, SYSTEM)
            yield

    race(posting(), lambda: refusals(lambda: calls.call(first.pk, table.pk, SYSTEM), codes))
    assert codes == ["match-is-over"]
    assert no_table_is_taken()


@pytest.mark.parametrize(
    "leave",
    [
        lambda made: visibility.set_archived(made, is_archived=True, actor=SYSTEM),
        lambda made: recycle_bin.delete_tournament(made, SYSTEM),
    ],
)
def test_a_match_called_while_its_tournament_leaves_the_room_holds_no_table(leave):
    made, (first, _), (table, *_) = semifinals()
    race(calling(first, table), lambda: leave(made))
    assert no_table_is_taken()


def test_a_tournament_that_leaves_the_room_gets_no_call():
    made, (first, _), (table, *_) = semifinals()
    codes: list[str] = []

    @contextmanager
    def leaving() -> Iterator[None]:
        with transaction.atomic():
            recycle_bin.delete_tournament(made, SYSTEM)
            yield

    race(leaving(), lambda: refusals(lambda: calls.call(first.pk, table.pk, SYSTEM), codes))
    assert codes == ["tournament-archived"]
    assert no_table_is_taken()


def test_a_result_posted_during_its_call_frees_the_table():
    _, (first, _), (table, *_) = semifinals()
    race(calling(first, table), lambda: stories.post(first, SYSTEM))
    assert no_table_is_taken()
