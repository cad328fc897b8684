"""A hall where matches have to wait: for a table, or for somebody who plays another match. One trial at a time.

The next free table goes to the match that most others wait for. Who of several matches plays which first is not laid
down: whichever can begin does. Who wins is even, and followed only for people who could be in two places.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Any, Final

from tournament.draw.graph import Outcome
from tournament.forecast.chances import Chance
from tournament.forecast.moment import Moment, could_start
from tournament.forecast.open_matches import EVEN, OpenMatch, Stage
from tournament.forecast.urgency import urgency

NOBODY: Final = -1


class Hall:
    """Everything that is the same in each trial: who waits for whom, in which order tables are given."""

    def __init__(self, moment: Moment, matches: Sequence[OpenMatch[Any]], people: Sequence[Hashable]) -> None:
        self.now, self.pause, self.people = moment.now, moment.pause, len(people)
        self.first = [could_start(one, moment) for one in matches]
        self.playing = [number for number, one in enumerate(matches) if one.stage == Stage.PLAYING]
        tables = len(matches) if moment.tables is None else moment.tables
        self.free = tables - len(self.playing)
        at = {one.key: number for number, one in enumerate(matches)}
        self._wait(matches, at)
        self.sends: list[dict[bool, int]] = [{} for _ in matches]
        for number, one in enumerate(matches):
            for coming in one.comes:
                self.sends[at[coming.match]][coming.outcome == Outcome.WINNER] = number
        of = {person: number for number, person in enumerate(people)}
        self.seated = [tuple(of[person] for person in one.people if person in of) for one in matches]
        self._order(matches, moment.pause)

    def _wait(self, matches: Sequence[OpenMatch[Any]], at: Mapping[Hashable, int]) -> None:
        """Who waits for the same matches waits together: a round to come takes a step a match, not its square."""
        self.followers: list[list[int]] = []
        self.awaited: list[int] = []
        self.leads: list[list[int]] = [[] for _ in matches]
        groups: dict[tuple[Hashable, ...], int] = {}
        for number, one in enumerate(matches):
            if not one.after:
                continue
            group = groups.setdefault(one.after, len(groups))
            if group == len(self.followers):
                self.followers.append([])
                self.awaited.append(len(one.after))
                for key in one.after:
                    self.leads[at[key]].append(group)
            self.followers[group].append(number)

    def _order(self, matches: Sequence[OpenMatch[Any]], pause: float) -> None:
        minutes = urgency(matches, pause)
        self.in_order = sorted(
            range(len(matches)), key=lambda number: (-minutes[matches[number].key], number)
        )
        self.rank = [0] * len(matches)
        for place, number in enumerate(self.in_order):
            self.rank[number] = place
        self.sources = [
            (self.first[number], ~number)
            for number, one in enumerate(matches)
            if not one.after and one.stage != Stage.PLAYING
        ]

    def play(self, minutes: Sequence[float], chance: Chance) -> tuple[list[float], list[int]]:
        """The end of every match, and the match that each one waited for last: for its players, or for its table."""
        trial = _Trial(self, minutes, chance)
        trial.play()
        return trial.ends, trial.blockers


class _Trial:
    """What happens is a minute and a number: a match that ends, `~` a match that could begin, and after all of these
    `~` a person who has rested. `queue` are those that could begin, by rank; whoever plays holds others up (`held`)."""

    def __init__(self, hall: Hall, minutes: Sequence[float], chance: Chance) -> None:
        self.hall, self.minutes, self.chance = hall, minutes, chance
        self.ends = [hall.now] * len(minutes)
        self.blockers = [NOBODY] * len(minutes)
        self.awaited, self.seated, self.free = hall.awaited[:], hall.seated[:], hall.free
        self.plays = [NOBODY] * hall.people
        self.held: list[list[int]] = [[] for _ in self.plays]
        self.queue: list[int] = []
        self.happens = [(hall.now + minutes[number], number) for number in hall.playing] + hall.sources
        heapify(self.happens)
        for number in hall.playing:
            self._sit_down(number)

    def play(self) -> None:
        """Tables are given when everything of a minute has happened, so that the order of a minute's matches holds."""
        while self.happens:
            at, cause = self.happens[0][0], NOBODY
            while self.happens and self.happens[0][0] == at:
                cause = max(cause, self._happen(at, heappop(self.happens)[1]))
            while self.queue and self.free > 0:
                self._begin(at, heappop(self.queue), cause)

    def _happen(self, at: float, what: int) -> int:
        """The match that made way for others, if one did."""
        if what >= 0:
            self._end(at, what)
            return what
        if ~what < len(self.minutes):
            self._come(at, ~what)
            return NOBODY
        return self._rested(~what - len(self.minutes))

    def _come(self, at: float, number: int) -> None:
        if self.minutes[number]:
            heappush(self.queue, self.hall.rank[number])
        else:
            self.ends[number] = at - self.hall.pause
            self._lead_on(at, number)

    def _begin(self, at: float, rank: int, cause: int) -> None:
        number = self.hall.in_order[rank]
        for person in self.seated[number]:
            if self.plays[person] != NOBODY:
                self.held[person].append(rank)
                return
        self.free -= 1
        if cause != NOBODY:
            self.blockers[number] = cause
        self._sit_down(number)
        heappush(self.happens, (at + self.minutes[number], number))

    def _sit_down(self, number: int) -> None:
        for person in self.seated[number]:
            self.plays[person] = number

    def _end(self, at: float, number: int) -> None:
        self.ends[number] = at
        self.free += 1
        if self.seated[number]:
            self._send_on(at, number)
        self._lead_on(at, number)

    def _send_on(self, at: float, number: int) -> None:
        matches = len(self.minutes)
        sends = self.hall.sends[number]
        wins = bool(sends) and self.chance.random() < EVEN
        for person in self.seated[number]:
            heappush(self.happens, (at + self.hall.pause, ~(matches + person)))
            if wins in sends:
                self.seated[sends[wins]] += (person,)
            wins = not wins

    def _rested(self, person: int) -> int:
        """The match that this person comes from; those held up queue again."""
        before, self.plays[person] = self.plays[person], NOBODY
        for rank in self.held[person]:
            heappush(self.queue, rank)
        self.held[person].clear()
        return before

    def _lead_on(self, at: float, number: int) -> None:
        for group in self.hall.leads[number]:
            self.awaited[group] -= 1
            if not self.awaited[group]:
                for follower in self.hall.followers[group]:
                    self.blockers[follower] = number
                    heappush(self.happens, (max(at + self.hall.pause, self.hall.first[follower]), ~follower))
