"""Plays what is left of an event many times over: when each match ends, in every trial, and what it waited for.

Where there are tables for everybody and nobody is in two matches, whole columns of trials are worked out at once;
elsewhere each trial is played in a hall.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

from tournament.forecast.ahead import with_rounds_ahead
from tournament.forecast.chances import Chance, Column, Columns
from tournament.forecast.hall import NOBODY, Hall
from tournament.forecast.moment import Moment, could_start, so_far
from tournament.forecast.open_matches import OpenMatch, Stage
from tournament.forecast.pace import Pace

TRACED: Final = 400
"""So many trials are followed back to what held their end up."""
SIDES: Final = 2


@dataclass(frozen=True, slots=True)
class Played:
    """`ends` of each match by trial; `held` counts the trials, of `traced`, whose end each match held up."""

    matches: tuple[OpenMatch[Any], ...]
    ends: Mapping[Hashable, Column]
    held: Counter[Hashable]
    traced: int


def play(moment: Moment, pace: Pace, chance: Chance, trials: int) -> Played:
    matches = with_rounds_ahead(moment, chance)
    columns = Columns(pace, chance, trials)
    minutes = [_minutes(one, moment.now, columns) for one in matches]
    people = _in_several(moment, matches)
    if not people and (moment.tables is None or moment.tables >= _most_at_once(matches)):
        return _unhindered(moment, matches, minutes)
    return _in_turn(moment, matches, minutes, people, chance)


def _in_several(moment: Moment, matches: Sequence[OpenMatch[Any]]) -> list[Hashable]:
    """People who could play two matches now: those in several that are drawn, as in a group, or in two tournaments."""
    drawn = Counter(person for one in moment.matches for person in one.people)
    plays_in: dict[Hashable, set[str]] = defaultdict(set)
    for one in matches:
        for person in one.people:
            plays_in[person].add(one.part.tournament)
    return [person for person, names in plays_in.items() if len(names) > 1 or drawn[person] > 1]


def _minutes(one: OpenMatch[Any], now: float, columns: Columns) -> Column:
    """How long it takes, or still takes; not at all in trials where it is not played."""
    if one.stage == Stage.PLAYING:
        known = one.known
        return columns.rest(so_far(known, now), known.left, known.right, known.is_crawford)
    whole = columns.match(one.known.length)
    if one.chance == 1.0:
        return whole
    return [minutes if columns.chance.random() < one.chance else 0.0 for minutes in whole]


def _most_at_once(matches: Sequence[OpenMatch[Any]]) -> int:
    """How many tables are enough: for everybody who comes in, and for the largest round of each tournament."""
    comes_in: Counter[str] = Counter()
    largest: dict[str, int] = {}
    for part, size in Counter(one.part for one in matches).items():
        largest[part.tournament] = max(size, largest.get(part.tournament, 0))
    for one in matches:
        comes_in[one.part.tournament] += max(0, SIDES - len(one.after))
    return sum(max(size, (comes_in[name] + 1) // SIDES) for name, size in largest.items())


def _unhindered(moment: Moment, matches: Sequence[OpenMatch[Any]], minutes: Sequence[Column]) -> Played:
    trials = len(minutes[0]) if minutes else 0
    ends: dict[Hashable, Column] = {}
    known: dict[tuple[Hashable, ...], Column] = {}
    for one, own in zip(matches, minutes, strict=True):
        if one.stage == Stage.PLAYING:
            ends[one.key] = [moment.now + rest for rest in own]
            continue
        first = could_start(one, moment)
        if not one.after:
            ends[one.key] = [first + whole for whole in own]
            continue
        if one.after not in known:
            known[one.after] = latest([ends[key] for key in one.after])
        since = known[one.after]
        ends[one.key] = _after(since, own, first, moment.pause)
    held = _traced_back(matches, ends, min(trials, TRACED))
    return Played(tuple(matches), ends, held, min(trials, TRACED))


def latest(columns: Sequence[Column]) -> Column:
    """The last of several ends, by trial."""
    if len(columns) == 1:
        return columns[0]
    if len(columns) == SIDES:
        return [one if one > other else other for one, other in zip(*columns, strict=True)]
    return list(map(max, *columns))


def _after(since: Column, own: Column, first: float, pause: float) -> Column:
    """What is not played takes no pause either."""
    return [
        ((start if (start := end + pause) > first else first) + minutes) if minutes else end
        for end, minutes in zip(since, own, strict=True)
    ]


def _traced_back(
    matches: Sequence[OpenMatch[Any]], ends: Mapping[Hashable, Column], trials: int
) -> Counter[Hashable]:
    """How often each match was on the chain that ended last."""
    by_key = {one.key: one for one in matches}
    waited_for = {key for one in matches for key in one.after}
    sinks = [(one.key, ends[one.key]) for one in matches if one.key not in waited_for]
    held: Counter[Hashable] = Counter()
    for trial in range(trials):
        at = max(((column[trial], number) for number, (_, column) in enumerate(sinks)))[1]
        key = sinks[at][0]
        chain = [key]
        while before := by_key[key].after:
            key = before[0] if len(before) == 1 else max(before, key=lambda one: ends[one][trial])
            chain.append(key)
        held.update(chain)
    return held


def _in_turn(
    moment: Moment,
    matches: Sequence[OpenMatch[Any]],
    minutes: Sequence[Column],
    people: Sequence[Hashable],
    chance: Chance,
) -> Played:
    hall = Hall(moment, matches, people)
    trials = len(minutes[0]) if minutes else 0
    columns: list[Column] = [[] for _ in matches]
    held: Counter[int] = Counter()
    for trial, own in enumerate(zip(*minutes, strict=True)):
        ends, blockers = hall.play(own, chance)
        for column, end in zip(columns, ends, strict=True):
            column.append(end)
        if trial < TRACED:
            held.update(_chain(ends, blockers))
    keys = [one.key for one in matches]
    named = Counter({keys[number]: count for number, count in held.items()})
    return Played(tuple(matches), dict(zip(keys, columns, strict=True)), named, min(trials, TRACED))


def _chain(ends: Sequence[float], blockers: Sequence[int]) -> list[int]:
    """The match that ended last, what it waited for, and so on."""
    number = max(enumerate(ends), key=itemgetter(1))[0]
    chain = []
    while number != NOBODY:
        chain.append(number)
        number = blockers[number]
    return chain
