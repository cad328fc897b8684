"""Forecasts the likely ends of matches, rounds, brackets, tournaments and the event, and the matches that delay it.

Eight of ten ends fall into the interval. It leaves out a tenth of the trials on either side, and one trial less on each
side if there are few, because few trials say little about rare ends.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

from tournament.forecast.minute_columns import Column, RandomSource
from tournament.forecast.moment import Moment
from tournament.forecast.open_matches import Part
from tournament.forecast.pace import Pace, estimate_pace
from tournament.forecast.simulation import Simulation, latest_ends, simulate

TRIALS: Final = 2000
FEWEST_TRIALS: Final = 40
"""Enough trials for intervals that are as reliable as with more."""
LIVES_PLANS: Final = 20
"""The number of simulated courses of lives events."""
TAIL: Final = 0.1

Label = TypeVar("Label", bound=Hashable)


class EndInterval(NamedTuple):
    """An end in minutes. One of ten is earlier than `early`, one of ten later than `late`."""

    early: float
    middle: float
    late: float


class DelayingMatch(NamedTuple):
    """A match, and the share of trials whose end it delayed."""

    key: Hashable
    share: float


@dataclass(frozen=True, slots=True)
class Forecast:
    """`event` is None if nothing is left to play. `delaying` are open matches, the largest share first.

    Only rounds and brackets with open matches are included. Matches that are not paired yet have no entry in `matches`.
    """

    pace: Pace
    event: EndInterval | None
    tournaments: Mapping[str, EndInterval]
    brackets: Mapping[tuple[str, str], EndInterval]
    rounds: Mapping[Part, EndInterval]
    matches: Mapping[Hashable, EndInterval]
    delaying: tuple[DelayingMatch, ...]


def forecast(moment: Moment, chance: RandomSource, trials: int = TRIALS) -> Forecast:
    """Returns the forecast. The same moment and source of randomness give the same forecast."""
    pace = estimate_pace(moment.all_pace_samples)
    plans = LIVES_PLANS if any(growing.lives for growing in moment.growing) else 1
    ends = _EndColumns()
    delays: Counter[Hashable] = Counter()
    traced = 0
    for _ in range(plans):
        simulation = simulate(moment, pace, chance, trials // plans)
        ends.add(simulation)
        delays += simulation.delays
        traced += simulation.traced
    keys = [match.key for match in moment.matches]
    return Forecast(
        pace=pace,
        event=_interval(ends.event) if ends.event else None,
        tournaments=_intervals(ends.tournaments),
        brackets=_intervals(ends.brackets),
        rounds=_intervals(ends.rounds),
        matches={key: _interval(ends.matches[key]) for key in keys},
        delaying=tuple(
            sorted((DelayingMatch(key, delays[key] / traced) for key in keys if delays[key]), key=_by_share)
        ),
    )


def _by_share(match: DelayingMatch) -> float:
    return -match.share


class _EndColumns:
    """The ends by trial, for all simulated plans in turn."""

    def __init__(self) -> None:
        self.matches: dict[Hashable, Column] = defaultdict(list)
        self.rounds: dict[Part, Column] = defaultdict(list)
        self.brackets: dict[tuple[str, str], Column] = defaultdict(list)
        self.tournaments: dict[str, Column] = defaultdict(list)
        self.event: Column = []

    def add(self, simulation: Simulation) -> None:
        _extend(self.matches, simulation.ends)
        rounds = _latest_by_label((match.part, simulation.ends[match.key]) for match in simulation.matches)
        brackets = _latest_by_label(
            ((part.tournament, part.bracket), column) for part, column in rounds.items()
        )
        tournaments = _latest_by_label((bracket[0], column) for bracket, column in brackets.items())
        _extend(self.rounds, rounds)
        _extend(self.brackets, brackets)
        _extend(self.tournaments, tournaments)
        for column in _latest_by_label(("", column) for column in tournaments.values()).values():
            self.event += column


def _extend(all_ends: dict[Label, Column], ends: Mapping[Label, Column]) -> None:
    for label, column in ends.items():
        all_ends[label] += column


def _latest_by_label(ends: Iterable[tuple[Label, Column]]) -> dict[Label, Column]:
    """Returns the latest end of each group, by trial."""
    grouped: dict[Label, list[Column]] = defaultdict(list)
    for label, column in ends:
        grouped[label].append(column)
    return {label: latest_ends(columns) for label, columns in grouped.items()}


def _intervals(ends: Mapping[Label, Column]) -> dict[Label, EndInterval]:
    return {label: _interval(column) for label, column in ends.items()}


def _interval(column: Sequence[float]) -> EndInterval:
    """Of n trials in order, a further one falls between ranks i and j with probability (j - i) / (n + 1)."""
    ordered = sorted(column)
    outside = max(0, int(TAIL * (len(ordered) + 1)) - 1)
    return EndInterval(ordered[outside], ordered[len(ordered) // 2], ordered[-1 - outside])
