"""Prize structures in another currency: the same numbers, in its minor units. Pure.

50.00 EUR becomes 50 JPY, because yen have no decimals. Halves are rounded up. A prize and a unit stay above zero, and
no amount exceeds the largest one.
"""

from collections.abc import Iterable
from dataclasses import replace

from tournament.fees.amounts import MOST_MINOR_UNITS
from tournament.fees.other_currency import moved, shift_between
from tournament.prizes.structure import Part, PrizeStructure


def with_other_currency(structure: PrizeStructure, currency: str) -> PrizeStructure:
    """The structure with its numbers as amounts of this currency."""
    shift = shift_between(structure.currency, currency)
    return replace(
        structure,
        currency=currency,
        parts=parts_in_other_currency(structure.parts, structure.currency, currency),
        added=_amount(structure.added, shift),
        yearly=_amount(structure.yearly, shift),
        guaranteed=_amount(structure.guaranteed, shift),
        series_minor=_amount(structure.series_minor, shift),
        unit=max(_amount(structure.unit, shift), 1) if structure.unit > 1 else 1,
        minimum=_amount(structure.minimum, shift),
        pools=tuple(replace(pool, added=_amount(pool.added, shift)) for pool in structure.pools),
    )


def parts_in_other_currency(parts: Iterable[Part], currency: str, other: str) -> tuple[Part, ...]:
    """The parts with their fixed amounts of `currency` as amounts of the other one."""
    shift = shift_between(currency, other)
    return tuple(
        replace(part, minor=max(_amount(part.minor, shift), 1)) if part.minor else part for part in parts
    )


def _amount(minor: int, shift: int) -> int:
    return min(moved(minor, shift), MOST_MINOR_UNITS)
