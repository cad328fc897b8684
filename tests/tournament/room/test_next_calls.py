"""Free tables go to waiting matches: one, all, or by themselves after whatever changed."""

import pytest

from matches.keepers import Keeper
from tests.tournament import stories
from tests.tournament.queries.cards import Phone
from tests.tournament.refusals import refusal
from tests.tournament.room.halls import names, room_of, semifinals, standing, with_tables
from tournament import tasks
from tournament.access.actors import SYSTEM
from tournament.brackets import advancing
from tournament.draw.formats import Format, Kind
from tournament.events import recycle_bin
from tournament.models import Call, Player, Result, Room, Table, Tournament
from tournament.room import calls, next_calls, tables
from tournament.room.assignment_input import waiting_pairings
from tournament.room.tables import TablePlan
from tournament.room.urgency import urgency_by_pairing
from tournament.runtime.errors import NotFound

pytestmark = pytest.mark.django_db


def test_all_free_tables_are_filled_once():
    made, (first, second), _ = semifinals("1-3")
    assert [choice.call.table.name for choice in next_calls.call_to_free_tables(made.event_id, SYSTEM)] == [
        "1",
        "2",
    ]
    assert next_calls.call_to_free_tables(made.event_id, SYSTEM) == []
    assert refusal(lambda: next_calls.call_next(made.event_id, SYSTEM)) == "nobody-to-call"
    assert standing() == [("1", names(first)), ("2", names(second))]


def test_a_reserved_or_closed_table_is_filled_only_by_a_pin():
    made, (first, second), (_, two, three) = semifinals("1, Stream, 3")
    tables.change(two, TablePlan("Stream", "cameras", is_reserved=True), SYSTEM)
    tables.close(three, SYSTEM)
    tables.pin(two, second, "on camera", SYSTEM)
    called = next_calls.call_to_free_tables(made.event_id, SYSTEM)
    assert [choice.call.pairing_id for choice in called] == [second.pk, first.pk]
    assert standing() == [("Stream", names(second)), ("1", names(first))]


def test_a_pin_to_a_closed_table_is_ignored():
    made, (first, second), (_, two, _) = semifinals("1-3")
    tables.pin(two, second, "on camera", SYSTEM)
    tables.close(two, SYSTEM)
    next_calls.call_to_free_tables(made.event_id, SYSTEM)
    assert standing() == [("1", names(first)), ("3", names(second))]


def test_a_pinned_player_waits_for_the_pinned_table():
    made, (first, second), (_, two, _) = semifinals()
    calls.call(second.pk, two.pk, SYSTEM)
    tables.pin(two, first.left.player, "near the door", SYSTEM)
    merged = Player.objects.create(event=made.event, name="Merged meanwhile")
    Player.objects.filter(pk=merged.pk).delete()
    with pytest.raises(NotFound):
        tables.pin(two, merged, "near the door", SYSTEM)
    assert next_calls.call_to_free_tables(made.event_id, SYSTEM) == []
    stories.post(second, SYSTEM)
    next_calls.call_to_free_tables(made.event_id, SYSTEM)
    assert standing() == [("2", names(first))]


def test_auto_call_calls_the_final_to_the_freed_table():
    made, semis, _ = semifinals("1-2")
    room = tables.set_calling(made.event_id, SYSTEM, by_itself=True, second_call_after=3)
    next_calls.call_in_all_rooms()
    assert len(standing()) == 2
    for pairing in semis:
        advancing.advance(stories.post(pairing, SYSTEM).pk)
    for _ in range(2):
        next_calls.call_automatically(room.pk)
    assert standing() == [("1", names(stories.playable(made)[0]))]
    calls.take_back(Call.objects.get(ended_at=None).pk, SYSTEM)
    next_calls.call_in_all_rooms()
    assert standing() == [], "whose call was taken back is called by hand"
    assert len(next_calls.call_to_free_tables(made.event_id, SYSTEM)) == 1
    calls.take_back(Call.objects.get(ended_at=None).pk, SYSTEM)
    tables.set_calling(made.event_id, SYSTEM, by_itself=False, second_call_after=3)
    next_calls.call_in_all_rooms()
    assert standing() == []


def test_nothing_is_called_automatically_in_an_event_in_the_bin():
    made, _, _ = semifinals("1-2")
    room = tables.set_calling(made.event_id, SYSTEM, by_itself=True, second_call_after=3)
    recycle_bin.delete_event(made.event, stories.director("owner"))
    next_calls.call_in_all_rooms()
    assert next_calls.call_automatically(room.pk) == []
    assert standing() == []


@pytest.mark.django_db(transaction=True)
def test_a_room_that_fails_stops_neither_other_rooms_nor_the_sweep():
    sick, _, _ = semifinals("1-2")
    sound, (semi, _), _ = semifinals("1-2", confirm_after=0)
    for made in (sick, sound):
        tables.set_calling(made.event_id, SYSTEM, by_itself=True, second_call_after=3)
    Phone(semi, Keeper.LEFT).final(5, 1)
    Tournament.objects.filter(pk=sick.pk).update(format={"kind": "of another release"})
    with pytest.raises(ValueError, match="another release"):
        tasks.sweep()
    assert len(standing()) == 1
    assert Result.objects.get().pairing == semi


def test_a_freed_table_triggers_auto_call(django_capture_on_commit_callbacks, monkeypatch):
    """Changes that make a call possible: a freed table, an opened match, a table added."""
    made, semis, _ = semifinals("1")
    tables.set_calling(made.event_id, SYSTEM, by_itself=True, second_call_after=5)
    woken: list[object] = []
    monkeypatch.setattr("tournament.runtime.queue.enqueue_room_filling", woken.append)
    for action in (
        lambda: tables.add(made.event_id, "9", SYSTEM),
        lambda: calls.move(calls.call(semis[0].pk, None, SYSTEM).pk, Table.objects.get(name="9").pk, SYSTEM),
        lambda: stories.play(semis[0], SYSTEM),
        lambda: stories.play(semis[1], SYSTEM),
    ):
        woken.clear()
        with django_capture_on_commit_callbacks(execute=True):
            action()
        assert woken
        assert set(woken) == {Room.objects.get().pk}


def test_the_most_delaying_match_is_called_first(django_assert_max_num_queries):
    """A round of a long Swiss waits longer behind its matches than a semifinal that became ready before; both
    tournaments are read together."""
    made, semis, _ = semifinals("1")
    swiss = stories.released(stories.director(), 4, format=Format(Kind.SWISS, rounds=7), lengths=(5,))
    type(swiss).objects.filter(pk=swiss.pk).update(event=made.event, slug="swiss")
    waiting = list(waiting_pairings(made.event_id))
    with django_assert_max_num_queries(6):
        minutes = urgency_by_pairing(waiting)
    assert [minutes[row.pk] for row in semis] == [115.0, 115.0]
    assert {minutes[row.pk] for row in waiting if row not in semis} == {55.0 + 6 * 60.0}
    assert next_calls.call_next(made.event_id, SYSTEM).call.pairing.round.bracket.tournament_id == swiss.pk


def test_tables_are_added_once_renamed_ordered_and_removed_before_calls():
    made, (first, _), _ = semifinals("1-3, A1-A2")
    with_tables(made, "3; 4\nStream")
    listed = lambda: list(room_of(made).tables.values_list("name", flat=True))  # noqa: E731
    assert listed() == ["1", "2", "3", "A1", "A2", "4", "Stream"]
    stream = Table.objects.get(name="Stream")
    tables.change(stream, TablePlan("Feature", position=1), SYSTEM)
    tables.remove(Table.objects.get(name="A2"), SYSTEM)
    assert listed() == ["Feature", "1", "2", "3", "A1", "4"]
    assert refusal(lambda: tables.change(stream, TablePlan("4"), SYSTEM)) == "name-taken"
    calls.call(first.pk, stream.pk, SYSTEM)
    assert refusal(lambda: tables.remove(stream, SYSTEM)) == "table-was-used"
    for typed, code in (("", "no-names"), ("1-400, b1-b400", "too-many-tables"), ("x" * 21, "name-too-long")):
        assert refusal(lambda typed=typed: tables.add(made.event_id, typed, SYSTEM)) == code


def test_many_tables_are_changed_at_once_or_not_at_all():
    made, _, (first, second, third) = semifinals("1-3")
    event_id = made.event_id
    swapped = {first.pk: TablePlan("2", position=1), second.pk: TablePlan("1", position=2)}
    assert tables.change_many(event_id, swapped, SYSTEM) == 2
    assert list(room_of(made).tables.values_list("name", flat=True)) == ["2", "1", "3"]
    assert tables.change_many(event_id, swapped, SYSTEM) == 0
    repeated = {first.pk: TablePlan("9"), third.pk: TablePlan("9")}
    assert refusal(lambda: tables.change_many(event_id, repeated, SYSTEM)) == "name-taken"
    assert list(room_of(made).tables.values_list("name", flat=True)) == ["2", "1", "3"]
    tables.change_many(
        event_id, {third.pk: TablePlan("3", position=1), second.pk: TablePlan("1", position=3)}, SYSTEM
    )
    assert list(room_of(made).tables.values_list("name", flat=True)) == ["3", "2", "1"]


def test_the_sweep_skips_rooms_without_playable_matches(django_assert_num_queries):
    for _ in range(3):
        over, semis, _ = semifinals("1-2")
        tables.set_calling(over.event_id, SYSTEM, by_itself=True, second_call_after=3)
        for pairing in semis:
            stories.post(pairing, SYSTEM)
    with django_assert_num_queries(1):
        next_calls.call_in_all_rooms()
    _made, semis, _ = semifinals("1-2")
    Room.objects.update(auto_call=True)
    next_calls.call_in_all_rooms()
    assert standing() == [("1", names(semis[0])), ("2", names(semis[1]))]
