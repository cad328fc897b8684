"""The pause of a player between two matches, in minutes.

`room_simulation` schedules each player's pause as an event of its own. All other computations use these functions.
"""

from collections.abc import Iterable
from typing import Final

DEFAULT_PAUSE: Final = 5.0
LONGEST_PAUSE: Final = 120


def end_of_pause(ready: float, pause: float) -> float:
    """Returns the first minute at which players who are free since minute `ready` can start a match."""
    return ready + pause


def ends_after_pause(
    earlier_ends: Iterable[float], minutes: Iterable[float], earliest: float, pause: float
) -> list[float]:
    """Returns the end of a match in each trial: it starts a pause after the matches it waits for, but not before
    `earliest`. A match of 0 minutes is not played and takes no pause.
    """
    return [
        ((start if (start := end + pause) > earliest else earliest) + own_minutes) if own_minutes else end
        for end, own_minutes in zip(earlier_ends, minutes, strict=True)
    ]
