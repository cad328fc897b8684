"""Legal plays of a roll: against a second generator, against a published set, and rule by rule."""

from hypothesis import given, settings

from rules.board.plays import legal_plays
from rules.board.position import Position
from rules.board.stepping import PLAIN, Movement, resolve_hits, take_step
from rules.ruleset import PRESETS, BearOff, DiceObligation, Ruleset
from tests.rules.board.naive import legal_results
from tests.rules.board.positions import DICE, MOVEMENTS, positions, ruleset_of
from tests.rules.oracles import legal_play_rows


def results(position, dice, movement=PLAIN):
    return {(tuple(after.mine), tuple(after.theirs)) for after in legal_plays(position, dice, movement)}


def side(**points):
    """A side by points: side(p6=2, bar=1)."""
    counts = bytearray(26)
    for name, count in points.items():
        counts[25 if name == "bar" else int(name[1:])] = count
    return bytes(counts)


FAR_AWAY = side(p10=2)


def plays(mine, dice, theirs=FAR_AWAY, **fields):
    """The plays of a roll as sets of steps, under the plain rules changed by `fields`."""
    movement = PLAIN._replace(**fields)
    return {frozenset(taken) for taken in legal_plays(Position(mine, theirs), dice, movement).values()}


@given(positions(), DICE, MOVEMENTS)
@settings(max_examples=300)
def test_two_generators_agree_under_every_form_of_the_rules(position, dice, movement):
    assert results(position, dice, movement) == legal_results(position, dice, ruleset_of(movement))


@given(positions(), DICE, MOVEMENTS)
@settings(max_examples=200)
def test_the_steps_of_a_play_lead_to_the_position_it_is_listed_under(position, dice, movement):
    for after, taken in legal_plays(position, dice, movement).items():
        mine, theirs = bytearray(position.mine), bytearray(position.theirs)
        for step in taken:
            take_step(mine, theirs, step)
        assert (bytes(mine), bytes(theirs)) == tuple(after)


@given(positions(), DICE)
@settings(max_examples=200)
def test_the_order_of_the_dice_does_not_matter(position, dice):
    assert results(position, dice) == results(position, dice[::-1])


@given(positions(), DICE)
@settings(max_examples=200)
def test_no_checker_is_made_or_lost(position, dice):
    for after, taken in legal_plays(position, dice).items():
        borne_off = sum(end == 0 for _, end in taken)
        assert sum(after.mine) == sum(position.mine) - borne_off
        assert sum(after.theirs) == sum(position.theirs)
        assert after.problem in ("", "nobody_left")


def test_every_position_of_the_set_has_exactly_its_legal_plays():
    for position, dice, most, results_of_the_set in legal_play_rows():
        legal = legal_plays(position, dice)
        assert set(legal) == results_of_the_set
        assert max(map(len, legal.values()), default=0) == most


def test_the_opening_has_as_many_plays_as_the_second_generator_counts():
    start = Position.start()
    for first in range(1, 7):
        for second in range(1, first + 1):
            once = legal_plays(start, (first, second))
            assert len(once) == len(legal_results(start, (first, second)))
            for after in list(once)[:6]:
                assert results(after.swapped(), (second, first)) == legal_results(
                    after.swapped(), (first, second)
                )


def test_both_dice_are_played_if_any_way_exists():
    assert plays(side(p8=1), (6, 1), theirs=side(p18=2)) == {frozenset({(8, 2), (2, 1)})}


EITHER_DIE = side(p20=1), (6, 5), side(p16=2)  # 20/14 or 20/15, and then no more


def test_the_larger_die_is_played_when_either_can_be_but_not_both():
    assert plays(*EITHER_DIE) == {frozenset({(20, 14)})}


def test_either_die_may_be_played_where_no_rule_names_the_larger():
    either = {frozenset({(20, 14)}), frozenset({(20, 15)})}
    assert plays(*EITHER_DIE, dice_obligation=DiceObligation.ALL) == either


def test_the_smaller_die_is_played_when_the_larger_cannot_be():
    mine, theirs = side(p20=1), side(p16=2, p11=2)
    for obligation in DiceObligation:
        assert plays(mine, (6, 5), theirs, dice_obligation=obligation) == {frozenset({(20, 15)})}


def test_the_larger_die_alone_suffices_only_where_the_ruleset_says_so():
    mine = side(p20=1)
    both = frozenset({(20, 14), (14, 13)}), frozenset({(20, 19), (19, 13)})
    assert plays(mine, (6, 1)) <= set(both)
    suffices = plays(mine, (6, 1), dice_obligation=DiceObligation.LARGER_DIE_SUFFICES)
    assert frozenset({(20, 14)}) in suffices
    assert frozenset({(20, 19)}) not in suffices
    assert suffices & set(both)


def test_of_a_double_one_die_suffices_only_where_the_ruleset_says_so():
    mine = side(p20=1)
    assert {len(play) for play in plays(mine, (2, 2))} == {4}
    suffices = plays(mine, (2, 2), dice_obligation=DiceObligation.LARGER_DIE_SUFFICES)
    assert {len(play) for play in suffices} == {1, 2, 3, 4}


def test_a_checker_on_the_bar_enters_first():
    assert plays(side(bar=1, p8=1), (3, 1), side(p1=2)) == {
        frozenset({(25, 22), (8, 7)}),
        frozenset({(25, 22), (22, 21)}),
    }


def test_a_checker_cannot_enter_against_a_closed_board():
    closed = side(p1=2, p2=2, p3=2, p4=2, p5=2, p6=2)
    assert plays(side(bar=1, p8=1), (6, 1), closed) == set()


def test_two_checkers_on_the_bar_take_both_dice():
    assert plays(side(bar=2, p8=1), (3, 1)) == {frozenset({(25, 22), (25, 24)})}


def test_bearing_off_waits_for_the_last_checker():
    assert plays(side(p7=1, p6=1), (6, 6)) == {frozenset({(7, 1), (6, 0), (1, 0)})}


def test_a_die_above_the_highest_checker_bears_that_one_off():
    assert plays(side(p3=1, p2=1), (6, 5)) == {frozenset({(3, 0), (2, 0)})}


def test_a_die_whose_point_is_empty_is_moved_within_the_board():
    legal = plays(side(p6=2, p3=1), (4, 1))
    assert legal
    assert not any((3, 0) in play for play in legal)


def test_the_boxed_set_lets_a_lower_checker_off_where_the_dies_point_is_empty():
    lower = plays(side(p6=2, p3=1), (4, 1), FAR_AWAY, bear_off=BearOff.LOWER_ALLOWED)
    assert frozenset({(3, 0), (6, 5)}) in lower


def test_a_lower_checker_stays_where_the_dies_own_point_is_taken():
    lower = plays(side(p6=1, p4=1, p3=1), (4, 1), FAR_AWAY, bear_off=BearOff.LOWER_ALLOWED)
    assert not any((3, 0) in play and (4, 3) not in play for play in lower)


def test_bearing_off_is_never_forced_where_another_move_of_that_die_exists():
    assert plays(side(p6=1, p2=1), (2, 1)) == {
        frozenset({(2, 0), (6, 5)}),
        frozenset({(6, 5), (5, 3)}),
        frozenset({(6, 4), (2, 1)}),
    }


HIT_WHILE_BEARING_OFF = side(p22=1, p6=2, p5=2)  # ten are off


def test_a_checker_hit_while_bearing_off_comes_home_first_where_the_ruleset_says_so():
    free = plays(HIT_WHILE_BEARING_OFF, (4, 3), side(p23=1))
    bound = plays(HIT_WHILE_BEARING_OFF, (4, 3), side(p23=1), hit_checker_first=True)
    assert any((6, 2) in play for play in free)
    assert {start for play in bound for start, _ in play} == {22, 19}


def test_a_hit_checker_does_not_bind_before_the_first_bear_off():
    whole = side(p22=1, p6=7, p5=7)
    assert plays(whole, (4, 3), side(p23=1)) == plays(whole, (4, 3), side(p23=1), hit_checker_first=True)


def test_a_passed_turn_has_no_play():
    assert plays(side(p24=1), (6, 6), side(p7=2)) == set()


def test_hits_are_worked_out():
    position = Position(side(p8=1), side(p19=1, p24=1))
    play = resolve_hits(position, ((8, 6), (6, 1)))
    assert [move.hits for move in play] == [True, True]


def test_each_preset_moves_by_its_own_fields():
    forms = {name: Movement.of(preset) for name, preset in PRESETS.items()}
    assert forms["tournament"] == forms["standard"] == Movement.of(Ruleset()) == PLAIN
    assert forms["boxed-set"] == PLAIN._replace(bear_off=BearOff.LOWER_ALLOWED)
    assert forms["parker-1994"] == PLAIN._replace(dice_obligation=DiceObligation.ALL)
    assert forms["fundex-5730"] == Movement(
        DiceObligation.LARGER_DIE_SUFFICES, BearOff.HIGHEST_ONLY, hit_checker_first=True
    )
