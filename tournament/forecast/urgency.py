"""The urgency of matches without simulation: planned minutes along the longest chain of waiting matches.

The next free table goes to the most urgent match. A forecast is more precise, but takes longer.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Final, NamedTuple

from tournament.draw.graph import PairingKey
from tournament.forecast.open_matches import OpenMatch
from tournament.forecast.pauses import DEFAULT_PAUSE

MINUTES_A_LENGTH: Final = 11.0
"""Minutes that directors plan for each point of a match's length."""


def planned_minutes(length: int) -> float:
    return MINUTES_A_LENGTH * length


def length_for_minutes(minutes: int) -> int:
    """Returns the length of the match that is planned to take this many minutes."""
    return max(1, round(minutes / MINUTES_A_LENGTH))


def urgency(
    matches: Iterable[OpenMatch[PairingKey]], pause: float = DEFAULT_PAUSE
) -> dict[PairingKey, float]:
    """Returns the minutes from the start of each match to the end of the longest chain of matches that wait for it.

    The matches come in the order of `open_matches`: each after those it waits for. A person in several matches, as in a
    group, is assumed to play them in this order.
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
    """A label that differs from every match key."""

    who: Hashable
