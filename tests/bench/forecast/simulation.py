"""Simulates an event game by game with a model of its own, which shares nothing with the forecast's model. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, Final

from tournament.draw.formats import Format, Kind
from tournament.draw.formats.layouts import MAIN, layout
from tournament.draw.graph import FromBye, FromEntry, Graph, Pairing
from tournament.draw.recipes import apply_order
from tournament.draw.seating import Decision, MemorySheet, State

GAME_POINTS: Final = (1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4)
CUBELESS_POINTS: Final = (1, 1, 1, 2)
AVERAGE_OF_MATCHES: Final = 2000
MINUTES_A_POINT: Final = 11.0
SIDES: Final = 2

AnyGraph = Graph[Any, int]


@dataclass(frozen=True, slots=True)
class Conditions:
    """One event. `pace` is a factor of the planned minutes; `match_spread` and `game_spread` are the lognormal spreads
    of single matches and games. `pauses` are the shortest and longest minutes between two matches, and
    between the end of a round and the next pairing."""

    chosen: Format
    entries: int
    length: int
    pace: float = 1.0
    match_spread: float = 0.22
    game_spread: float = 0.45
    pauses: tuple[float, float] = (2.0, 9.0)
    tables: int | None = None


@dataclass(slots=True)
class Match:
    """`games` holds the minute when each game ended and the score after it."""

    ready: float
    began: float
    left: int
    right: int
    games: list[tuple[float, int, int]]

    @property
    def end(self) -> float:
        return self.games[-1][0]

    @property
    def decision(self) -> Decision[int]:
        _, left, right = self.games[-1]
        return Decision(self.left, self.right) if left > right else Decision(self.right, self.left)


@dataclass
class History:
    """The graph that was valid from each minute on, and every match."""

    conditions: Conditions
    graphs: list[tuple[float, AnyGraph]] = field(default_factory=list)
    matches: dict[Any, Match] = field(default_factory=dict)

    @property
    def end(self) -> float:
        return max(match.end for match in self.matches.values())


def play_event(conditions: Conditions, chance: Random) -> History:
    simulation = _Simulation(conditions, chance)
    simulation.run()
    return simulation.history


class _Simulation:
    def __init__(self, conditions: Conditions, chance: Random) -> None:
        self.conditions, self.chance = conditions, chance
        self.history = History(conditions)
        self.now = 0.0
        self.losses = dict.fromkeys(range(1, conditions.entries + 1), 0)
        self.rested_at = dict.fromkeys(self.losses, 0.0)
        self.running: dict[Any, Match] = {}
        self.ready_since: dict[Any, float] = {}
        self.rounds: list[Pairing[Any, int]] = []
        self.sheet: MemorySheet[Any, int]
        self._use_graph(self._first_graph())

    def run(self) -> None:
        while True:
            self._start_matches()
            if not self.running and not self._startable():
                if not self._pair_next():
                    return
                continue
            self.now = min(
                [match.end for match in self.running.values()]
                + [rest for rest in self.rested_at.values() if rest > self.now]
            )
            for key in [key for key, match in self.running.items() if match.end <= self.now]:
                self._end_match(key, self.running.pop(key))

    def _first_graph(self) -> AnyGraph:
        if self.conditions.chosen.is_growing:
            return self._next_round()
        laid = layout(self.conditions.chosen, self.conditions.entries)
        return apply_order(laid.graph, list(self.losses))

    def _use_graph(self, graph: AnyGraph) -> None:
        """Uses this graph from now on, with all decisions so far."""
        decisions = {key: match.decision for key, match in self.history.matches.items()}
        self.sheet = MemorySheet(graph, rank_by_wins)
        self.sheet.decisions.update(decisions)
        self.sheet.advance(*decisions)
        self.history.graphs.append((self.now, graph))

    def _next_round(self) -> AnyGraph:
        number = 1 + max((pairing.round for pairing in self.rounds), default=0)
        still_in = [entry for entry, losses in self.losses.items() if losses < self._most_losses()]
        self.chance.shuffle(still_in)
        still_in.sort(key=self.losses.__getitem__)
        for line, (left, right) in enumerate(zip(still_in[::2], still_in[1::2], strict=False), start=1):
            key = (MAIN, number, line)
            self.rounds.append(Pairing(key, *key, FromEntry(left), FromEntry(right)))
        if len(still_in) % 2:
            key = (MAIN, number, len(still_in) // 2 + 1)
            self.rounds.append(Pairing(key, *key, FromEntry(still_in[-1]), FromBye()))
        return Graph(self.rounds)

    def _most_losses(self) -> int:
        chosen = self.conditions.chosen
        return chosen.lives if chosen.kind == Kind.LIVES else 1000

    def _pair_next(self) -> bool:
        chosen = self.conditions.chosen
        if not chosen.is_growing:
            return False
        still_in = sum(losses < self._most_losses() for losses in self.losses.values())
        played = max(pairing.round for pairing in self.rounds)
        if still_in < SIDES or (chosen.kind != Kind.LIVES and played >= chosen.rounds):
            return False
        self._use_graph(self._next_round())
        paired_at = self.now + self.chance.uniform(*self.conditions.pauses)
        self.rested_at = {entry: max(rested, paired_at) for entry, rested in self.rested_at.items()}
        return True

    def _startable(self) -> list[tuple[int, Any, State[int]]]:
        """The round, key and state of each match that has both players and was not started."""
        rows = [
            (pairing.round, pairing.key, self.sheet.states[pairing.key])
            for pairing in self.sheet.graph
            if pairing.key not in self.history.matches
        ]
        return [row for row in rows if row[2].result.how is None and len(_players(row[2])) == SIDES]

    def _start_matches(self) -> None:
        """Starts every match whose players are free and rested, earlier rounds first, while there are tables."""
        busy = {entry for match in self.running.values() for entry in (match.left, match.right)}
        for _, key, state in sorted(self._startable(), key=lambda row: row[0]):
            left, right = _players(state)
            self.ready_since.setdefault(key, self.now)
            if self.conditions.tables is not None and len(self.running) >= self.conditions.tables:
                continue
            if busy & {left, right} or max(self.rested_at[left], self.rested_at[right]) > self.now:
                continue
            busy |= {left, right}
            games = self._simulate_games()
            match = Match(self.ready_since[key], self.now, left, right, games)
            self.running[key] = self.history.matches[key] = match

    def _simulate_games(self) -> list[tuple[float, int, int]]:
        conditions = self.conditions
        factor = self.chance.lognormvariate(-(conditions.match_spread**2) / 2, conditions.match_spread)
        minutes = (
            MINUTES_A_POINT * conditions.length / average_games(conditions.length) * conditions.pace * factor
        )
        at, games = self.now, []
        for left, right in simulate_scores(conditions.length, self.chance):
            at += minutes * self.chance.lognormvariate(
                -(conditions.game_spread**2) / 2, conditions.game_spread
            )
            games.append((at, left, right))
        return games

    def _end_match(self, key: Any, match: Match) -> None:
        decision = self.sheet.decisions[key] = match.decision
        self.losses[decision.loser] += 1
        for entry in (match.left, match.right):
            self.rested_at[entry] = self.now + self.chance.uniform(*self.conditions.pauses)
        self.sheet.advance(key)


def _players(state: State[int]) -> list[int]:
    return [entry for entry in (state.left, state.right) if isinstance(entry, int)]


def simulate_scores(length: int, chance: Random) -> list[tuple[int, int]]:
    """The score after each game of a match. After the Crawford game the trailer doubles at once."""
    points, scores, crawford_played = [0, 0], [], False
    while max(points) < length:
        at_match_point = max(points) == length - 1
        is_crawford = at_match_point and not crawford_played
        crawford_played = crawford_played or is_crawford
        value = chance.choice(CUBELESS_POINTS if is_crawford else GAME_POINTS)
        if at_match_point and not is_crawford:
            value = 2 * chance.choice(CUBELESS_POINTS)
        side = chance.randrange(2)
        points[side] = min(length, points[side] + value)
        scores.append((points[0], points[1]))
    return scores


@cache
def average_games(length: int) -> float:
    chance = Random(length)
    return sum(len(simulate_scores(length, chance)) for _ in range(AVERAGE_OF_MATCHES)) / AVERAGE_OF_MATCHES


def rank_by_wins(
    bracket: str,
    states: Mapping[Any, State[int]],
    decisions: Mapping[Any, Decision[int]],
) -> Sequence[int]:
    """Ranks by wins, then by number."""
    seated = {entry for state in states.values() for entry in _players(state)}
    wins = Counter(decisions[key].winner for key in states if key in decisions)
    return sorted(seated, key=lambda entry: (-wins[entry], entry))
