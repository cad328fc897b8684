"""Simulates the rest of an event: the end of each match in every trial, and the matches it waited for.

If there are enough tables and no person is in two matches, whole columns of trials are computed at once. Otherwise each
trial is simulated in a room.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

from tournament.forecast.future_rounds import with_future_rounds
from tournament.forecast.minute_columns import Column, MinuteColumns, RandomSource
from tournament.forecast.moment import Moment, earliest_start, pace_so_far
from tournament.forecast.open_matches import OpenMatch, Stage
from tournament.forecast.pace import Pace
from tournament.forecast.pauses import ends_after_pause
from tournament.forecast.room_simulation import NOBODY, RoomSimulation

TRACED: Final = 400
"""The number of trials that are traced back to the matches that delayed their end."""
SIDES: Final = 2


@dataclass(frozen=True, slots=True)
class Simulation:
    """`ends` of each match by trial. `delays` counts the trials, of `traced`, in which a match delayed the end."""

    matches: tuple[OpenMatch[Any], ...]
    ends: Mapping[Hashable, Column]
    delays: Counter[Hashable]
    traced: int


def simulate(moment: Moment, pace: Pace, chance: RandomSource, trials: int) -> Simulation:
    matches = with_future_rounds(moment, chance)
    columns = MinuteColumns(pace, chance, trials)
    minutes = [_match_minutes(match, moment.now, columns) for match in matches]
    people = _people_in_several_matches(moment, matches)
    if not people and (moment.tables is None or moment.tables >= _most_tables(matches)):
        return _simulate_columns(moment, matches, minutes)
    return _simulate_trials(moment, matches, minutes, people, chance)


def _people_in_several_matches(moment: Moment, matches: Sequence[OpenMatch[Any]]) -> list[Hashable]:
    """Returns people who could play two matches now: in several known matches, as in a group, or in two tournaments."""
    matches_of = Counter(person for match in moment.matches for person in match.people)
    tournaments_of: dict[Hashable, set[str]] = defaultdict(set)
    for match in matches:
        for person in match.people:
            tournaments_of[person].add(match.part.tournament)
    return [person for person, names in tournaments_of.items() if len(names) > 1 or matches_of[person] > 1]


def _match_minutes(match: OpenMatch[Any], now: float, columns: MinuteColumns) -> Column:
    """Returns the minutes, or remaining minutes, of a match by trial; 0 in trials in which it is not played."""
    if match.stage == Stage.PLAYING:
        status = match.status
        return columns.remaining(pace_so_far(status, now), status.left, status.right, status.is_crawford)
    full = columns.match(match.status.length)
    if match.chance == 1.0:
        return full
    return [minutes if columns.chance.random() < match.chance else 0.0 for minutes in full]


def _most_tables(matches: Sequence[OpenMatch[Any]]) -> int:
    """Returns a number of tables that is enough: for all who start, and for the largest round of each tournament."""
    newcomers: Counter[str] = Counter()
    largest: dict[str, int] = {}
    for part, size in Counter(match.part for match in matches).items():
        largest[part.tournament] = max(size, largest.get(part.tournament, 0))
    for match in matches:
        newcomers[match.part.tournament] += max(0, SIDES - len(match.after))
    return sum(max(size, (newcomers[name] + 1) // SIDES) for name, size in largest.items())


def _simulate_columns(
    moment: Moment, matches: Sequence[OpenMatch[Any]], minutes: Sequence[Column]
) -> Simulation:
    trials = len(minutes[0]) if minutes else 0
    ends: dict[Hashable, Column] = {}
    ends_by_matches: dict[tuple[Hashable, ...], Column] = {}
    for match, own_minutes in zip(matches, minutes, strict=True):
        if match.stage == Stage.PLAYING:
            ends[match.key] = [moment.now + rest for rest in own_minutes]
            continue
        first = earliest_start(match, moment)
        if not match.after:
            ends[match.key] = [first + duration for duration in own_minutes]
            continue
        if match.after not in ends_by_matches:
            ends_by_matches[match.after] = latest_ends([ends[key] for key in match.after])
        since = ends_by_matches[match.after]
        ends[match.key] = ends_after_pause(since, own_minutes, first, moment.pause)
    delays = _count_longest_chains(matches, ends, min(trials, TRACED))
    return Simulation(tuple(matches), ends, delays, min(trials, TRACED))


def latest_ends(columns: Sequence[Column]) -> Column:
    """Returns the latest of several ends, by trial."""
    if len(columns) == 1:
        return columns[0]
    if len(columns) == SIDES:
        return [first if first > second else second for first, second in zip(*columns, strict=True)]
    return list(map(max, *columns))


def _count_longest_chains(
    matches: Sequence[OpenMatch[Any]], ends: Mapping[Hashable, Column], trials: int
) -> Counter[Hashable]:
    """Counts how often each match is on the chain of matches that ends last."""
    by_key = {match.key: match for match in matches}
    waited_for = {key for match in matches for key in match.after}
    sinks = [(match.key, ends[match.key]) for match in matches if match.key not in waited_for]
    delays: Counter[Hashable] = Counter()
    for trial in range(trials):
        last_ends = [(column[trial], number) for number, (_, column) in enumerate(sinks)]
        key = sinks[max(last_ends)[1]][0]
        chain = [key]
        while before := by_key[key].after:
            key = before[0] if len(before) == 1 else max(before, key=lambda match_key: ends[match_key][trial])
            chain.append(key)
        delays.update(chain)
    return delays


def _simulate_trials(
    moment: Moment,
    matches: Sequence[OpenMatch[Any]],
    minutes: Sequence[Column],
    people: Sequence[Hashable],
    chance: RandomSource,
) -> Simulation:
    room = RoomSimulation(moment, matches, people)
    trials = len(minutes[0]) if minutes else 0
    columns: list[Column] = [[] for _ in matches]
    delays: Counter[int] = Counter()
    for trial, own_minutes in enumerate(zip(*minutes, strict=True)):
        ends, blockers = room.simulate_trial(own_minutes, chance)
        for column, end in zip(columns, ends, strict=True):
            column.append(end)
        if trial < TRACED:
            delays.update(_longest_chain(ends, blockers))
    keys = [match.key for match in matches]
    delays_by_key = Counter({keys[number]: count for number, count in delays.items()})
    return Simulation(
        tuple(matches), dict(zip(keys, columns, strict=True)), delays_by_key, min(trials, TRACED)
    )


def _longest_chain(ends: Sequence[float], blockers: Sequence[int]) -> list[int]:
    """Returns the match that ended last, the match it waited for, and so on."""
    number = max(enumerate(ends), key=itemgetter(1))[0]
    chain = []
    while number != NOBODY:
        chain.append(number)
        number = blockers[number]
    return chain
