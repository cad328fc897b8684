"""How a tournament is played, as data: which recipe draws it, and what its director chose of it.

A format is kept with the tournament as JSON. Nothing outside this room and the recipes branches on its kind; the
rest of the program knows graphs, and brackets that are ranked by records.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import Any

from tournament.draw.pairing import Seeding, Stop
from tournament.draw.recipes.order_rules import Separate
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


LONGEST_NOTATION = 60
LIMITS = {
    "dropping": (0, 9),
    "last_chance_rounds": (0, 9),
    "rounds": (0, 99),
    "lives": (1, 9),
    "meetings": (1, 2),
    "groups": (2, 64),
    "qualifiers": (1, 8),
}


@dataclass(frozen=True, slots=True)
class Format:
    """What a director chose. Fields that a kind does not use keep their defaults.

    In a round robin and in groups each pair meets `meetings` times.

    A knock-out may have a match for `third_place`, a `consolation` ("simple", "progressive" from the first
    `dropping` rounds, 0 for all, "feed-in", or a drop notation) and a `last_chance` ("simple", "progressive" or a
    drop notation) that stops after
    `last_chance_rounds`, 0 for the end. In a double elimination `consolation` is the notation of its lower bracket,
    "" for the usual one; with `reset` whoever is beaten in the final for the first time plays again. `rounds`: of
    Swiss and Monrad, of a truncated round robin, of lives that stop then; 0 for all. `lives`: out at this many
    losses. From each of `groups` so many `qualifiers` go on. Rounds paired by records match equals by `seeding` and
    keep those apart whom `separate` names. `standings` say how records are ranked, where they are.
    """

    kind: Kind = Kind.KNOCKOUT
    third_place: bool = False
    consolation: str = ""
    dropping: int = 0
    last_chance: str = ""
    last_chance_rounds: int = 0
    reset: bool = False
    rounds: int = 0
    meetings: int = 1
    lives: int = 3
    stop: Stop = Stop.ONE_LEFT
    groups: int = 4
    qualifiers: int = 2
    seeding: Seeding = Seeding.FOLD
    separate: Separate = Separate.NONE
    standings: StandingRules = field(default_factory=StandingRules)

    def __post_init__(self) -> None:
        for name, least, most in (
            ("rounds", 0, 99),
            ("meetings", 1, 2),
            ("lives", 1, 9),
            ("groups", 2, 64),
            ("qualifiers", 1, 8),
        ):
            value = getattr(self, name)
            if not least <= value <= most:
                raise FormatError(f"The number of {name} is {least} to {most}, not {value}.")
        if len(self.consolation) > LONGEST_NOTATION or len(self.last_chance) > LONGEST_NOTATION:
            raise FormatError(f"A drop notation has at most {LONGEST_NOTATION} characters.")
        if self.kind in (Kind.SWISS, Kind.MONRAD) and self.rounds == 0:
            raise FormatError("Say how many rounds are played.")
        if self.kind == Kind.LIVES and self.stop == Stop.ROUNDS and self.rounds == 0:
            raise FormatError("Say after how many rounds the event stops.")

    @property
    def is_growing(self) -> bool:
        return self.kind in GROWING

    @property
    def is_by_margin(self) -> bool:
        """Whether a difference of points can decide a place."""
        return self.kind not in (Kind.KNOCKOUT, Kind.DOUBLE) and self.standings.is_by_margin

    @property
    def has_sheet(self) -> bool:
        """Whether entries take the lines of a sheet, so that byes and seeds' lines can be drawn."""
        return self.kind in (Kind.KNOCKOUT, Kind.DOUBLE)

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "standings": self.standings.as_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Format:
        """A kept format; what it does not say has its default. Raises FormatError for what cannot be read."""
        names = {one.name for one in fields(cls)}
        values = {name: value for name, value in data.items() if name in names}
        try:
            return cls(
                **{
                    **values,
                    "kind": Kind(values.get("kind", Kind.KNOCKOUT)),
                    "stop": Stop(values.get("stop", Stop.ONE_LEFT)),
                    "seeding": Seeding(values.get("seeding", Seeding.FOLD)),
                    "separate": Separate(values.get("separate", Separate.NONE)),
                    "standings": StandingRules.from_json(values.get("standings", {})),
                }
            )
        except (TypeError, ValueError) as error:
            if isinstance(error, FormatError):
                raise
            raise FormatError("This format was kept by another release and cannot be read.") from error
