"""Checks of one play: the position after a legal play, the broken rule of an illegal one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.board.checking import after_plain_play, check
from rules.board.moves import Move
from rules.board.notation import parse_play
from rules.board.plays import legal_plays
from rules.board.position import Position
from rules.board.stepping import PLAIN, resolve_hits
from rules.ruleset import BearOff, DiceObligation
from tests.rules.board.positions import DICE, MOVEMENTS, positions
from tests.rules.board.test_plays import side

CLOSED = side(p1=2, p2=2, p3=2, p4=2, p5=2, p6=2)


def checked(mine, dice, text, theirs=None, **fields):
    theirs = side(p10=2) if theirs is None else theirs
    return check(Position(mine, theirs), dice, parse_play(text), PLAIN._replace(**fields))


REFUSED = {
    "no_checker_there": (side(p8=1), (6, 1), "9/3 8/7", {}),
    "bar_first": (side(bar=1, p8=1), (3, 1), "8/5 8/7", {}),
    "blocked_point": (side(p24=1, p8=1), (6, 1), "24/18 8/7", {"theirs": side(p7=2)}),
    "other_dice": (side(p6=2, p3=2), (3, 1), "6/4 3/2", {}),
    "too_many_moves": (side(p6=5), (2, 1), "6/4 6/5 6/5", {}),
    "not_all_home": (side(p7=2, p6=2), (6, 1), "6/off 7/6", {}),
    "higher_checker_first": (side(p6=1, p4=1, p1=2), (5, 4), "1/off 4/off", {}),
    "hit_checker_first": (side(p22=1, p6=2), (4, 3), "6/2 22/19", {"hit_checker_first": True}),
    "more_dice_playable": (side(p8=2), (6, 1), "8/7", {}),
    "larger_die_playable": (side(p20=1), (6, 5), "20/15", {"theirs": side(p16=2)}),
    "larger_die_at_least": (
        side(p20=2),
        (6, 1),
        "20/19",
        {"dice_obligation": DiceObligation.LARGER_DIE_SUFFICES},
    ),
    "passed_with_a_legal_play": (side(p8=2), (6, 1), "", {}),
}


@pytest.mark.parametrize("code", REFUSED)
def test_an_illegal_play_names_the_rule_it_breaks(code):
    mine, dice, text, fields = REFUSED[code]
    problem = checked(mine, dice, text, **fields).problem
    assert problem is not None
    assert problem.code == code
    assert problem.rule
    assert "{" not in problem.sentence


def test_the_sentence_names_the_move_and_what_could_be_played():
    blocked = checked(side(p24=1, p8=1), (6, 1), "24/18 8/7", theirs=side(p7=2)).problem
    assert blocked.sentence == "24/18 lands on a blocked point."
    assert blocked.rule == "MOVE-2"
    partial = checked(side(p8=1), (6, 1), "8/7").problem
    assert partial.sentence.startswith("1 of the dice were played, but 2 can be: 8/")


def test_a_merged_move_is_named_as_it_is_written():
    problem = checked(side(p13=3), (6, 3), "13/9 13/7").problem
    assert problem.sentence == "13/9 cannot be played with a roll of 63."


def test_a_backward_move_is_illegal():
    back = check(Position(side(p6=2, p13=1), side(p10=2)), (6, 2), (Move(13, 7), Move(6, 8)))
    assert (back.problem.code, back.problem.rule) == ("moves_backwards", "MOVE-1")
    assert back.problem.sentence == "6/8 moves backwards."
    assert back.after.mine == side(p8=1, p7=1, p6=1)


def test_the_landing_between_two_dice_has_to_be_open():
    both_blocked = side(p7=2, p2=2)  # the player's 18 and 23
    problem = checked(side(p24=1), (6, 1), "24/17", theirs=both_blocked).problem
    assert problem.code == "blocked_point"
    one_open = checked(side(p24=1), (6, 1), "24/17", theirs=side(p7=2))
    assert one_open.problem is None
    assert one_open.steps == ((24, 23), (23, 17))


def test_a_merged_play_goes_round_a_blot_unless_a_hit_is_marked():
    blot = side(p7=1, p10=2)
    quiet = checked(side(p24=1), (6, 1), "24/17", theirs=blot)
    assert quiet.after.theirs[25] == 0
    hit = check(Position(side(p24=1), blot), (6, 1), (Move(24, 17, hits=True),))
    assert hit.after.theirs[25] == 1


def test_a_merged_double_is_played_die_by_die():
    verdict = checked(side(p20=1, p13=1), (6, 6), "20/2", theirs=side(p18=2))
    assert verdict.steps == ((20, 14), (14, 8), (8, 2))


def test_a_wrong_star_changes_nothing():
    plain = checked(side(p8=1), (6, 1), "8/2 2/1")
    starred = checked(side(p8=1), (6, 1), "8/2* 2/1*")
    assert starred == plain


def test_after_an_illegal_play_the_board_is_as_near_to_it_as_possible():
    verdict = checked(side(p24=1, p8=1), (6, 1), "24/18 8/7", theirs=side(p7=2))
    assert verdict.after.mine == side(p24=1, p7=1)


def test_a_dance_is_no_problem():
    assert checked(side(bar=1, p8=1), (6, 1), "", theirs=CLOSED).problem is None


def test_a_die_is_kept_back_where_nothing_more_can_be_played():
    verdict = checked(side(p20=1), (6, 5), "20/14", theirs=side(p16=2))
    assert verdict.problem is None


def test_the_boxed_set_bears_off_from_below():
    mine = side(p6=1, p3=1)
    assert checked(mine, (4, 1), "3/off 6/5", bear_off=BearOff.LOWER_ALLOWED).problem is None
    assert checked(mine, (4, 1), "3/off 6/5").problem.code == "higher_checker_first"


@given(positions(), DICE, MOVEMENTS, st.data())
@settings(max_examples=150)
def test_every_legal_play_is_accepted_in_any_order_and_leads_where_it_should(position, dice, movement, data):
    legal = legal_plays(position, dice, movement)
    if not legal:
        assert check(position, dice, (), movement).problem is None
        return
    after = data.draw(st.sampled_from(sorted(legal)))
    play = resolve_hits(position, legal[after])
    shuffled = tuple(data.draw(st.permutations(play)))
    verdict = check(position, dice, shuffled, movement)
    assert verdict.problem is None
    assert verdict.after == after


@given(positions(), DICE, st.data())
@settings(max_examples=150)
def test_the_fast_path_agrees_with_the_full_check(position, dice, data):
    legal = legal_plays(position, dice)
    moves = st.tuples(st.integers(1, 25), st.integers(0, 24)).map(lambda ends: Move(*ends))
    written = data.draw(
        st.one_of(
            st.lists(moves, max_size=4).map(tuple),
            st.sampled_from([resolve_hits(position, taken) for taken in legal.values()] or [()]),
        )
    )
    quick = after_plain_play(position, dice, written)
    if quick is not None:
        assert quick == check(position, dice, written).after
        assert quick in legal


@given(positions(), DICE, MOVEMENTS, st.lists(st.tuples(st.integers(1, 25), st.integers(0, 24)), max_size=5))
@settings(max_examples=150)
def test_any_play_at_all_is_either_legal_or_says_why(position, dice, movement, ends):
    verdict = check(position, dice, tuple(Move(*pair) for pair in ends), movement)
    legal = legal_plays(position, dice, movement)
    if not ends:
        assert (verdict.problem is None) == (not legal)
    elif verdict.problem is None:
        assert verdict.after in legal
    assert verdict.problem is None or "{" not in verdict.problem.sentence
