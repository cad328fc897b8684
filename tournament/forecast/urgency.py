"""What holds the event up most, without simulation: planned minutes along the longest chain of matches to come.

The next free table goes by it. A forecast says more, and takes longer.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Final, NamedTuple

from tournament.draw.graph import PairingKey
from tournament.forecast.open_matches import OpenMatch

MINUTES_A_LENGTH: Final = 11.0
"""What directors plan for each point of a match's length."""

PAUSE: Final = 5.0
"""Minutes between a match and the next of the same player, where nobody says otherwise."""


def planned(length: int) -> float:
    """The minutes that a match to this length is planned to take."""
    return MINUTES_A_LENGTH * length


def length_in(minutes: int) -> int:
    """The length of the match that is planned to take so many minutes."""
    return max(1, round(minutes / MINUTES_A_LENGTH))


def urgency(matches: Iterable[OpenMatch[PairingKey]], pause: float = PAUSE) -> dict[PairingKey, float]:
    """Minutes from the start of each match to the end of the last one that waits for it, along the longest chain.

    Takes the matches in the order of `open_matches`: each after those that it waits for. Whoever sits in several, as
    in a group, is taken to play them in this order.
    """
    behind: dict[Hashable, float] = {}
    found: dict[PairingKey, float] = {}
    for one in reversed(tuple(matches)):
        own = (one.key, *map(_Person, one.people))
        minutes = planned(one.known.length) + max(behind.get(label, 0.0) for label in own)
        found[one.key] = minutes
        for label in (*one.after, *own[1:]):
            behind[label] = max(behind.get(label, 0.0), minutes + pause)
    return found


class _Person(NamedTuple):
    """A label that no match has."""

    who: Hashable
