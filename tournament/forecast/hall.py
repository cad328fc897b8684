"""A hall where matches have to wait: for a table, or for somebody who plays another match. One trial at a time.

The next free table goes to the match that most others wait for. Who of several matches plays which first is not laid
down: whichever can begin does. Who wins is even, and followed only for people who could be in two places.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Any, Final

from tournament.draw.graph import Outcome
from tournament.forecast.chances import RandomSource
from tournament.forecast.moment import Moment, earliest_start
from tournament.forecast.open_matches import EVEN, OpenMatch, Stage
from tournament.forecast.urgency import urgency

NOBODY: Final = -1


class RoomSimulation:
    """Everything that is the same in each trial: who waits for whom, in which order tables are given."""

    def __init__(self, moment: Moment, matches: Sequence[OpenMatch[Any]], people: Sequence[Hashable]) -> None:
        self.now, self.pause, self.people = moment.now, moment.pause, len(people)
        self.earliest = [earliest_start(match, moment) for match in matches]
        self.playing = [number for number, match in enumerate(matches) if match.stage == Stage.PLAYING]
        tables = len(matches) if moment.tables is None else moment.tables
        self.free_tables = tables - len(self.playing)
        number_of = {match.key: number for number, match in enumerate(matches)}
        self._group_by_wait(matches, number_of)
        self.awaited_by: list[dict[bool, int]] = [{} for _ in matches]
        for number, match in enumerate(matches):
            for player in match.awaited:
                self.awaited_by[number_of[player.match]][player.outcome == Outcome.WINNER] = number
        person_number = {person: number for number, person in enumerate(people)}
        self.players = [
            tuple(person_number[person] for person in match.people if person in person_number)
            for match in matches
        ]
        self._rank_matches(matches, moment.pause)

    def _group_by_wait(self, matches: Sequence[OpenMatch[Any]], number_of: Mapping[Hashable, int]) -> None:
        """Who waits for the same matches waits together: a round to come takes a step a match, not its square."""
        self.followers: list[list[int]] = []
        self.matches_before: list[int] = []
        self.groups_after: list[list[int]] = [[] for _ in matches]
        groups: dict[tuple[Hashable, ...], int] = {}
        for number, match in enumerate(matches):
            if not match.after:
                continue
            group = groups.setdefault(match.after, len(groups))
            if group == len(self.followers):
                self.followers.append([])
                self.matches_before.append(len(match.after))
                for key in match.after:
                    self.groups_after[number_of[key]].append(group)
            self.followers[group].append(number)

    def _rank_matches(self, matches: Sequence[OpenMatch[Any]], pause: float) -> None:
        minutes = urgency(matches, pause)
        self.in_order = sorted(
            range(len(matches)), key=lambda number: (-minutes[matches[number].key], number)
        )
        self.rank = [0] * len(matches)
        for place, number in enumerate(self.in_order):
            self.rank[number] = place
        self.sources = [
            (self.earliest[number], ~number)
            for number, match in enumerate(matches)
            if not match.after and match.stage != Stage.PLAYING
        ]

    def simulate_trial(self, minutes: Sequence[float], chance: RandomSource) -> tuple[list[float], list[int]]:
        """The end of every match, and the match that each one waited for last: for its players, or for its table."""
        trial = _Trial(self, minutes, chance)
        trial.run()
        return trial.ends, trial.blockers


class _Trial:
    """What happens is a minute and a number: a match that ends, `~` a match that could begin, and after all of these
    `~` a person who has rested. `queue` are those that could begin, by rank; whoever plays holds others up (`held`)."""

    def __init__(self, room: RoomSimulation, minutes: Sequence[float], chance: RandomSource) -> None:
        self.room, self.minutes, self.chance = room, minutes, chance
        self.ends = [room.now] * len(minutes)
        self.blockers = [NOBODY] * len(minutes)
        self.open_before = room.matches_before[:]
        self.players = room.players[:]
        self.free_tables = room.free_tables
        self.match_of = [NOBODY] * room.people
        self.delayed_ranks: list[list[int]] = [[] for _ in self.match_of]
        self.queue: list[int] = []
        self.events = [(room.now + minutes[number], number) for number in room.playing] + room.sources
        heapify(self.events)
        for number in room.playing:
            self._occupy_players(number)

    def run(self) -> None:
        """Tables are given when everything of a minute has happened, so that the order of a minute's matches holds."""
        while self.events:
            at, cause = self.events[0][0], NOBODY
            while self.events and self.events[0][0] == at:
                cause = max(cause, self._process(at, heappop(self.events)[1]))
            while self.queue and self.free_tables > 0:
                self._start_match(at, heappop(self.queue), cause)

    def _process(self, at: float, event: int) -> int:
        """The match that made way for others, if one did."""
        if event >= 0:
            self._end_match(at, event)
            return event
        if ~event < len(self.minutes):
            self._queue_match(at, ~event)
            return NOBODY
        return self._release_player(~event - len(self.minutes))

    def _queue_match(self, at: float, number: int) -> None:
        if self.minutes[number]:
            heappush(self.queue, self.room.rank[number])
        else:
            self.ends[number] = at - self.room.pause
            self._schedule_followers(at, number)

    def _start_match(self, at: float, rank: int, cause: int) -> None:
        number = self.room.in_order[rank]
        for person in self.players[number]:
            if self.match_of[person] != NOBODY:
                self.delayed_ranks[person].append(rank)
                return
        self.free_tables -= 1
        if cause != NOBODY:
            self.blockers[number] = cause
        self._occupy_players(number)
        heappush(self.events, (at + self.minutes[number], number))

    def _occupy_players(self, number: int) -> None:
        for person in self.players[number]:
            self.match_of[person] = number

    def _end_match(self, at: float, number: int) -> None:
        self.ends[number] = at
        self.free_tables += 1
        if self.players[number]:
            self._move_players(at, number)
        self._schedule_followers(at, number)

    def _move_players(self, at: float, number: int) -> None:
        matches = len(self.minutes)
        awaited_by = self.room.awaited_by[number]
        wins = bool(awaited_by) and self.chance.random() < EVEN
        for person in self.players[number]:
            heappush(self.events, (at + self.room.pause, ~(matches + person)))
            if wins in awaited_by:
                self.players[awaited_by[wins]] += (person,)
            wins = not wins

    def _release_player(self, person: int) -> int:
        """The match that this person comes from; those held up queue again."""
        match, self.match_of[person] = self.match_of[person], NOBODY
        for rank in self.delayed_ranks[person]:
            heappush(self.queue, rank)
        self.delayed_ranks[person].clear()
        return match

    def _schedule_followers(self, at: float, number: int) -> None:
        for group in self.room.groups_after[number]:
            self.open_before[group] -= 1
            if not self.open_before[group]:
                for follower in self.room.followers[group]:
                    self.blockers[follower] = number
                    heappush(
                        self.events, (max(at + self.room.pause, self.room.earliest[follower]), ~follower)
                    )
