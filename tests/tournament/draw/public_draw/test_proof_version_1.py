"""The seed text from secret, dice and entry list: it never changes, and every input counts."""

from hashlib import sha256

import pytest

from tournament.draw.public_draw.proof_version_1 import (
    CommitmentError,
    entries_hash,
    entries_text,
    public_text,
    secret_hash,
    seed_text,
)
from tournament.draw.recipes import Byes, Entrant, OrderRules, SeededLines, Separate

SECRET = "00112233445566778899aabbccddeeff" * 2
FIELD = [
    Entrant("e1", 2, "BC  Adria", "CRO", "Coast"),
    Entrant("e2", None, "", "GEO"),
    Entrant("e3", 1),
]
RULES = OrderRules(Byes.BY_HAND, SeededLines.DRAWN, Separate.CLUB, 2, ("e3",))


def test_the_hashed_text_of_the_entries() -> None:
    assert entries_text(FIELD, RULES) == (
        "byes\tby_hand\tdrawn\tclub\t2\te3\n"
        "e1\t2\tBC Adria\tCRO\tCoast\n"
        "e2\t-\t\tGEO\t\n"
        "e3\t1\t\t\t\n"
    )  # fmt: skip
    assert entries_hash(FIELD, RULES) == sha256(entries_text(FIELD, RULES).encode()).hexdigest()


def test_the_hashes_never_change() -> None:
    assert secret_hash(SECRET) == sha256(SECRET.encode()).hexdigest()
    assert secret_hash(SECRET) == "2a8abfa8cb9906290437854193ca6bca41d4d4e26d1d454bd66a35158095e737"
    assert entries_hash(FIELD, RULES) == "d520b878ed99ac5c3db4fe52f10df27ec68fd961357642763b3c9b78624ae724"
    assert (
        seed_text(SECRET, "31 52 66", entries_hash(FIELD, RULES), 1)
        == "3463f9501188192fafd7292f3490b90d504c8f05cb1a2750ae16a11ead8c6bd4"
    )


def test_the_seed_text_is_the_hash_of_five_lines() -> None:
    text = f"backgammon draw v1\n{SECRET}\n31 52\nabc\n7"
    assert seed_text(SECRET, "31 52", "abc", 7) == sha256(text.encode()).hexdigest()


def test_every_input_changes_the_seed_text() -> None:
    listed = entries_hash(FIELD, RULES)
    seeds = {
        seed_text(SECRET, "31 52", listed, 1),
        seed_text(SECRET, "31 53", listed, 1),
        seed_text(SECRET, "31 52", listed, 2),
        seed_text(SECRET[::-1], "31 52", listed, 1),
        seed_text(SECRET, "31 52", entries_hash(FIELD[::-1], RULES), 1),
        seed_text(SECRET, "31 52", entries_hash(FIELD, OrderRules()), 1),
    }
    assert len(seeds) == 6


def test_dice_are_the_same_however_they_are_spaced() -> None:
    assert public_text("  31\t52\n 66 ") == "31 52 66"
    assert seed_text(SECRET, " 31  52", "abc", 1) == seed_text(SECRET, "31 52", "abc", 1)


@pytest.mark.parametrize(("typed", "why"), [(" \n", "Throw dice"), ("6" * 101, "100 characters")])
def test_dice_must_be_thrown(typed: str, why: str) -> None:
    with pytest.raises(CommitmentError, match=why):
        seed_text(SECRET, typed, "abc", 1)


@pytest.mark.parametrize("secret", ["", SECRET[1:], SECRET.upper(), SECRET + "\n", "g" * 64])
def test_a_secret_is_written_in_one_way_only(secret: str) -> None:
    with pytest.raises(CommitmentError, match="64 hexadecimal digits"):
        secret_hash(secret)


@pytest.mark.parametrize("entry", ["", "a b", "a\tb", "a,b", "a\n"])
def test_an_id_cannot_be_read_in_two_ways(entry: str) -> None:
    with pytest.raises(CommitmentError, match="neither spaces nor commas"):
        entries_text([Entrant(entry)], OrderRules())
