"""An event at one moment, as a forecast takes it: open matches, rounds not paired yet, tables, what pace was seen."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from tournament.draw.pairing import LivesRules
from tournament.forecast.open_matches import MatchStatus, OpenMatch, Part, Stage
from tournament.forecast.pace import PaceSample
from tournament.forecast.urgency import PAUSE

Key: TypeAlias = Hashable


@dataclass(frozen=True, slots=True)
class GrowingBracket:
    """Rounds still to be paired, each when the one before has ended; `last` is the one paired last, 0 for none.

    `losses` has a number for each player who is still in, `people` says who they are, or nothing. With `lives` it goes
    on until the event is over, otherwise for `rounds` more. `lengths` are those of the rounds to come, the last of them
    for all further ones.
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
        """The round so many after the last, from 1."""
        return Part(self.tournament, self.bracket, self.last + ahead)

    def length(self, ahead: int) -> int:
        return self.lengths[min(ahead, len(self.lengths)) - 1]


@dataclass(frozen=True, slots=True)
class Moment:
    """`matches` are in an order in which each comes after those that it waits for; `tables` None is as many as needed.

    `now` and all other minutes are on one line of time. Somebody of the same name in several tournaments is one person
    and plays one match at a time.
    """

    now: float
    matches: tuple[OpenMatch[Any], ...]
    growing: tuple[GrowingBracket, ...] = ()
    pace_samples: tuple[PaceSample, ...] = ()
    tables: int | None = None
    pause: float = PAUSE

    @property
    def all_pace_samples(self) -> tuple[PaceSample, ...]:
        """What all matches have shown of their pace, the ones under way too."""
        return (*self.pace_samples, *(pace_so_far(match.status, self.now) for match in self.matches))


@dataclass(frozen=True, slots=True)
class PlanChange:
    """What might be done differently: lengths of rounds that have not begun, another number of tables, another pause.

    The length of the first round to come of a growing bracket holds for all of them.
    """

    lengths: Mapping[Part, int] = field(default_factory=dict)
    tables: int | None = None
    pause: float = PAUSE


def apply_change(moment: Moment, change: PlanChange) -> Moment:
    """The same moment with this done differently; matches under way go on as they are."""
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
    """The earliest minute at which it could start, as far as no other match says."""
    ready = moment.now if match.status.ready is None else match.status.ready + moment.pause
    return max(moment.now, ready, match.earliest or moment.now)


def pace_so_far(status: MatchStatus, now: float) -> PaceSample:
    """What an open match has shown by now; nothing where it has not begun."""
    minutes = 0.0 if status.began is None else max(0.0, now - status.began)
    return PaceSample(status.length, status.left + status.right, minutes, is_over=False)
