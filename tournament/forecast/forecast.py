"""When matches, rounds, brackets, tournaments and the event are likely to end, and what holds the event up.

Of ten ends, eight fall into the interval that is told: it leaves out a tenth of the trials on either side, and where
there are few of these the one beyond as well, since fewer trials say less of what is rare.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

from tournament.forecast.chances import Chance, Column
from tournament.forecast.moment import Moment
from tournament.forecast.open_matches import Part
from tournament.forecast.pace import Pace, learnt
from tournament.forecast.playing import Played, latest, play

TRIALS: Final = 2000
FEWEST_TRIALS: Final = 40
"""Enough for an interval that as many ends fall into as with more of them."""
PLANS: Final = 20
"""So many ways in which an event with lives may go on are tried."""
TAIL: Final = 0.1

Label = TypeVar("Label", bound=Hashable)


class Likely(NamedTuple):
    """An end in minutes: one of ten is earlier than `early`, one of ten later than `late`."""

    early: float
    middle: float
    late: float


class Held(NamedTuple):
    """A match, and the share of trials whose end it held up."""

    key: Hashable
    share: float


@dataclass(frozen=True, slots=True)
class Forecast:
    """`event` is None where nothing is left to be played. `held` are open matches, the ones that hold up most first.

    Only rounds and brackets with open matches are told; a match keeps its key, one not paired yet has none.
    """

    pace: Pace
    event: Likely | None
    tournaments: Mapping[str, Likely]
    brackets: Mapping[tuple[str, str], Likely]
    rounds: Mapping[Part, Likely]
    matches: Mapping[Hashable, Likely]
    held: tuple[Held, ...]


def forecast(moment: Moment, chance: Chance, trials: int = TRIALS) -> Forecast:
    """The same moment with the same chance gives the same forecast."""
    pace = learnt(moment.shown)
    plans = PLANS if any(one.lives for one in moment.growing) else 1
    ends = _Ends()
    held: Counter[Hashable] = Counter()
    traced = 0
    for _ in range(plans):
        played = play(moment, pace, chance, trials // plans)
        ends.add(played)
        held += played.held
        traced += played.traced
    keys = [one.key for one in moment.matches]
    return Forecast(
        pace=pace,
        event=_likely(ends.event) if ends.event else None,
        tournaments=_each_likely(ends.tournaments),
        brackets=_each_likely(ends.brackets),
        rounds=_each_likely(ends.rounds),
        matches={key: _likely(ends.matches[key]) for key in keys},
        held=tuple(sorted((Held(key, held[key] / traced) for key in keys if held[key]), key=_most_first)),
    )


def _most_first(one: Held) -> float:
    return -one.share


class _Ends:
    """The ends of everything by trial, one plan after the other."""

    def __init__(self) -> None:
        self.matches: dict[Hashable, Column] = defaultdict(list)
        self.rounds: dict[Part, Column] = defaultdict(list)
        self.brackets: dict[tuple[str, str], Column] = defaultdict(list)
        self.tournaments: dict[str, Column] = defaultdict(list)
        self.event: Column = []

    def add(self, played: Played) -> None:
        _extend(self.matches, played.ends)
        rounds = _last((one.part, played.ends[one.key]) for one in played.matches)
        brackets = _last(((part.tournament, part.bracket), column) for part, column in rounds.items())
        tournaments = _last((bracket[0], column) for bracket, column in brackets.items())
        _extend(self.rounds, rounds)
        _extend(self.brackets, brackets)
        _extend(self.tournaments, tournaments)
        for column in _last(("", column) for column in tournaments.values()).values():
            self.event += column


def _extend(all_ends: dict[Label, Column], ends: Mapping[Label, Column]) -> None:
    for label, column in ends.items():
        all_ends[label] += column


def _last(ends: Iterable[tuple[Label, Column]]) -> dict[Label, Column]:
    """The last end of each group, by trial."""
    grouped: dict[Label, list[Column]] = defaultdict(list)
    for label, column in ends:
        grouped[label].append(column)
    return {label: latest(columns) for label, columns in grouped.items()}


def _each_likely(ends: Mapping[Label, Column]) -> dict[Label, Likely]:
    return {label: _likely(column) for label, column in ends.items()}


def _likely(column: Sequence[float]) -> Likely:
    """Between the trials of rank i and j of n falls one more, as likely as they were, in j - i of n + 1 times."""
    ordered = sorted(column)
    outside = max(0, int(TAIL * (len(ordered) + 1)) - 1)
    return Likely(ordered[outside], ordered[len(ordered) // 2], ordered[-1 - outside])
