"""Simulates one trial of a room where matches wait for a table, or for a player who is in another match.

A free table goes to the match that most others wait for. The order of a player's matches is not fixed: any that can
start does. Each side wins with probability 1/2, and winners are tracked only for people who could be in two matches.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Any, Final

from tournament.draw.graph import Outcome
from tournament.forecast.minute_columns import RandomSource
from tournament.forecast.moment import Moment, earliest_start
from tournament.forecast.open_matches import EVEN, OpenMatch, Stage
from tournament.forecast.urgency import urgency

NOBODY: Final = -1


class RoomSimulation:
    """Everything that all trials share: the matches that each match waits for, and the order in which tables are
    assigned.
    """

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
        """Groups matches that wait for the same matches, so that a coming round costs one step for each match, not its
        square.
        """
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
        """Returns the end of every match, and the last match that each one waited for, for its players or for its
        table.
        """
        trial = _Trial(self, minutes, chance)
        trial.run()
        return trial.ends, trial.blockers


class _Trial:
    """One trial as a queue of events, each a minute and a number.

    A number from 0 is a match that ends. `~number` of a match means that it can start. After all matches, `~` of a
    person means that the person has rested. In the same minute the numbers sort as: rested people, startable matches,
    ends. `queue` holds startable matches by rank, `delayed_ranks` the matches that wait for a busy person.
    """

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
        """Assigns tables after all events of a minute, so that the order of events within a minute does not matter."""
        while self.events:
            at, cause = self.events[0][0], NOBODY
            while self.events and self.events[0][0] == at:
                cause = max(cause, self._process(at, heappop(self.events)[1]))
            while self.queue and self.free_tables > 0:
                self._start_match(at, heappop(self.queue), cause)

    def _process(self, at: float, event: int) -> int:
        """Returns the match that made room for others, or NOBODY."""
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
        """Returns the match that this person comes from. Matches that waited for the person are queued again."""
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
