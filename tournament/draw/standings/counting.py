"""Values of matches that were not played: a win or nothing, and the opponent that tie-breaks use.

A played match always counts as played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, Self

from rules.translation import gettext_noop
from tournament.draw.sentence_error import SentenceError


class StandingsError(SentenceError):
    """These standings cannot be computed. The message says why."""


class StandIn(StrEnum):
    """The score that replaces the opponent's score of an unplayed match in tie-breaks that add up scores."""

    NOTHING = "nothing"
    """An opponent with a score of 0."""
    OWN_SCORE = "own_score"
    """An opponent with the player's own score, so that sitting out neither helps nor hurts."""
    OPPONENT = "opponent"
    """The absent opponent, as if the match had been played. A bye has none."""


@dataclass(frozen=True, slots=True)
class Unplayed:
    """The value of one kind of unplayed match."""

    wins: bool = True
    """The player who advances scores a win. If False, the match counts for neither."""
    credited: bool = False
    """The match length to nil is credited in the points difference."""
    stand_in: StandIn = StandIn.OWN_SCORE

    @property
    def has_own_score(self) -> bool:
        return self.stand_in is StandIn.OWN_SCORE

    def changed_by(self, data: object) -> Self:
        """Returns a copy changed by `data`. Raises StandingsError for unknown values."""
        values = _checked_fields(type(self), data)
        for name in ("wins", "credited"):
            if not isinstance(values.get(name, True), bool):
                raise StandingsError(gettext_noop("'{name}' is true or false."), name=name)
        if "stand_in" in values:
            values["stand_in"] = _stand_in(values["stand_in"])
        return replace(self, **values)


@dataclass(frozen=True, slots=True)
class CountingRules:
    """The values of byes and walkovers. If both lost, each has a lost walkover."""

    bye: Unplayed = Unplayed()
    walkover: Unplayed = field(default=Unplayed(stand_in=StandIn.OPPONENT))

    def __post_init__(self) -> None:
        if self.bye.stand_in is StandIn.OPPONENT:
            raise StandingsError(gettext_noop("A bye has no opponent whose score could count."))

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: object) -> Self:
        """Returns the rules in `data`. Missing values take their defaults. Raises StandingsError for invalid values."""
        default = cls()
        return cls(
            **{
                name: getattr(default, name).changed_by(kind)
                for name, kind in _checked_fields(cls, data).items()
            }
        )


SITTING_OUT_IS_NOTHING = CountingRules(bye=Unplayed(wins=False, stand_in=StandIn.NOTHING))
"""For a complete round robin of an odd number, in which every entry sits out once."""


def _checked_fields(kind: type[Any], data: object) -> dict[str, Any]:
    names = [field_.name for field_ in fields(kind)]
    if not isinstance(data, Mapping) or not set(data) <= set(names):
        raise StandingsError(
            gettext_noop("Give the rules for matches as an object of {names}."), names=", ".join(names)
        )
    return dict(data)


def _stand_in(value: object) -> StandIn:
    if value not in list(StandIn):
        raise StandingsError(gettext_noop("For 'stand_in' choose one of {codes}."), codes=", ".join(StandIn))
    return StandIn(str(value))
