"""The card as a log: each row follows one row, nothing is overwritten, and what it adds up to is asked of the rules."""

import uuid

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from matches import desk_card, scorecard
from matches.card_totals import effective_rows, stored_card_totals
from matches.errors import CardClosed, CardConflict, KeyReused, NoSuchRow
from matches.keepers import Keeper
from matches.models import Card, CardRow, MatchState
from matches.rows import FinalScore, NewRow
from rules.problem import RuleBroken
from rules.score import Ending, Game, Penalty, Side, Win

LEFT, RIGHT, DESK = Keeper.LEFT, Keeper.RIGHT, Keeper.DESK

pytestmark = pytest.mark.django_db


def test_a_gammon_with_the_cube_at_two_brings_four_points(pen):
    written = pen.game(LEFT, "left", cube=2, win=Win.GAMMON)
    assert (written.card.left_points, written.card.right_points) == (4, 0)
    assert written.row.points == 4
    match = pen.reread()
    assert (match.left_points, match.right_points, match.state) == (4, 0, MatchState.OPEN)
    assert match.has_begun


def test_the_deciding_game_reports_the_match_for_its_keeper(pen):
    pen.game(LEFT, "left", cube=4)
    pen.game(LEFT, "left", cube=4)
    match = pen.reread()
    assert match.state == MatchState.REPORTED
    assert (match.reported_by, match.winner, match.left_points) == ("left", "left", 7)
    assert match.reported_at is not None


def test_six_nil_brings_the_crawford_game(pen):
    pen.game(LEFT, "left", cube=2)
    assert not pen.reread().is_crawford
    pen.game(LEFT, "left", cube=4)
    assert pen.reread().is_crawford
    with pytest.raises(RuleBroken) as broken:
        pen.game(LEFT, "right", cube=2)
    assert broken.value.problem.rule == "CRAW-1"


def test_an_impossible_game_leaves_the_card_as_it_was(pen):
    pen.game(LEFT)
    before = Card.objects.get(match=pen.match, keeper="left").tail
    with pytest.raises(RuleBroken):
        pen.write(LEFT, Game(Side.LEFT, Win.GAMMON, Ending.DROPPED))
    card = Card.objects.get(match=pen.match, keeper="left")
    assert (card.tail, card.rows_written) == (before, 1)
    assert CardRow.objects.count() == 1


def test_the_same_row_handed_in_twice_is_written_once_and_answered_the_same(pen):
    new_row = NewRow(uuid.uuid4(), pen.match.pk, Game(Side.LEFT, cube=2))
    first = pen.hand_in(LEFT, new_row)
    pen.tails[LEFT] = new_row.key
    pen.game(LEFT, "right")
    again = pen.hand_in(LEFT, new_row)
    assert again.is_repeat
    assert not first.is_repeat
    assert (again.totals.left, again.totals.right) == (first.totals.left, first.totals.right) == (2, 0)
    assert CardRow.objects.count() == 2


def test_a_key_with_another_body_is_refused(pen):
    key = uuid.uuid4()
    pen.hand_in(LEFT, NewRow(key, pen.match.pk, Game(Side.LEFT)))
    with pytest.raises(KeyReused):
        pen.hand_in(LEFT, NewRow(key, pen.match.pk, Game(Side.RIGHT)))
    with pytest.raises(KeyReused):
        pen.hand_in(RIGHT, NewRow(key, pen.match.pk, Game(Side.LEFT)))


def test_a_second_game_after_the_same_predecessor_is_refused_with_the_current_card(pen):
    first = pen.game(LEFT)
    with pytest.raises(CardConflict) as conflict:
        pen.hand_in(LEFT, NewRow(uuid.uuid4(), pen.match.pk, Game(Side.RIGHT)))
    assert conflict.value.card.tail == first.row.key


def test_the_database_itself_lets_one_game_follow_another_only_once(pen):
    row = pen.game(LEFT).row
    row.key, row.number = uuid.uuid4(), 2
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save(force_insert=True)


@pytest.mark.parametrize(
    ("field", "value"), [("cube", 3), ("points", 3 * 2**20 + 1), ("kind", "strike"), ("winner", "")]
)
def test_the_database_itself_refuses_a_row_that_cannot_be(pen, field, value):
    row = pen.game(LEFT).row
    row.key, row.number, row.predecessor = uuid.uuid4(), 2, row.key
    setattr(row, field, value)
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save(force_insert=True)


def test_undo_takes_back_the_last_game_and_play_goes_on(pen):
    pen.game(LEFT, "left", cube=2)
    pen.game(LEFT, "right")
    pen.undo(LEFT, pen.keys[-1])
    assert (pen.reread().left_points, pen.match.right_points) == (2, 0)
    pen.game(LEFT, "right", cube=4)
    assert (pen.reread().left_points, pen.match.right_points) == (2, 4)
    card = Card.objects.get(match=pen.match, keeper="left")
    assert [row.cube for row in effective_rows(list(card.rows.all()))] == [2, 4]
    assert card.rows.count() == 4


def test_undoing_the_deciding_game_takes_the_report_back(pen):
    pen.final(LEFT, 7, 3)
    assert pen.reread().state == MatchState.REPORTED
    pen.undo(LEFT, pen.keys[-1])
    match = pen.reread()
    assert (match.state, match.reported_by, match.winner) == (MatchState.OPEN, "", "")


def test_a_struck_game_cannot_be_struck_again(pen):
    pen.game(LEFT)
    game = pen.keys[-1]
    pen.undo(LEFT, game)
    with pytest.raises(NoSuchRow):
        pen.undo(LEFT, game)


def test_a_correction_stands_where_the_corrected_game_stood(pen):
    for winner in ("left", "right", "left"):
        pen.game(LEFT, winner)
    pen.write(LEFT, Game(Side.RIGHT, cube=2), supersedes=pen.keys[1], by=DESK)
    card = Card.objects.get(match=pen.match, keeper="left")
    assert (card.left_points, card.right_points) == (2, 2)
    assert [(row.winner, row.cube) for row in effective_rows(list(card.rows.all()))] == [
        ("left", 1), ("right", 2), ("left", 1),
    ]  # fmt: skip


def test_a_correction_that_makes_a_later_game_impossible_is_refused(pen):
    pen.game(LEFT, "left", cube=4)
    pen.game(LEFT, "left")
    pen.game(LEFT, "right", cube=2)
    with pytest.raises(RuleBroken) as broken:
        pen.write(LEFT, Game(Side.LEFT, cube=2), supersedes=pen.keys[1], by=DESK)
    assert broken.value.problem.rule == "CRAW-1"


def test_two_keepers_write_two_cards_that_do_not_meet(pen):
    pen.game(LEFT, "left")
    pen.game(RIGHT, "right")
    cards = {card.keeper: (card.left_points, card.right_points) for card in pen.match.cards.all()}
    assert cards == {"left": (1, 0), "right": (0, 1)}


def test_the_report_stays_with_the_other_card_when_the_first_reporter_takes_theirs_back(pen):
    pen.final(LEFT, 7, 2)
    pen.final(RIGHT, 7, 2)
    assert pen.reread().reported_by == "left"
    pen.undo(LEFT, pen.keys[0])
    assert (pen.reread().state, pen.match.reported_by) == (MatchState.REPORTED, "right")


def test_penalty_points_are_a_row_of_their_own_and_no_game(pen):
    pen.game(LEFT, "left", cube=4)
    pen.write(LEFT, Penalty(Side.LEFT, 2, "late"), by=DESK)
    card = Card.objects.get(match=pen.match, keeper="left")
    assert (card.left_points, card.right_points) == (4, 2)
    assert stored_card_totals(card, pen.match).lines[1].number is None


@pytest.mark.parametrize("score", [(7, 7), (6, 3), (8, 2), (7, 9)])
def test_a_final_score_that_no_match_to_seven_ends_with_is_refused(pen, score):
    with pytest.raises(RuleBroken):
        pen.final(LEFT, *score)


@pytest.mark.parametrize("state", [MatchState.POSTED, MatchState.CANCELLED])
def test_players_write_only_while_the_match_is_not_decided(pen, state):
    pen.game(LEFT)
    with scorecard.changing(pen.match.pk) as match:
        scorecard.set_state(match, state)
    with pytest.raises(CardClosed):
        pen.game(LEFT)


def test_a_row_written_before_posting_is_answered_as_before(pen):
    new_row = NewRow(uuid.uuid4(), pen.match.pk, Game(Side.LEFT))
    pen.hand_in(LEFT, new_row)
    with scorecard.changing(pen.match.pk) as match:
        scorecard.set_state(match, MatchState.POSTED)
    assert pen.hand_in(LEFT, new_row).is_repeat


def test_the_desk_may_still_correct_a_posted_match(pen):
    pen.game(LEFT, "left", cube=4)
    with scorecard.changing(pen.match.pk) as match:
        scorecard.set_state(match, MatchState.POSTED)
    written = pen.write(LEFT, Game(Side.RIGHT, cube=4), supersedes=pen.keys[0], by=DESK)
    assert (written.card.left_points, written.card.right_points) == (0, 4)


def test_a_cube_that_no_card_can_hold_is_refused_in_words(pen):
    with pytest.raises(RuleBroken) as broken:
        pen.game(LEFT, cube=2**40)
    assert "cube" in broken.value.problem.sentence


def test_nobody_has_a_match_against_themselves(pen):
    match = pen.match
    with pytest.raises(IntegrityError), transaction.atomic():
        type(match).objects.filter(pk=match.pk).update(right=match.left)


@pytest.mark.parametrize(("mid_game", "crawford"), [(True, False), (False, True)])
def test_a_penalty_in_mid_game_does_not_make_the_game_under_way_the_crawford_game(pen, mid_game, crawford):
    pen.game(LEFT, "left", cube=4)
    pen.game(LEFT, "left")
    pen.write(LEFT, Penalty(Side.RIGHT, 1, "late", mid_game=mid_game), by=DESK)
    if crawford:
        with pytest.raises(RuleBroken):
            pen.game(LEFT, "right", cube=2)
    else:
        pen.game(LEFT, "right", cube=2)
        assert pen.reread().is_crawford


def test_a_card_is_rewritten_from_its_last_game_backwards_so_that_no_rule_stands_in_the_way(pen):
    """Its first game was corrected last: without that game alone, the cube of the last one would be against CRAW-1."""
    pen.game(DESK, "right", cube=2, win=Win.BACKGAMMON)
    for cube in (1, 4, 1, 2):
        pen.game(DESK, "left", cube=cube, win=Win.SINGLE)
    pen.write(DESK, Game(Side.RIGHT, Win.BACKGAMMON, Ending.PLAYED, cube=2), supersedes=pen.keys[0])
    assert pen.reread().winner == "left"
    moment = timezone.now()
    with scorecard.changing(pen.match.pk) as match:
        assert desk_card.set_final_score(match, FinalScore(7, 5)).right_points == 5
        desk_card.restore_card(match, moment)
    card = Card.objects.get(match=pen.match, keeper="desk")
    assert [row.cube for row in effective_rows(list(card.rows.all()))] == [2, 1, 4, 1, 2]
    assert (card.left_points, card.right_points) == (7, 6)
