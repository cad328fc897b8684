"""Restores the drops of losers as they were before a swap turned a bye into a match.

A pairing with a bye has no loser. When a swap turns it into a match, it takes its drop from the pairing that now has
the bye, or takes the place of a bye. The old drops are not stored, so they are computed.
"""

from collections.abc import Mapping
from typing import TypeVar

S = TypeVar("S")


def drops_before(
    drops: Mapping[int, tuple[int, S]], became_match: int, bye_went_to: int | None = None
) -> dict[int, tuple[int, S]]:
    """Returns the drop of each pairing (target pairing and seat) while `became_match` still had a bye.

    `bye_went_to` is the pairing it was swapped with. A seat that no drop names was a bye.
    """
    before = dict(drops)
    place = before.pop(became_match, None)
    if place is not None and bye_went_to is not None and bye_went_to not in before:
        before[bye_went_to] = place
        return before
    while place is not None:
        place = before.pop(place[0], None)
    return before
