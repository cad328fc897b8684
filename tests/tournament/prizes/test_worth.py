"""What players can expect to win, exactly and by a sample."""

import itertools
import random
from fractions import Fraction

from tournament.prizes.worth import CERTAIN, FromMatch, RemainingMatch, Taken, expected_awards, mean_of

FINAL = [RemainingMatch("final", "A", "B")]


def even(_match, _left, _right):
    return CERTAIN // 2


def winner_takes(first, second, last="final"):
    def awards(results):
        played = results[last]
        return {played.winner: first, played.loser: second}

    return awards


def bracket(size):
    """A knock-out without byes: players 1 to `size`."""
    seats, number, matches = list(range(1, size + 1)), 0, []
    while len(seats) > 1:
        later = []
        for left, right in zip(seats[::2], seats[1::2], strict=True):
            number += 1
            matches.append(RemainingMatch(number, left, right))
            later.append(FromMatch(number, Taken.WINNER))
        seats = later
    return matches


def test_a_final_is_worth_the_fair_split():
    worth = expected_awards(FINAL, lambda *_match: 600, winner_takes(600_00, 230_00), random.Random())
    assert (worth.amounts, worth.trials) == ({"A": 452_00, "B": 378_00}, 0)


def test_a_sample_keeps_the_sum_and_gives_the_same_amounts_with_the_same_seed():
    matches = bracket(16)
    first, again = (
        expected_awards(matches, even, winner_takes(1000, 500, 15), random.Random("a seed")) for _ in range(2)
    )
    assert first == again
    assert sum(first.amounts.values()) == 1500
    assert all(abs(amount - Fraction(1500, 16)) < 40 for amount in first.amounts.values())


def test_a_sample_ends_once_its_error_is_small_enough():
    ends = itertools.cycle([{"Ann": 60, "Ben": 40}, {"Ann": 40, "Ben": 60}])
    worth = mean_of(itertools.islice(ends, 1000), enough=1)
    assert (worth.trials, worth.error) == (50, 1)
    assert mean_of(itertools.islice(ends, 1000)).trials == 1000


def test_an_unbeaten_loser_of_the_final_plays_again_and_a_beaten_one_does_not():
    matches = [
        *FINAL,
        RemainingMatch("again", FromMatch("final", Taken.WINNER), FromMatch("final", Taken.FIRST_LOSS)),
    ]
    worth = expected_awards(matches, even, winner_takes(400, 0, "again"), random.Random())
    assert worth.amounts == {"A": 300, "B": 100, None: 0}
