"""The tie-breaks there are, and the ordered list of an event: data that a director chooses from.

What each of them counts is said here, member by member; `formulas` works it out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self

from tournament.draw.standings.counting import CountingRules, StandingsError


class TieBreak(StrEnum):
    """S(x) is the score of x: wins, and byes and walkovers where they count as wins. R is the last round so far.

    Opponents of unplayed matches have the score that their stand-in has (`counting`). The most is the best,
    where nothing else is said. All are whole numbers but the performance rating.
    """

    SCORE = "score"
    """S(own)."""
    HEAD_TO_HEAD = "head_to_head"
    """Wins in matches among those tied; only where all of them met each other, and equally often.

    Unplayed ones count as met where walkovers count as wins. It is asked once, of all who are tied when its turn
    comes: who is to ask again those still tied names it again.
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
    """The sum of the wins at the board of all beaten at the board: byes and walkovers count on neither side.

    It equals Sonneborn-Berger, since no match is drawn, wherever nobody had a bye or a walkover.
    """
    POINTS_DIFFERENCE = "points_difference"
    """Points won less points lost, as played; matches whose points are not known count for nothing."""
    CREDITED_DIFFERENCE = "credited_difference"
    """The same with no more points credited for a match than its length, unplayed ones as the event says."""
    CUMULATIVE = "cumulative"
    """The sum of the own score after round 1, after round 2 ... after round R: early wins count more."""
    PERFORMANCE_RATING = "performance_rating"
    """The performance rating handed in, where all tied have one; the least is the best."""
    PLAY_OFF = "play_off"
    """Wins in play-off matches among those tied; only where each of them played one."""
    LOT = "lot"
    """The number drawn, where all tied have one; 1 is the best."""
    LASTED = "lasted"
    """In a lives event: the round of the loss that cost the last life, later is better; R for those still in."""
    LIVES_LEFT = "lives_left"
    """In a lives event: lives less losses; 0 for those who are out and those who withdrew."""


BY_MARGIN = frozenset({TieBreak.POINTS_DIFFERENCE, TieBreak.CREDITED_DIFFERENCE})
"""These compare by how much matches were won, which the rule sheet of match play leaves out (CARD-2)."""
OFFERED = tuple(one for one in TieBreak if one not in (TieBreak.PERFORMANCE_RATING, TieBreak.PLAY_OFF))
"""What can be chosen. Nobody can enter performance ratings or play-offs; tournaments that name them keep them."""
LEAST_IS_BEST = frozenset({TieBreak.PERFORMANCE_RATING, TieBreak.LOT})
DEFAULT_TIE_BREAKS = (
    TieBreak.HEAD_TO_HEAD,
    TieBreak.BUCHHOLZ,
    TieBreak.SONNEBORN_BERGER,
    TieBreak.CREDITED_DIFFERENCE,
)


@dataclass(frozen=True, slots=True)
class StandingRules:
    """How an event ranks by records: its tie-breaks in order, and what unplayed matches count.

    The score comes before all of them unless the list names it at another place.
    """

    tie_breaks: tuple[TieBreak, ...] = DEFAULT_TIE_BREAKS
    counting: CountingRules = field(default=CountingRules())

    def __post_init__(self) -> None:
        single = [tie_break for tie_break in self.tie_breaks if tie_break is not TieBreak.HEAD_TO_HEAD]
        if len(set(single)) != len(single):
            raise StandingsError("Name each tie-break once; only the head-to-head may be asked again.")

    @property
    def criteria(self) -> tuple[TieBreak, ...]:
        """All that is compared, in order."""
        if TieBreak.SCORE in self.tie_breaks:
            return self.tie_breaks
        return (TieBreak.SCORE, *self.tie_breaks)

    @property
    def is_by_margin(self) -> bool:
        """Whether the margin of a match can decide a place."""
        return not BY_MARGIN.isdisjoint(self.tie_breaks)

    def as_json(self) -> dict[str, Any]:
        return {"tie_breaks": list(self.tie_breaks), "counting": self.counting.as_json()}

    @classmethod
    def from_json(cls, data: object) -> Self:
        """The rules as told; what is not said is as by default. Raises StandingsError for anything else."""
        if not isinstance(data, dict) or not data.keys() <= {"tie_breaks", "counting"}:
            raise StandingsError("Standing rules are an object of tie_breaks and counting.")
        names = data.get("tie_breaks", list(DEFAULT_TIE_BREAKS))
        if not isinstance(names, list):
            raise StandingsError("Tie-breaks are a list, the first to be asked first.")
        return cls(
            tuple(_tie_break(name) for name in names), CountingRules.from_json(data.get("counting", {}))
        )


def _tie_break(name: object) -> TieBreak:
    if name not in list(TieBreak):
        raise StandingsError(f"There is no tie-break '{name}'; there are {', '.join(TieBreak)}.")
    return TieBreak(str(name))
