"""The tie-breaks and their order for an event: data that a director chooses.

Each member documents its formula; `formulas` computes it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self

from rules.translation import gettext_noop
from tournament.draw.standings.counting import CountingRules, StandingsError


class TieBreak(StrEnum):
    """S(x) is the score of x: wins, and byes and walkovers where they count as wins. R is the last round so far.

    Opponents of unplayed matches have the score of their stand-in (`counting`). Unless stated otherwise the largest
    value is the best. All values are integers except the performance rating.
    """

    SCORE = "score"
    """S(own)."""
    HEAD_TO_HEAD = "head_to_head"
    """Wins in matches among the tied entries. Applies only if all of them met each other equally often.

    Unplayed matches count as met where walkovers count as wins. It is applied once, to all who are tied at that step.
    To apply it again to those still tied, name it again.
    """
    BUCHHOLZ = "buchholz"
    """The sum of S(x) over all opponents x."""
    MEDIAN_BUCHHOLZ = "median_buchholz"
    """Buchholz without the best and the worst score in it; 0 with fewer than three opponents."""
    BUCHHOLZ_WITHOUT_WORST = "buchholz_without_worst"
    """Buchholz without the worst score in it."""
    SONNEBORN_BERGER = "sonneborn_berger"
    """The sum of S(x) over all x beaten, stand-ins included where the unplayed match counts as a win."""
    DEFEATED_SCORES = "defeated_scores"
    """The sum of the played wins of all opponents beaten in play. Byes and walkovers count on neither side.

    It equals Sonneborn-Berger if there were no byes or walkovers, because no match is drawn.
    """
    POINTS_DIFFERENCE = "points_difference"
    """Points won less points lost, as played. Matches with unknown points do not count."""
    CREDITED_DIFFERENCE = "credited_difference"
    """The same, with points credited only up to the match length, and unplayed matches by the rules of the event."""
    CUMULATIVE = "cumulative"
    """The sum of the own score after round 1, after round 2 … after round R: early wins count more."""
    PERFORMANCE_RATING = "performance_rating"
    """The performance rating that is passed in, if all tied entries have one. The smallest is the best."""
    PLAY_OFF = "play_off"
    """Wins in play-off matches among the tied entries. Applies only if each of them played one."""
    LOT = "lot"
    """The number drawn, if all tied entries have one. 1 is the best."""
    LASTED = "lasted"
    """In a lives event: the round of the loss that cost the last life, R for those still in. Later is better."""
    LIVES_LEFT = "lives_left"
    """In a lives event: lives less losses; 0 for eliminated and withdrawn entries."""
    LOSSES = "losses"
    """All losses, walkovers included. The smallest is the best. Used while matches of a group are open, because the
    other tie-breaks grow with the number of matches."""


BY_MARGIN = frozenset({TieBreak.POINTS_DIFFERENCE, TieBreak.CREDITED_DIFFERENCE})
"""These compare margins of matches, which the rule sheet of match play leaves out (CARD-2)."""
OFFERED = tuple(
    tie_break
    for tie_break in TieBreak
    if tie_break not in (TieBreak.PERFORMANCE_RATING, TieBreak.PLAY_OFF, TieBreak.LOSSES)
)
"""The tie-breaks on offer.

Performance ratings and play-offs cannot be entered; tournaments that name them keep them. Losses decide nothing once
all matches of a group are played.
"""
LEAST_IS_BEST = frozenset({TieBreak.PERFORMANCE_RATING, TieBreak.LOT, TieBreak.LOSSES})
DEFAULT_TIE_BREAKS = (
    TieBreak.HEAD_TO_HEAD,
    TieBreak.BUCHHOLZ,
    TieBreak.SONNEBORN_BERGER,
    TieBreak.CREDITED_DIFFERENCE,
)


@dataclass(frozen=True, slots=True)
class StandingRules:
    """The ranking rules of an event: its tie-breaks in order, and the values of unplayed matches.

    The score comes first unless the list names it at another place.
    """

    tie_breaks: tuple[TieBreak, ...] = DEFAULT_TIE_BREAKS
    counting: CountingRules = field(default=CountingRules())

    def __post_init__(self) -> None:
        single = [tie_break for tie_break in self.tie_breaks if tie_break is not TieBreak.HEAD_TO_HEAD]
        if len(set(single)) != len(single):
            raise StandingsError(
                gettext_noop("Name each tie-break once. Only the head-to-head may be repeated.")
            )

    @property
    def criteria(self) -> tuple[TieBreak, ...]:
        if TieBreak.SCORE in self.tie_breaks:
            return self.tie_breaks
        return (TieBreak.SCORE, *self.tie_breaks)

    @property
    def is_by_margin(self) -> bool:
        """True if the margin of a match can decide a place."""
        return not BY_MARGIN.isdisjoint(self.tie_breaks)

    def as_json(self) -> dict[str, Any]:
        return {"tie_breaks": list(self.tie_breaks), "counting": self.counting.as_json()}

    @classmethod
    def from_json(cls, data: object) -> Self:
        """Returns the rules in `data`. Missing values take their defaults. Raises StandingsError for invalid values."""
        if not isinstance(data, dict) or not data.keys() <= {"tie_breaks", "counting"}:
            raise StandingsError(gettext_noop("Standing rules are an object of tie_breaks and counting."))
        names = data.get("tie_breaks", list(DEFAULT_TIE_BREAKS))
        if not isinstance(names, list):
            raise StandingsError(gettext_noop("Tie-breaks are a list in the order in which they apply."))
        return cls(
            tuple(_tie_break(name) for name in names), CountingRules.from_json(data.get("counting", {}))
        )


def _tie_break(name: object) -> TieBreak:
    if name not in list(TieBreak):
        raise StandingsError(
            gettext_noop("There is no tie-break '{name}'; there are {codes}."),
            name=name,
            codes=", ".join(TieBreak),
        )
    return TieBreak(str(name))
