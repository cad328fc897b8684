"""Calls to tables: seating, refusals, and freed tables."""

import uuid
from copy import deepcopy

import pytest

from matches.keepers import Keeper
from matches.models import Match
from matches.rows import NewRow
from rules.score import Game, Side
from tests.tournament import stories
from tests.tournament.refusals import refusal
from tests.tournament.room.halls import names, no_table_is_taken, room_of, semifinals, standing, with_tables
from tournament import corrections
from tournament.access.actors import SYSTEM
from tournament.brackets import advancing
from tournament.corrections import Change, repair
from tournament.draw.formats import Format, Kind
from tournament.drawing import draws, jackpots, rounds
from tournament.drawing.jackpots import JackpotPlan
from tournament.entries import registration
from tournament.models import Call, Correction, JournalLine, Pairing, ResultKind, Table, Tournament
from tournament.results import desk
from tournament.room import calls, tables
from tournament.runtime.errors import NotFound, Refused

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def semifinals_of_module(rows_of_module) -> tuple[Tournament, list[Pairing], list[Table]]:
    return semifinals()


@pytest.fixture
def in_room(db, semifinals_of_module) -> tuple[Tournament, list[Pairing], list[Table]]:
    return deepcopy(semifinals_of_module)


def test_a_match_is_called_called_again_and_marked_as_playing(in_room):
    made, (first, _), (table, *_) = in_room
    called = calls.call(first.pk, table.pk, SYSTEM)
    assert standing() == [("1", names(first))]
    version = room_of(made).version
    for action in (calls.call_again, calls.call_again, calls.mark_playing, calls.mark_playing):
        action(called.pk, SYSTEM)
    again = Call.objects.get()
    assert again.called_at <= again.second_call_at <= again.playing_at
    assert room_of(made).version > version
    assert refusal(lambda: calls.call_again(calls.call(*fresh_call(made)).pk, SYSTEM)) == "they-play"
    assert refusal(lambda: calls.undo_second_call(called.pk, SYSTEM)) == "they-play"
    for _ in range(2):
        assert calls.undo_playing(called.pk, SYSTEM).playing_at is None
    for _ in range(2):
        assert calls.undo_second_call(called.pk, SYSTEM).second_call_at is None
    stories.begin(first)
    calls.mark_playing(called.pk, SYSTEM)
    assert refusal(lambda: calls.undo_playing(called.pk, SYSTEM)) == "game-is-written"
    verbs = JournalLine.objects.filter(subject="match").values_list("verb", flat=True)
    assert {"call match", "call again", "see playing"} <= set(verbs)


def fresh_call(made: Tournament):
    """The other match, which is played already when it is called."""
    waiting = stories.playable(made)[1]
    stories.begin(waiting)
    return waiting.pk, None, SYSTEM


def test_a_repeated_call_is_ignored_and_one_to_another_table_refusal(in_room):
    _, (first, second), (table, two, _) = in_room
    called = calls.call(first.pk, table.pk, SYSTEM)
    assert calls.call(first.pk, table.pk, SYSTEM) == called
    assert refusal(lambda: calls.call(first.pk, two.pk, SYSTEM)) == "called-already"
    assert refusal(lambda: calls.call(second.pk, table.pk, SYSTEM)) == "table-taken"
    tables.close(two, SYSTEM)
    assert refusal(lambda: calls.call(second.pk, two.pk, SYSTEM)) == "table-closed"
    with pytest.raises(NotFound):
        calls.call(second.pk, 0, SYSTEM)
    assert standing() == [("1", names(first))]


def test_a_match_moves_to_another_table_and_a_call_can_be_undone(in_room):
    _, (first, second), (table, two, three) = in_room
    called = calls.call(first.pk, table.pk, SYSTEM)
    calls.call(second.pk, two.pk, SYSTEM)
    assert refusal(lambda: calls.move(called.pk, two.pk, SYSTEM)) == "table-taken"
    calls.take_back(Call.objects.get(pairing=second).pk, SYSTEM)
    calls.move(called.pk, two.pk, SYSTEM)
    assert standing() == [("2", names(first))]
    calls.move(called.pk, three.pk, SYSTEM)
    assert refusal(lambda: calls.undo_move(called.pk, two.pk, table.pk, SYSTEM)) == "moved-again"
    for _ in range(2):
        calls.undo_move(called.pk, three.pk, two.pk, SYSTEM)
    assert standing() == [("2", names(first))]
    for _ in range(2):
        calls.take_back(called.pk, SYSTEM)
    assert no_table_is_taken()
    assert refusal(lambda: calls.call_again(called.pk, SYSTEM)) == "call-taken-back"
    assert calls.call(first.pk, table.pk, SYSTEM) != called


def test_a_call_that_was_taken_back_is_restored_unless_table_or_match_were_used(in_room):
    _, (first, second), (table, *_) = in_room
    called = calls.call(first.pk, table.pk, SYSTEM)
    calls.call_again(called.pk, SYSTEM)
    calls.take_back(called.pk, SYSTEM)
    for _ in range(2):
        restored = calls.restore(called.pk, SYSTEM)
    assert standing() == [("1", names(first))]
    assert (restored.pk, restored.second_call_at is None) == (called.pk, False)
    calls.take_back(called.pk, SYSTEM)
    second_call = calls.call(second.pk, table.pk, SYSTEM)
    assert refusal(lambda: calls.restore(called.pk, SYSTEM)) == "table-taken"
    calls.take_back(second_call.pk, SYSTEM)
    again = calls.call(first.pk, None, SYSTEM)
    assert refusal(lambda: calls.restore(called.pk, SYSTEM)) == "called-already"
    calls.take_back(again.pk, SYSTEM)
    stories.post(first, SYSTEM)
    assert refusal(lambda: calls.restore(called.pk, SYSTEM)) == "match-is-over"


def test_a_seated_player_is_not_called_to_another_tournament(in_room):
    made, (first, _), (table, two, _) = in_room
    side = jackpots.open_jackpot(made.pk, JackpotPlan(4, 1), SYSTEM)
    for entry in made.entries.all():
        jackpots.join(side.pk, entry, SYSTEM)
    calls.call(first.pk, table.pk, SYSTEM)
    both = [
        row for row in stories.playable(made) if row.round.bracket.key != "main" and names(row) & names(first)
    ]
    assert both
    made.entries.update(number=2)
    for row in both:
        with pytest.raises(Refused) as no:
            calls.call(row.pk, two.pk, SYSTEM)
        assert no.value.code == "player-at-table"
        assert no.value.params["player"] in {f"{name} (2)" for name in names(first)}


def test_the_first_game_on_a_card_marks_the_match_as_playing(in_room):
    _, (first, _), (table, *_) = in_room
    calls.call(first.pk, table.pk, SYSTEM)
    game = NewRow(uuid.uuid4(), first.match.pk, Game(Side.LEFT))
    desk.enter(first, Keeper.LEFT, game, SYSTEM)
    began_at = Call.objects.get().playing_at
    assert began_at is not None
    desk.enter(first, Keeper.LEFT, NewRow(uuid.uuid4(), game.key, Game(Side.RIGHT)), SYSTEM)
    assert Call.objects.get().playing_at == began_at


def test_the_match_page_shows_its_call(in_room):
    _, (first, _), (table, *_) = in_room
    calls.call(first.pk, table.pk, SYSTEM)
    assert Match.objects.get(pk=first.match.pk).version == first.match.version + 1


def by_result(made: Tournament, first: Pairing) -> None:
    stories.post(first, SYSTEM)


def by_award(made: Tournament, first: Pairing) -> None:
    desk.award(first, None, "double_no_show", "", SYSTEM)


def by_withdrawal(made: Tournament, first: Pairing) -> None:
    registration.withdraw(first.left, SYSTEM)


def by_redraw(made: Tournament, first: Pairing) -> None:
    draws.make(made.pk, draws.DrawPlan(reason="Somebody was left out"), SYSTEM)


def by_changed_seat(made: Tournament, first: Pairing) -> None:
    second = stories.playable(made)[1]
    Pairing.objects.filter(pk=first.pk).update(left=second.left)
    Match.objects.filter(pk=first.match_id).update(left=uuid.uuid4())
    repair.rebuild(made.event)


@pytest.mark.parametrize("ends", [by_result, by_award, by_withdrawal, by_redraw, by_changed_seat])
def test_a_match_that_ends_frees_its_table(ends, in_room):
    made, (first, _), (table, *_) = in_room
    calls.call(first.pk, table.pk, SYSTEM)
    version = room_of(made).version
    ends(made, first)
    assert no_table_is_taken()
    assert room_of(made).version > version
    if ends is by_result:
        code = refusal(lambda: calls.call(first.pk, table.pk, SYSTEM))
        assert (code, no_table_is_taken()) == ("match-is-over", True)
        desk.retract(first, "Not played", SYSTEM)
        assert no_table_is_taken()
        calls.call(first.pk, table.pk, SYSTEM)


def test_a_final_cancelled_by_a_correction_frees_its_table(in_room):
    made, semis, (table, *_) = in_room
    for pairing in semis:
        stories.play(pairing, SYSTEM)
    final = stories.playable(made)[0]
    calls.call(final.pk, table.pk, SYSTEM)
    preview = corrections.preview(semis[0].pk, Change(ResultKind.PLAYED, semis[0].right_id, 1, 5))
    corrections.correct(preview, preview.digest, "Wrong side", SYSTEM)
    assert no_table_is_taken()
    calls.call(final.pk, table.pk, SYSTEM)
    corrections.undo(Correction.objects.get().pk, SYSTEM)
    assert no_table_is_taken()
    calls.call(final.pk, table.pk, SYSTEM)
    desk.retract(semis[0], "Not played", SYSTEM)
    assert no_table_is_taken()


def test_an_undone_round_frees_its_tables():
    made = stories.released(stories.director(), 4, format=Format(Kind.SWISS, rounds=3))
    (table, *_) = with_tables(made)
    for pairing in stories.playable(made):
        stories.play(pairing, SYSTEM)
    rounds.pair_next_round(made.pk, SYSTEM)
    calls.call(stories.playable(made)[0].pk, table.pk, SYSTEM)
    rounds.take_back_round(made.pk, "Too early", SYSTEM)
    assert no_table_is_taken()


def test_the_final_is_called_when_both_tables_are_free(in_room):
    made, semis, (first, second, _) = in_room
    for pairing, table in zip(semis, (first, second), strict=True):
        calls.call(pairing.pk, table.pk, SYSTEM)
        advancing.advance(stories.post(pairing, SYSTEM).pk)
    final = stories.playable(made)[0]
    calls.call(final.pk, first.pk, SYSTEM)
    assert standing() == [("1", names(final))]
