"""Two cards pairs each second: what they tell alike, what not, and whose stands by custom."""

from hypothesis import given
from hypothesis import strategies as st

from rules.card import inspect
from rules.card_comparison import Difference, Hint, agreed_score, compare, custom_hint
from rules.ruleset import PRESETS
from rules.score import Ending, Game, Penalty, Side, Win

RULES = PRESETS["tournament"]
LEFT, RIGHT = Side.LEFT, Side.RIGHT
ANA = Game(LEFT)


def lines(*entries, length=11, ruleset=RULES):
    return inspect(entries, length, ruleset).lines


def differences(first, second, **options):
    return [line.differences for line in compare(lines(*first, **options), lines(*second, **options))]


def test_equal_cards_agree_in_every_line():
    entries = [ANA, Penalty(LEFT, 2), Game(RIGHT, Win.GAMMON, cube=2)]
    assert differences(entries, entries) == [(), (), ()]
    assert custom_hint(compare(lines(*entries), lines(*entries))) is None


def test_each_difference_is_named():
    cases = {
        Difference.WINNER: Game(RIGHT),
        Difference.KIND: Game(LEFT, Win.GAMMON),
        Difference.CUBE: Game(LEFT, cube=2),
    }
    for name, game in cases.items():
        assert differences([ANA], [game]) == [(name,)]
    assert differences([ANA], [Game(RIGHT, Win.GAMMON, cube=4)]) == [
        (Difference.WINNER, Difference.KIND, Difference.CUBE)
    ]
    assert differences([ANA], [Penalty(RIGHT, 1)]) == [(Difference.KIND,)]
    assert differences([Penalty(LEFT, 1)], [Penalty(LEFT, 2)]) == [(Difference.POINTS,)]


def test_checkers_left_make_another_score_of_the_same_game():
    sheet = next(preset for preset in PRESETS.values() if preset.uncubed_single.value == "checkers_left")
    first, second = Game(LEFT, checkers_left=3), Game(LEFT, checkers_left=5)
    assert differences([first], [second], length=50, ruleset=sheet) == [(Difference.POINTS,)]


def test_a_resigned_game_equals_a_played_one_and_a_drop_does_not():
    assert differences([ANA], [Game(LEFT, ending=Ending.RESIGNED)]) == [()]
    assert differences([ANA], [Game(LEFT, ending=Ending.DROPPED)]) == [(Difference.KIND,)]


def test_a_card_that_is_behind_misses_lines_and_contradicts_nothing():
    pairs = compare(lines(ANA, ANA), lines(ANA))
    assert [line.differences for line in pairs] == [(), (Difference.MISSING,)]
    assert not any(line.is_contradiction for line in pairs)
    assert custom_hint(pairs) is None


BEN = Game(RIGHT)
GAMMON = Game(LEFT, Win.GAMMON)
LEFT_OUT, MISSING = (Difference.LEFT_OUT,), (Difference.MISSING,)


def test_a_game_missing_on_one_card_is_named_and_later_games_agree():
    full = [ANA, GAMMON, BEN, ANA]
    for place in range(3):
        short = [*full[:place], *full[place + 1 :]]
        expected = [LEFT_OUT if number == place else () for number in range(4)]
        assert differences(full, short) == differences(short, full) == expected
    assert differences(full, full[:3]) == [(), (), (), MISSING]
    pairs = compare(lines(ANA, GAMMON, BEN), lines(ANA, BEN))
    assert custom_hint(pairs) == Hint(RIGHT, "CARD-4", (1, 0))


def test_a_wrong_game_is_paired_with_the_right_one_on_a_tie():
    assert differences([ANA, BEN], [BEN, ANA]) == [(Difference.WINNER,), (Difference.WINNER,)]
    assert differences([ANA, GAMMON, BEN], [ANA, BEN, BEN]) == [(), (Difference.WINNER, Difference.KIND), ()]
    assert differences([ANA, BEN, GAMMON], [ANA, ANA]) == [(), (Difference.WINNER,), MISSING]


def test_cards_with_hundreds_of_lines_are_compared_line_by_line():
    first, second = [Game(LEFT, cube=2)] * 300, [Game(LEFT)] * 301
    options = {"length": 999}
    assert differences(first, second, **options) == [*[(Difference.CUBE,)] * 300, MISSING]


def test_a_single_card_is_the_valid_one():
    assert custom_hint(compare(lines(), lines(ANA))) == Hint(RIGHT, "CARD-3", (0, 0))
    assert custom_hint(compare(lines(ANA), lines())) == Hint(LEFT, "CARD-3", (0, 0))
    assert custom_hint(()) is None


def test_the_card_of_the_player_behind_at_the_agreed_score_is_the_valid_one():
    ahead = [ANA, ANA, Game(RIGHT)]
    pairs = compare(lines(*ahead, ANA, Game(RIGHT, cube=4)), lines(*ahead, Game(RIGHT), Game(RIGHT, cube=4)))
    assert custom_hint(pairs) == Hint(RIGHT, "CARD-4", (2, 1))


def test_no_card_is_valid_by_custom_if_they_differ_from_the_first_game():
    assert custom_hint(compare(lines(ANA), lines(Game(RIGHT)))) == Hint(None, "CARD-4", (0, 0))


GAMES = st.builds(
    Game, st.sampled_from(Side), st.sampled_from(Win), st.just(Ending.PLAYED), st.sampled_from([1, 2, 4])
)
CARDS = st.lists(GAMES, max_size=6)


@given(CARDS, CARDS)
def test_swapping_the_cards_swaps_the_result(first, second):
    here, there = (
        compare(lines(*first, length=99), lines(*second, length=99)),
        compare(lines(*second, length=99), lines(*first, length=99)),
    )
    assert [line.differences for line in here] == [line.differences for line in there]
    assert agreed_score(here) == agreed_score(there)
    assert all(line.is_agreed for line in here) == (first == second)
    if first and second:
        assert custom_hint(here) == custom_hint(there)


@given(CARDS, CARDS)
def test_the_pairs_keep_the_order_of_both_cards(first, second):
    left, right = lines(*first, length=99), lines(*second, length=99)
    pairs = compare(left, right)
    assert [line.left for line in pairs if line.left] == list(left)
    assert [line.right for line in pairs if line.right] == list(right)
    assert all(line.left or line.right for line in pairs)
    assert sum(not line.is_agreed for line in pairs) <= max(len(first), len(second))


@given(CARDS, st.integers(0, 6))
def test_the_agreed_score_is_that_before_the_first_difference(entries, place):
    changed = [
        Game(game.winner.other, game.win, cube=game.cube) if number == place else game
        for number, game in enumerate(entries)
    ]
    pairs = compare(lines(*entries, length=99), lines(*changed, length=99))
    same = lines(*entries[:place], length=99)
    assert agreed_score(pairs) == ((same[-1].after.left, same[-1].after.right) if same else (0, 0))
