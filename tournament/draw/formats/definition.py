"""The settings of a tournament's format. They are stored with the tournament as JSON.

Only this package, the recipes, and the words and forms for directors depend on the kind of a format.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import Any

from rules.translation import gettext_noop
from tournament.draw.pairing import Seeding, Stop
from tournament.draw.recipes.order_rules import Separate
from tournament.draw.sentence_error import SentenceError
from tournament.draw.standings import StandingRules


class FormatError(SentenceError):
    """This format cannot be played. The message says why and what to choose instead."""


class Kind(StrEnum):
    KNOCKOUT = "knockout"
    DOUBLE = "double_elimination"
    ROUND_ROBIN = "round_robin"
    GROUPS = "groups"
    SWISS = "swiss"
    MONRAD = "monrad"
    LIVES = "lives"


GROWING = frozenset({Kind.SWISS, Kind.MONRAD, Kind.LIVES})
"""Formats that are drawn round by round from the records so far."""


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
    """The choices of a director. Fields that a kind does not use keep their defaults.

    In round robins and groups each pair meets `meetings` times.

    A knock-out may have a match for `third_place`, a `consolation` ("simple", "progressive" from the first `dropping`
    rounds with 0 for all, "feed-in", or a drop notation) and a `last_chance` ("simple", "progressive" or a drop
    notation) that stops after `last_chance_rounds`, with 0 for no limit. In a double elimination `consolation` is the
    notation of the lower bracket, "" for the default; with `reset` the unbeaten finalist plays a second final after
    losing the first.

    `rounds` is the number of rounds of Swiss and Monrad, of a truncated round robin, and of a lives event that stops by
    rounds; 0 for all. `lives` is the number of losses that eliminates. `qualifiers` of each of the `groups` advance.
    Rounds paired by records match equals by `seeding` and keep apart entries that share `separate`. `standings` are the
    ranking rules for records. `keeps_byes` is not chosen: the draw sets it if players can re-enter in a progressive
    consolation.
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
    keeps_byes: bool = False

    def __post_init__(self) -> None:
        for name in ("rounds", "meetings", "lives", "groups", "qualifiers"):
            least, most = LIMITS[name]
            value = getattr(self, name)
            if not least <= value <= most:
                raise FormatError(
                    gettext_noop("The number of {name} is {least} to {most}, not {value}."),
                    name=name,
                    least=least,
                    most=most,
                    value=value,
                )
        if len(self.consolation) > LONGEST_NOTATION or len(self.last_chance) > LONGEST_NOTATION:
            raise FormatError(
                gettext_noop("A drop notation has at most {most} characters."), most=LONGEST_NOTATION
            )
        if self.kind in (Kind.SWISS, Kind.MONRAD) and self.rounds == 0:
            raise FormatError(gettext_noop("Set the number of rounds."))
        if self.kind == Kind.LIVES and self.stop == Stop.ROUNDS and self.rounds == 0:
            raise FormatError(gettext_noop("Set the number of rounds after which the event stops."))

    @property
    def is_growing(self) -> bool:
        return self.kind in GROWING

    @property
    def is_by_margin(self) -> bool:
        """True if a difference of points can decide a place."""
        return self.kind not in (Kind.KNOCKOUT, Kind.DOUBLE) and self.standings.is_by_margin

    @property
    def has_sheet(self) -> bool:
        """True if entries take lines of a sheet, so that byes and lines of seeds can be drawn."""
        return self.kind in (Kind.KNOCKOUT, Kind.DOUBLE)

    def as_json(self) -> dict[str, Any]:
        data = {**asdict(self), "standings": self.standings.as_json()}
        if not self.keeps_byes:  # only in the recipe of a draw
            del data["keeps_byes"]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Format:
        """Returns a stored format. Missing values take their defaults. Raises FormatError for unreadable values."""
        names = {item.name for item in fields(cls)}
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
            raise FormatError(
                gettext_noop("This format was stored by another release and cannot be read.")
            ) from error
