"""Rounds prizes down to the unit of the structure, and gives first place what rounding left over. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from tournament.prizes.places import Award, EntryT

NOTHING = Fraction(0)


def round_down(due: Fraction, unit: int) -> int:
    return int(due // unit) * unit


def shared_prize(prizes: Sequence[Fraction], entries: int) -> Fraction:
    """The exact amount of each of so many equal entries that share these prizes."""
    return sum(prizes, NOTHING) / entries if prizes else NOTHING


def with_rest(awards: Sequence[Award[EntryT]], line: str, rest: int) -> list[Award[EntryT]]:
    """Adds what rounding left to the awards of first place, equally if several share it."""
    first = [award for award in awards if award.line == line or award.line.startswith(f"{line}-")]
    more = rest // len(first) if first else 0
    return [replace(award, minor=award.minor + more) if award in first else award for award in awards]
