"""An event at one moment, as input of a forecast: open matches, unpaired rounds, tables and pace samples."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from tournament.draw.pairing import LivesRules
from tournament.forecast.open_matches import MatchStatus, OpenMatch, Part, Stage
from tournament.forecast.pace import PaceSample
from tournament.forecast.pauses import DEFAULT_PAUSE, end_of_pause

Key: TypeAlias = Hashable


@dataclass(frozen=True, slots=True)
class GrowingBracket:
    """Rounds still to be paired, each when the one before has ended. `last` is the number of the last paired round.

    `losses` has a number for each player who is still in. `people` names these players, or is empty. With `lives`
    rounds continue until the event is over, otherwise there are `rounds` more. `lengths` are those of the coming
    rounds; the last one applies to all further rounds.
    """

    tournament: str
    bracket: str
    last: int
    losses: tuple[int, ...]
    lengths: tuple[int, ...]
    rounds: int = 0
    lives: LivesRules | None = None
    earliest: float | None = None
    people: tuple[Key, ...] = ()
    is_session: bool = False

    def part(self, ahead: int) -> Part:
        """Returns the round `ahead` rounds after the last paired one, from 1."""
        return Part(self.tournament, self.bracket, self.last + ahead)

    def length(self, ahead: int) -> int:
        return self.lengths[min(ahead, len(self.lengths)) - 1]


@dataclass(frozen=True, slots=True)
class Moment:
    """An event at minute `now`. Each match comes after the matches it waits for. `tables` None means no limit.

    All minutes are on one time line. People with the same name in several tournaments are one person and play one match
    at a time.
    """

    now: float
    matches: tuple[OpenMatch[Any], ...]
    growing: tuple[GrowingBracket, ...] = ()
    pace_samples: tuple[PaceSample, ...] = ()
    tables: int | None = None
    pause: float = DEFAULT_PAUSE

    @property
    def all_pace_samples(self) -> tuple[PaceSample, ...]:
        """Pace samples of decided and open matches."""
        return (*self.pace_samples, *(pace_so_far(match.status, self.now) for match in self.matches))


@dataclass(frozen=True, slots=True)
class PlanChange:
    """A change to simulate: lengths of rounds that have not begun, the number of tables, the pause.

    The length of the first coming round of a growing bracket applies to all its coming rounds.
    """

    lengths: Mapping[Part, int] = field(default_factory=dict)
    tables: int | None = None
    pause: float = DEFAULT_PAUSE


def apply_change(moment: Moment, change: PlanChange) -> Moment:
    """Returns the moment with this change. Matches under way are unchanged."""
    return replace(
        moment,
        matches=tuple(_with_length(match, change.lengths.get(match.part)) for match in moment.matches),
        growing=tuple(
            _growing_with_length(growing, change.lengths.get(growing.part(1))) for growing in moment.growing
        ),
        tables=change.tables,
        pause=change.pause,
    )


def _with_length(match: OpenMatch[Any], length: int | None) -> OpenMatch[Any]:
    if length is None or match.stage == Stage.PLAYING:
        return match
    return replace(match, status=match.status._replace(length=length))


def _growing_with_length(growing: GrowingBracket, length: int | None) -> GrowingBracket:
    return growing if length is None else replace(growing, lengths=(length,))


def earliest_start(match: OpenMatch[Any], moment: Moment) -> float:
    """Returns the earliest minute at which the match can start, without regard to other matches."""
    ready = moment.now if match.status.ready is None else end_of_pause(match.status.ready, moment.pause)
    return max(moment.now, ready, match.earliest or moment.now)


def pace_so_far(status: MatchStatus, now: float) -> PaceSample:
    """Returns the pace sample of an open match; zero minutes if it has not begun."""
    minutes = 0.0 if status.began is None else max(0.0, now - status.began)
    return PaceSample(status.length, status.left + status.right, minutes, is_over=False)
