"""Whose loser dropped where, before a seat of the draw was given to another by hand. Pure.

Nobody drops out of a pairing with a bye, so a way down that a pairing has came to it with the match: from the pairing
that has the bye since, or it was the place of a bye itself. That nothing else is kept of it is why this is worked out.
"""

from collections.abc import Mapping
from typing import TypeVar

S = TypeVar("S")


def drops_before(
    drops: Mapping[int, tuple[int, S]], became_match: int, bye_went_to: int | None = None
) -> dict[int, tuple[int, S]]:
    """Each pairing whose loser drops, with the seat of the pairing where to, as it was while `became_match` had a bye.

    `bye_went_to`: the pairing that it was swapped with. A seat that is not told any more was a bye.
    """
    before = dict(drops)
    place = before.pop(became_match, None)
    if place is not None and bye_went_to is not None and bye_went_to not in before:
        before[bye_went_to] = place
        return before
    while place is not None:
        place = before.pop(place[0], None)
    return before
