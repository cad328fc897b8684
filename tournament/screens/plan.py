"""What a screen shows in turn. Pure: to and from what is stored, and nothing else."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

SHORTEST, LONGEST = 4, 120


class Show(StrEnum):
    """The kinds of slides, in the order in which a screen shows them."""

    CALLS = "calls"
    TABLES = "tables"
    BRACKETS = "brackets"
    STANDINGS = "standings"
    SLIDES = "slides"


class Theme(StrEnum):
    DARK = "dark"
    LIGHT = "light"


SECONDS: Mapping[Show, int] = {
    Show.CALLS: 12,
    Show.TABLES: 12,
    Show.BRACKETS: 12,
    Show.STANDINGS: 12,
    Show.SLIDES: 8,
}


@dataclass(frozen=True, slots=True)
class Plan:
    """`seconds` for each slide of the kinds that are shown; no `tournaments`: all of the event."""

    seconds: Mapping[Show, int] = field(default_factory=lambda: dict(SECONDS))
    tournaments: tuple[uuid.UUID, ...] = ()
    theme: Theme = Theme.DARK

    def shows(self, kind: Show) -> bool:
        return kind in self.seconds

    def as_json(self) -> dict[str, Any]:
        return {
            "seconds": {kind.value: seconds for kind, seconds in self.seconds.items()},
            "tournaments": [str(one) for one in self.tournaments],
            "theme": self.theme.value,
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Plan":
        """What was stored; an empty plan is the usual one."""
        seconds = {Show(kind): int(one) for kind, one in stored.get("seconds", {}).items()}
        return cls(
            {kind: seconds[kind] for kind in Show if kind in seconds} or dict(SECONDS),
            tuple(uuid.UUID(one) for one in stored.get("tournaments", ())),
            Theme(stored.get("theme", Theme.DARK)),
        )
