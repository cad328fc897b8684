"""Public dice have one canonical text, so one throw gives one draw."""

from itertools import permutations, product

import pytest

from tournament.draw.public_draw.proof_version_1 import CommitmentError
from tournament.draw.public_draw.public_chance import PublicChance, PublicSource

THROWS = ("31", "52", "66")
WITHIN = ("", "-", "/", ":")
BETWEEN = (" ", ", ", "; ", "  ", " + ", "\t", "", ".")


def spellings() -> set[str]:
    """Ways to write three throws down: either die first, with any sign within and between them."""
    turned = product(*({throw, throw[::-1]} for throw in THROWS))
    return {
        between.join(within.join(throw) for throw in throws)
        for throws in turned
        for within in WITHIN
        for between in BETWEEN
    }


def test_three_throws_have_one_canonical_text() -> None:
    assert len(spellings()) > 112
    assert {PublicChance().canonical_text(typed) for typed in spellings()} == {"31 52 66"}


def test_the_order_of_the_throws_counts() -> None:
    assert len({PublicChance().canonical_text(" ".join(throws)) for throws in permutations(THROWS)}) == 6


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        (" \n", "Throw dice"),
        ("31 52", "3 throws of two dice"),
        ("31 52 66 11", "3 throws of two dice"),
        ("31 52 6", "3 throws of two dice"),
        ("31 52 67", "from 1 to 6"),
        ("31 52 66 please", "from 1 to 6"),
        ("٣١ ٥٢ ٦٦", "from 1 to 6"),
        ("three one", "from 1 to 6"),
    ],
)
def test_other_texts_are_refused(typed: str, why: str) -> None:
    with pytest.raises(CommitmentError, match=why):
        PublicChance().canonical_text(typed)


def test_a_public_number_has_the_announced_number_of_digits() -> None:
    lottery = PublicChance(PublicSource.NUMBER, 6, "Lottery of Saturday")
    assert lottery.canonical_text(" 012 345 ") == "012345"
    for typed in ("12345", "1234567", "12345x", "1,2,3,4,5,6", ""):
        with pytest.raises(CommitmentError):
            lottery.canonical_text(typed)


@pytest.mark.parametrize(
    ("kind", "count", "description"),
    [
        (PublicSource.DICE, 0, ""),
        (PublicSource.DICE, 13, ""),
        (PublicSource.NUMBER, 41, "x"),
        (PublicSource.NUMBER, 6, " "),
    ],
)
def test_an_invalid_public_source_is_refused(kind: PublicSource, count: int, description: str) -> None:
    with pytest.raises(CommitmentError):
        PublicChance(kind, count, description)


def test_a_stored_closing_can_be_read() -> None:
    for chance in (PublicChance(), PublicChance(PublicSource.NUMBER, 6, "Lottery")):
        assert PublicChance.from_json(chance.as_json()) == chance
