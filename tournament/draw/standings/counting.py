"""What a match that nobody played counts: a win or nothing, and for tie-breaks which opponent, as the event says.

A match that was played always counts as it was played; that is no choice and so not in this room.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, Self


class StandingsError(ValueError):
    """These standings cannot be worked out as asked; the message says why."""


class StandIn(StrEnum):
    """Whose score stands for the opponent of an unplayed match where tie-breaks add up opponents' scores."""

    NOTHING = "nothing"
    """An opponent with a score of 0."""
    OWN_SCORE = "own_score"
    """An opponent with the player's own score, so that sitting out neither helps nor hurts."""
    OPPONENT = "opponent"
    """The one who did not come, as if the match had been played; a bye has none."""


@dataclass(frozen=True, slots=True)
class Unplayed:
    """How one kind of unplayed match counts."""

    wins: bool = True
    """Whoever goes on scores a win; where not, the match counts for neither."""
    credited: bool = False
    """The length of the match to nil is credited, in points difference."""
    stand_in: StandIn = StandIn.OWN_SCORE

    def changed_by(self, data: object) -> Self:
        """The same with what is said in `data`. Raises StandingsError for what it does not know."""
        values = _checked_fields(type(self), data)
        for name in ("wins", "credited"):
            if not isinstance(values.get(name, True), bool):
                raise StandingsError(f"'{name}' is true or false.")
        if "stand_in" in values:
            values["stand_in"] = _stand_in(values["stand_in"])
        return replace(self, **values)


@dataclass(frozen=True, slots=True)
class CountingRules:
    """How byes and walkovers count; two who both lost are two lost walkovers."""

    bye: Unplayed = Unplayed()
    walkover: Unplayed = field(default=Unplayed(stand_in=StandIn.OPPONENT))

    def __post_init__(self) -> None:
        if self.bye.stand_in is StandIn.OPPONENT:
            raise StandingsError("A bye has no opponent whose score could count.")

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: object) -> Self:
        """The rules as told; what is not said is as by default. Raises StandingsError for anything else."""
        default = cls()
        return cls(
            **{
                name: getattr(default, name).changed_by(kind)
                for name, kind in _checked_fields(cls, data).items()
            }
        )


SITTING_OUT_IS_NOTHING = CountingRules(bye=Unplayed(wins=False, stand_in=StandIn.NOTHING))
"""For a whole round robin of an odd number, where everybody sits out once."""


def _checked_fields(kind: type[Any], data: object) -> dict[str, Any]:
    names = [known.name for known in fields(kind)]
    if not isinstance(data, Mapping) or not set(data) <= set(names):
        raise StandingsError(f"Say how matches count as an object of {', '.join(names)}.")
    return dict(data)


def _stand_in(value: object) -> StandIn:
    if value not in list(StandIn):
        raise StandingsError(f"For 'stand_in' choose one of {', '.join(StandIn)}.")
    return StandIn(str(value))
