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


def planned_minutes(length: int) -> float:
    """The minutes that a match to this length is planned to take."""
    return MINUTES_A_LENGTH * length


def length_for_minutes(minutes: int) -> int:
    """The length of the match that is planned to take so many minutes."""
    return max(1, round(minutes / MINUTES_A_LENGTH))


def urgency(matches: Iterable[OpenMatch[PairingKey]], pause: float = PAUSE) -> dict[PairingKey, float]:
    """Minutes from the start of each match to the end of the last one that waits for it, along the longest chain.

    Takes the matches in the order of `open_matches`: each after those that it waits for. Whoever sits in several, as
    in a group, is taken to play them in this order.
    """
    minutes_behind: dict[Hashable, float] = {}
    urgencies: dict[PairingKey, float] = {}
    for match in reversed(tuple(matches)):
        own_labels = (match.key, *map(_Person, match.people))
        minutes = planned_minutes(match.status.length) + max(
            minutes_behind.get(label, 0.0) for label in own_labels
        )
        urgencies[match.key] = minutes
        for label in (*match.after, *own_labels[1:]):
            minutes_behind[label] = max(minutes_behind.get(label, 0.0), minutes + pause)
    return urgencies


class _Person(NamedTuple):
    """A label that no match has."""

    who: Hashable
