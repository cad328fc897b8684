"""What the last players of an event with lives expect before each draw."""

from fractions import Fraction

from tournament.prizes.last_lives import LastLives
from tournament.prizes.worth import CERTAIN


def even(_first, _second):
    return CERTAIN // 2


def test_the_last_three_expect_the_same_whoever_has_the_bye():
    """A tenth of the pot for each of the pair, the rest 3:2:1; after Swiss rounds 1/12 and 32:20:13."""
    for prizes, pair in (((24, 16, 8), 6), ((64, 40, 26), 13)):
        draws = LastLives(prizes, pair, even).possible_draws(dict.fromkeys("ABC", 1))
        assert [draw.bye for draw in draws] == ["A", "B", "C"]
        third = Fraction(sum(prizes) + 2 * pair, 3)
        assert all(set(draw.amounts.values()) == {third} for draw in draws)


def test_every_draw_gives_out_all_prizes_and_more_lives_are_worth_more():
    draws = LastLives((60, 30, 10), 0, even).possible_draws({"A": 2, "B": 1, "C": 1, "D": 1})
    assert [draw.pairs for draw in draws] == [
        (("A", "B"), ("C", "D")),
        (("A", "C"), ("B", "D")),
        (("A", "D"), ("B", "C")),
    ]
    for draw in draws:
        assert sum(draw.amounts.values()) == 100
        assert draw.amounts["A"] > max(draw.amounts[name] for name in "BCD")
