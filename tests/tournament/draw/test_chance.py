"""The lot: a seed always gives the same draw, and all draws are equally likely."""

from collections import Counter
from hashlib import sha256
from itertools import islice, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.draw.chance import below, shuffle, stream

GOLDEN_NUMBERS = [
    2691103598046076602,
    15472130312429201489,
    15580837916127518820,
    8247288127059561034,
    2224604853203740711,
]
GOLDEN_DRAWS = {
    "monte carlo": [13, 10, 12, 2, 4, 7, 6, 16, 5, 9, 14, 8, 1, 3, 15, 11],
    "Kyōto 2024": [9, 15, 11, 1, 7, 16, 2, 10, 13, 3, 12, 6, 5, 8, 4, 14],
    "0": [2, 16, 8, 12, 4, 9, 11, 10, 7, 1, 15, 14, 13, 3, 6, 5],
}


def test_the_numbers_of_a_seed_are_the_bytes_of_its_published_hashes() -> None:
    first, second = sha256(b"monte carlo/0").digest(), sha256(b"monte carlo/1").digest()
    expected = [int.from_bytes((first + second)[at : at + 8], "big") for at in range(0, 64, 8)]
    assert list(islice(stream("monte carlo"), 8)) == expected


def test_the_numbers_of_a_seed_never_change() -> None:
    assert list(islice(stream("monte carlo"), 5)) == GOLDEN_NUMBERS


@pytest.mark.parametrize("seed", list(GOLDEN_DRAWS))
def test_the_draw_of_a_seed_never_changes(seed: str) -> None:
    assert shuffle(range(1, 17), seed) == GOLDEN_DRAWS[seed]


def redo_by_hand(items: list[int], seed: str) -> list[int]:
    """A second implementation of the four written steps."""
    digits = "".join(sha256(f"{seed}/{block}".encode()).hexdigest() for block in range(len(items)))
    words = [int(digits[at : at + 16], 16) for at in range(0, len(digits), 16)]
    items = list(items)
    for last in reversed(range(1, len(items))):
        while words[0] >= 2**64 // (last + 1) * (last + 1):
            del words[0]
        j = words.pop(0) % (last + 1)
        items[last], items[j] = items[j], items[last]
    return items


@given(st.lists(st.integers(), max_size=40), st.text(max_size=10))
def test_a_stranger_who_follows_the_written_steps_gets_the_same_draw(items: list[int], seed: str) -> None:
    assert shuffle(items, seed) == redo_by_hand(items, seed)


@given(st.lists(st.integers()), st.text())
def test_a_shuffle_loses_nobody(items: list[int], seed: str) -> None:
    assert Counter(shuffle(items, seed)) == Counter(items)


def test_a_number_that_would_bias_the_lot_is_dropped() -> None:
    numbers = iter([2**64 - 1, 2**64 - 2, 5])
    assert below(numbers, 2**63 + 1) == 5
    assert below(iter([2**64 - 1]), 2**64) == 2**64 - 1
    assert below(iter([7]), 1) == 0


@pytest.mark.parametrize("n", [0, -1, 2**64 + 1])
def test_a_number_below_zero_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="below 1 to"):
        below(stream("any"), n)


def test_every_order_of_four_comes_up_about_as_often() -> None:
    orders = Counter(tuple(shuffle("abcd", f"seed {n}")) for n in range(4800))
    assert set(orders) == set(permutations("abcd"))
    chi_squared = sum((number - 200) ** 2 / 200 for number in orders.values())
    assert chi_squared < 49.7  # one in a thousand for 23 degrees of freedom
