"""The plan of a screen: kinds of slides with their seconds, tournaments, theme. Pure; converts to and from JSON."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

SHORTEST_SECONDS, LONGEST_SECONDS = 4, 120
LONGEST_TURN, SHORTEST_READING = 90, 5
"""Seconds of a whole turn of a screen, and of a slide that is shortened for it."""


class SlideKind(StrEnum):
    """Kinds of slides, in the order of the screen."""

    CALLS = "calls"
    TABLES = "tables"
    BRACKETS = "brackets"
    STANDINGS = "standings"
    SLIDES = "slides"


class Theme(StrEnum):
    DARK = "dark"
    LIGHT = "light"


DEFAULT_SECONDS: Mapping[SlideKind, int] = {
    SlideKind.CALLS: 12,
    SlideKind.TABLES: 12,
    SlideKind.BRACKETS: 12,
    SlideKind.STANDINGS: 12,
    SlideKind.SLIDES: 8,
}


@dataclass(frozen=True, slots=True)
class Plan:
    """`seconds` per slide for each kind that is shown. Empty `tournaments`: all of the event."""

    seconds: Mapping[SlideKind, int] = field(default_factory=lambda: dict(DEFAULT_SECONDS))
    tournaments: tuple[uuid.UUID, ...] = ()
    theme: Theme = Theme.DARK

    def shows(self, kind: SlideKind) -> bool:
        return kind in self.seconds

    def as_json(self) -> dict[str, Any]:
        return {
            "seconds": {kind.value: seconds for kind, seconds in self.seconds.items()},
            "tournaments": [str(tournament_id) for tournament_id in self.tournaments],
            "theme": self.theme.value,
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Plan":
        """An empty plan has the default values."""
        seconds = {SlideKind(kind): int(value) for kind, value in stored.get("seconds", {}).items()}
        return cls(
            {kind: seconds[kind] for kind in SlideKind if kind in seconds} or dict(DEFAULT_SECONDS),
            tuple(uuid.UUID(tournament_id) for tournament_id in stored.get("tournaments", ())),
            Theme(stored.get("theme", Theme.DARK)),
        )


def fit_into_turn(seconds: Sequence[int]) -> list[int]:
    """Shortens the slides of a turn of more than LONGEST_TURN in proportion. None gets less than SHORTEST_READING."""
    total = sum(seconds)
    if total <= LONGEST_TURN:
        return list(seconds)
    return [max(min(own, SHORTEST_READING), own * LONGEST_TURN // total) for own in seconds]
