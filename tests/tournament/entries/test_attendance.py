"""Arrival, payment and withdrawal of many entries at a time, and their one undo."""

import uuid

import pytest

from tests.tournament import stories
from tournament.access.actors import Actor
from tournament.entries import attendance, registration
from tournament.entries.attendance import Mark
from tournament.models import JournalLine, Tournament
from tournament.runtime.errors import NotFound

pytestmark = pytest.mark.django_db


@pytest.fixture
def director() -> Actor:
    return stories.director()


@pytest.fixture
def field(director) -> Tournament:
    return stories.entered(director, 4, seeded=True)


def arrived(field: Tournament) -> set[int]:
    return set(field.entries.filter(checked_in_at__isnull=False).values_list("seed", flat=True))


def withdrawn(field: Tournament) -> set[int]:
    return set(field.entries.filter(withdrawn_at__isnull=False).values_list("seed", flat=True))


def ids(field: Tournament) -> list[uuid.UUID]:
    return list(field.entries.values_list("pk", flat=True))


def test_undo_takes_back_only_what_the_batch_changed(field, director):
    attendance.check_in(field.entries.get(seed=1), director, present=True)
    batch = attendance.mark_entries(field, ids(field), director, Mark.ARRIVED)
    assert batch.count == 3
    assert arrived(field) == {1, 2, 3, 4}
    assert attendance.undo_batch(field, batch.id, director).count == 3
    assert arrived(field) == {1}


def test_undo_of_a_check_out_restores_the_times_of_arrival(field, director):
    attendance.mark_entries(field, ids(field)[:3], director, Mark.ARRIVED)
    before = dict(field.entries.values_list("pk", "checked_in_at"))
    batch = attendance.mark_entries(field, ids(field), director, Mark.NOT_ARRIVED)
    assert arrived(field) == set()
    assert attendance.undo_batch(field, batch.id, director).count == 3
    assert dict(field.entries.values_list("pk", "checked_in_at")) == before


def test_undo_leaves_alone_who_was_marked_again_since(field, director):
    batch = attendance.mark_entries(field, ids(field), director, Mark.ARRIVED)
    at_the_door = field.entries.get(seed=2)
    for present in (False, True):
        attendance.check_in(at_the_door, director, present=present)
    assert attendance.undo_batch(field, batch.id, director).count == 3
    assert arrived(field) == {2}


def test_a_repeated_mark_changes_nothing_and_writes_no_journal_line(field, director):
    entry = field.entries.get(seed=1)
    for _repeat in range(2):
        attendance.mark_paid(entry, director, paid=True)
    assert JournalLine.objects.filter(verb="mark paid").count() == 1


def test_entries_of_another_tournament_are_not_changed(field, director):
    second_tournament = stories.entered(director, 2)
    assert attendance.mark_entries(field, ids(second_tournament), director, Mark.PAID).count == 0
    assert not second_tournament.entries.filter(is_paid=True).exists()


def test_absent_players_are_withdrawn_together_after_the_draw_and_come_back_together(director):
    field = stories.released(director, 4)
    pairing = stories.playable(field)[0]
    absent = [pairing.left_id, pairing.right_id]
    batch = attendance.mark_entries(field, absent, director, Mark.WITHDRAWN, "Not here at 10:00")
    pairing.refresh_from_db()
    assert (batch.count, pairing.settled) == (2, "walkover")
    reasons = JournalLine.objects.filter(verb="withdraw").values_list("reason", flat=True)
    assert list(reasons) == ["Not here at 10:00"] * 2
    attendance.undo_batch(field, batch.id, director)
    pairing.refresh_from_db()
    assert (withdrawn(field), pairing.settled) == (set(), "")


def test_an_unknown_batch_is_not_found(field, director):
    with pytest.raises(NotFound):
        attendance.undo_batch(field, uuid.uuid4(), director)


def test_a_withdrawn_batch_is_undone_once_only(field, director):
    batch = attendance.mark_entries(field, ids(field), director, Mark.WITHDRAWN)
    attendance.undo_batch(field, batch.id, director)
    registration.withdraw(field.entries.get(seed=2), director)
    assert withdrawn(field) == {2}
