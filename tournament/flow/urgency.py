"""What holds the event up most, without simulation: planned minutes along the longest chain of matches to come.

The next free table goes by it. A forecast says more, and takes longer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tournament.draw.graph import PairingKey
from tournament.flow.open_matches import OpenMatch

MINUTES_A_LENGTH: Final = 11.0
"""What directors plan for each point of a match's length."""

PAUSE: Final = 5.0
"""Minutes between a match and the next of the same player, where nobody says otherwise."""


def planned(length: int) -> float:
    """The minutes that a match to this length is planned to take."""
    return MINUTES_A_LENGTH * length


def urgency(matches: Iterable[OpenMatch[PairingKey]], pause: float = PAUSE) -> dict[PairingKey, float]:
    """Minutes from the start of each match to the end of the last one that waits for it, along the longest chain.

    Takes the matches in the order of `open_matches`: each after those that it waits for.
    """
    behind: dict[PairingKey, float] = {}
    found: dict[PairingKey, float] = {}
    for one in reversed(tuple(matches)):
        minutes = planned(one.known.length) + behind.get(one.key, 0.0)
        found[one.key] = minutes
        for key in one.after:
            behind[key] = max(behind.get(key, 0.0), minutes + pause)
    return found
