"""The card as a log: each row follows one row, nothing is overwritten, and the rules compute the totals."""

import uuid

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from matches import desk_card, scorecard
from matches.card_refusals import CardClosed, CardConflict, KeyReused, NoSuchRow
from matches.card_totals import effective_rows, stored_card_totals
from matches.keepers import Keeper
from matches.locking import lock_match
from matches.models import Card, CardRow, MatchState
from matches.rows import FinalScore, NewRow
from rules.problem import RuleBroken
from rules.score import Ending, Game, Penalty, Side, Win

LEFT, RIGHT, DESK = Keeper.LEFT, Keeper.RIGHT, Keeper.DESK

pytestmark = pytest.mark.django_db


def test_a_gammon_with_the_cube_at_two_brings_four_points(writer):
    written = writer.game(LEFT, "left", cube=2, win=Win.GAMMON)
    assert (written.card.left_points, written.card.right_points) == (4, 0)
    assert written.row.points == 4
    match = writer.reread()
    assert (match.left_points, match.right_points, match.state) == (4, 0, MatchState.OPEN)
    assert match.has_begun


def test_the_deciding_game_reports_the_match_for_its_side(writer):
    writer.game(LEFT, "left", cube=4)
    writer.game(LEFT, "left", cube=4)
    match = writer.reread()
    assert match.state == MatchState.REPORTED
    assert (match.reported_by, match.winner, match.left_points) == ("left", "left", 7)
    assert match.reported_at is not None


def test_six_nil_brings_the_crawford_game(writer):
    writer.game(LEFT, "left", cube=2)
    assert not writer.reread().is_crawford
    writer.game(LEFT, "left", cube=4)
    assert writer.reread().is_crawford
    with pytest.raises(RuleBroken) as broken:
        writer.game(LEFT, "right", cube=2)
    assert broken.value.problem.rule == "CRAW-1"


def test_an_impossible_game_leaves_the_card_unchanged(writer):
    writer.game(LEFT)
    before = Card.objects.get(match=writer.match, keeper="left").tail
    with pytest.raises(RuleBroken):
        writer.write(LEFT, Game(Side.LEFT, Win.GAMMON, Ending.DROPPED))
    card = Card.objects.get(match=writer.match, keeper="left")
    assert (card.tail, card.rows_written) == (before, 1)
    assert CardRow.objects.count() == 1


def test_the_same_row_sent_twice_is_written_once_with_the_same_answer(writer):
    new_row = NewRow(uuid.uuid4(), writer.match.pk, Game(Side.LEFT, cube=2))
    first = writer.hand_in(LEFT, new_row)
    writer.tails[LEFT] = new_row.key
    writer.game(LEFT, "right")
    again = writer.hand_in(LEFT, new_row)
    assert again.is_repeat
    assert not first.is_repeat
    assert (again.totals.left, again.totals.right) == (first.totals.left, first.totals.right) == (2, 0)
    assert CardRow.objects.count() == 2


def test_a_key_with_another_body_is_refused(writer):
    key = uuid.uuid4()
    writer.hand_in(LEFT, NewRow(key, writer.match.pk, Game(Side.LEFT)))
    with pytest.raises(KeyReused):
        writer.hand_in(LEFT, NewRow(key, writer.match.pk, Game(Side.RIGHT)))
    with pytest.raises(KeyReused):
        writer.hand_in(RIGHT, NewRow(key, writer.match.pk, Game(Side.LEFT)))


def test_a_second_game_after_the_same_predecessor_is_refused_with_the_current_card(writer):
    first = writer.game(LEFT)
    with pytest.raises(CardConflict) as conflict:
        writer.hand_in(LEFT, NewRow(uuid.uuid4(), writer.match.pk, Game(Side.RIGHT)))
    assert conflict.value.card.tail == first.row.key


def test_the_database_allows_one_follower_of_a_game(writer):
    row = writer.game(LEFT).row
    row.key, row.number = uuid.uuid4(), 2
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save(force_insert=True)


@pytest.mark.parametrize(
    ("field", "value"), [("cube", 3), ("points", 3 * 2**20 + 1), ("kind", "strike"), ("winner", "")]
)
def test_the_database_refuses_an_impossible_row(writer, field, value):
    row = writer.game(LEFT).row
    row.key, row.number, row.predecessor = uuid.uuid4(), 2, row.key
    setattr(row, field, value)
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save(force_insert=True)


def test_undo_removes_the_last_game_and_play_continues(writer):
    writer.game(LEFT, "left", cube=2)
    writer.game(LEFT, "right")
    writer.undo(LEFT, writer.keys[-1])
    assert (writer.reread().left_points, writer.match.right_points) == (2, 0)
    writer.game(LEFT, "right", cube=4)
    assert (writer.reread().left_points, writer.match.right_points) == (2, 4)
    card = Card.objects.get(match=writer.match, keeper="left")
    assert [row.cube for row in effective_rows(list(card.rows.all()))] == [2, 4]
    assert card.rows.count() == 4


def test_undoing_the_deciding_game_removes_the_report(writer):
    writer.final(LEFT, 7, 3)
    assert writer.reread().state == MatchState.REPORTED
    writer.undo(LEFT, writer.keys[-1])
    match = writer.reread()
    assert (match.state, match.reported_by, match.winner) == (MatchState.OPEN, "", "")


def test_a_struck_game_cannot_be_struck_again(writer):
    writer.game(LEFT)
    game = writer.keys[-1]
    writer.undo(LEFT, game)
    with pytest.raises(NoSuchRow):
        writer.undo(LEFT, game)


def test_a_correction_replaces_the_corrected_game(writer):
    for winner in ("left", "right", "left"):
        writer.game(LEFT, winner)
    writer.write(LEFT, Game(Side.RIGHT, cube=2), supersedes=writer.keys[1], by=DESK)
    card = Card.objects.get(match=writer.match, keeper="left")
    assert (card.left_points, card.right_points) == (2, 2)
    assert [(row.winner, row.cube) for row in effective_rows(list(card.rows.all()))] == [
        ("left", 1), ("right", 2), ("left", 1),
    ]  # fmt: skip


def test_a_correction_that_makes_a_later_game_impossible_is_refused(writer):
    writer.game(LEFT, "left", cube=4)
    writer.game(LEFT, "left")
    writer.game(LEFT, "right", cube=2)
    with pytest.raises(RuleBroken) as broken:
        writer.write(LEFT, Game(Side.LEFT, cube=2), supersedes=writer.keys[1], by=DESK)
    assert broken.value.problem.rule == "CRAW-1"


def test_two_keepers_write_separate_cards(writer):
    writer.game(LEFT, "left")
    writer.game(RIGHT, "right")
    cards = {card.keeper: (card.left_points, card.right_points) for card in writer.match.cards.all()}
    assert cards == {"left": (1, 0), "right": (0, 1)}


def test_the_report_moves_to_the_other_card_when_the_first_is_withdrawn(writer):
    writer.final(LEFT, 7, 2)
    writer.final(RIGHT, 7, 2)
    assert writer.reread().reported_by == "left"
    writer.undo(LEFT, writer.keys[0])
    assert (writer.reread().state, writer.match.reported_by) == (MatchState.REPORTED, "right")


def test_penalty_points_are_a_row_and_not_a_game(writer):
    writer.game(LEFT, "left", cube=4)
    writer.write(LEFT, Penalty(Side.LEFT, 2, "late"), by=DESK)
    card = Card.objects.get(match=writer.match, keeper="left")
    assert (card.left_points, card.right_points) == (4, 2)
    assert stored_card_totals(card, writer.match).lines[1].number is None


@pytest.mark.parametrize("score", [(7, 7), (6, 3), (8, 2), (7, 9)])
def test_a_final_score_that_no_match_to_seven_ends_with_is_refused(writer, score):
    with pytest.raises(RuleBroken):
        writer.final(LEFT, *score)


@pytest.mark.parametrize("state", [MatchState.POSTED, MatchState.CANCELLED])
def test_players_write_only_while_the_match_is_not_decided(writer, state):
    writer.game(LEFT)
    with transaction.atomic():
        scorecard.set_state(lock_match(writer.match.pk).match, state)
    with pytest.raises(CardClosed):
        writer.game(LEFT)


def test_a_row_sent_again_after_posting_gets_its_first_answer(writer):
    new_row = NewRow(uuid.uuid4(), writer.match.pk, Game(Side.LEFT))
    writer.hand_in(LEFT, new_row)
    with transaction.atomic():
        scorecard.set_state(lock_match(writer.match.pk).match, MatchState.POSTED)
    assert writer.hand_in(LEFT, new_row).is_repeat


def test_the_desk_may_still_correct_a_posted_match(writer):
    writer.game(LEFT, "left", cube=4)
    with transaction.atomic():
        scorecard.set_state(lock_match(writer.match.pk).match, MatchState.POSTED)
    written = writer.write(LEFT, Game(Side.RIGHT, cube=4), supersedes=writer.keys[0], by=DESK)
    assert (written.card.left_points, written.card.right_points) == (0, 4)


def test_a_cube_too_large_for_a_card_is_refused_with_a_sentence(writer):
    with pytest.raises(RuleBroken) as broken:
        writer.game(LEFT, cube=2**40)
    assert "cube" in broken.value.problem.sentence


def test_a_match_needs_two_different_sides(writer):
    match = writer.match
    with pytest.raises(IntegrityError), transaction.atomic():
        type(match).objects.filter(pk=match.pk).update(right=match.left)


@pytest.mark.parametrize(("mid_game", "crawford"), [(True, False), (False, True)])
def test_a_penalty_during_a_game_does_not_make_it_the_crawford_game(writer, mid_game, crawford):
    writer.game(LEFT, "left", cube=4)
    writer.game(LEFT, "left")
    writer.write(LEFT, Penalty(Side.RIGHT, 1, "late", mid_game=mid_game), by=DESK)
    if crawford:
        with pytest.raises(RuleBroken):
            writer.game(LEFT, "right", cube=2)
    else:
        writer.game(LEFT, "right", cube=2)
        assert writer.reread().is_crawford


def test_the_desk_card_is_struck_after_its_last_row(writer):
    """Its first game was corrected last: without that game alone, the cube of the last one would be against CRAW-1."""
    writer.game(DESK, "right", cube=2, win=Win.BACKGAMMON)
    for cube in (1, 4, 1, 2):
        writer.game(DESK, "left", cube=cube, win=Win.SINGLE)
    writer.write(DESK, Game(Side.RIGHT, Win.BACKGAMMON, Ending.PLAYED, cube=2), supersedes=writer.keys[0])
    assert writer.reread().winner == "left"
    moment = timezone.now()
    with transaction.atomic():
        locked = lock_match(writer.match.pk)
        assert desk_card.set_final_score(locked, FinalScore(7, 5)).right_points == 5
        desk_card.restore_card(locked, moment)
    card = Card.objects.get(match=writer.match, keeper="desk")
    assert [row.cube for row in effective_rows(list(card.rows.all()))] == [2, 1, 4, 1, 2]
    assert (card.left_points, card.right_points) == (7, 6)
