"""How a tournament is played, as data: which recipe draws it, and what its director chose of it.

A format is kept with the tournament as JSON. Nothing outside this room and the recipes branches on its kind; the
rest of the program knows graphs, and brackets that are ranked by records.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import Any

from tournament.draw.standings import StandingRules


class FormatError(ValueError):
    """This format cannot be played; the message says why and what to choose instead."""


class Kind(StrEnum):
    KNOCKOUT = "knockout"
    DOUBLE = "double_elimination"
    ROUND_ROBIN = "round_robin"
    GROUPS = "groups"
    SWISS = "swiss"
    MONRAD = "monrad"
    LIVES = "lives"


GROWING = frozenset({Kind.SWISS, Kind.MONRAD, Kind.LIVES})
"""Drawn round by round, each from the records so far."""


class Separate(StrEnum):
    """Whom the draw keeps apart for as long as it can."""

    NOBODY = "nobody"
    CLUB = "club"
    COUNTRY = "country"


class Stop(StrEnum):
    """When an event with lives is over."""

    ONE_LEFT = "one_left"
    BELOW = "below"
    ROUNDS = "rounds"


@dataclass(frozen=True, slots=True)
class Format:
    """What a director chose. Fields that a kind does not use keep their defaults.

    `consolation` and `last_chance` are drop notations, "" for none; `drops` that of the lower half of a double
    elimination, "" for the usual one at this size. `rounds`: of Swiss and Monrad, of a truncated round robin, of
    lives that stop then; 0 for all. `lives`: out at this many losses. `groups` of a group stage, from each of which
    `qualifiers` go on. `standings` say how records are ranked, where they are.
    """

    kind: Kind = Kind.KNOCKOUT
    third_place: bool = False
    consolation: str = ""
    last_chance: str = ""
    drops: str = ""
    reset: bool = True
    rounds: int = 0
    lives: int = 3
    stop: Stop = Stop.ONE_LEFT
    groups: int = 4
    qualifiers: int = 2
    separate: Separate = Separate.NOBODY
    standings: StandingRules = field(default_factory=StandingRules)

    def __post_init__(self) -> None:
        for name, least, most in (
            ("rounds", 0, 99),
            ("lives", 1, 9),
            ("groups", 2, 64),
            ("qualifiers", 1, 8),
        ):
            value = getattr(self, name)
            if not least <= value <= most:
                raise FormatError(f"The number of {name} is {least} to {most}, not {value}.")
        if self.kind in (Kind.SWISS, Kind.MONRAD) and self.rounds == 0:
            raise FormatError("Say how many rounds are played.")
        if self.kind == Kind.LIVES and self.stop == Stop.ROUNDS and self.rounds == 0:
            raise FormatError("Say after how many rounds the event stops.")

    @property
    def is_growing(self) -> bool:
        return self.kind in GROWING

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "standings": self.standings.as_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Format:
        """A kept format; what it does not say has its default. Raises FormatError for what cannot be read."""
        known = {one.name for one in fields(cls)}
        given = {name: value for name, value in data.items() if name in known}
        try:
            return cls(
                **{
                    **given,
                    "kind": Kind(given.get("kind", Kind.KNOCKOUT)),
                    "stop": Stop(given.get("stop", Stop.ONE_LEFT)),
                    "separate": Separate(given.get("separate", Separate.NOBODY)),
                    "standings": StandingRules.from_json(given.get("standings", {})),
                }
            )
        except (TypeError, ValueError) as wrong:
            if isinstance(wrong, FormatError):
                raise
            raise FormatError("This format was kept by another release and cannot be read.") from wrong
