"""Plays an event game by game, without anything of the forecast's: its own games, its own minutes, its own waiting.

Pure; chance is handed in. What it keeps is everything that happened, with the minute at which it did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, Final

from tournament.draw.formats import Format, Kind
from tournament.draw.graph import FromBye, FromEntry, Graph, Pairing
from tournament.draw.layouts import MAIN, layout
from tournament.draw.recipes import drawn
from tournament.draw.seating import Decision, MemorySheet, State

WORTHS: Final = (1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4)
CUBELESS: Final = (1, 1, 1, 2)
GAMES_COUNTED: Final = 2000
PLANNED: Final = 11.0
SIDES: Final = 2

AnyGraph = Graph[Any, int]


@dataclass(frozen=True, slots=True)
class Conditions:
    """How it goes in this hall. `pace` is what its matches take of the planned minutes, `own` and `game` how much
    single matches and games stray (lognormal), `pauses` the shortest and longest between two matches, and until a round
    is paired once the one before has ended."""

    chosen: Format
    entries: int
    length: int
    pace: float = 1.0
    own: float = 0.22
    game: float = 0.45
    pauses: tuple[float, float] = (2.0, 9.0)
    tables: int | None = None


@dataclass(slots=True)
class Match:
    """`games` are the minute at which each ended, and the score then."""

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
    """Everything that happened: the draw as it stood from each minute on, and every match."""

    conditions: Conditions
    graphs: list[tuple[float, AnyGraph]] = field(default_factory=list)
    matches: dict[Any, Match] = field(default_factory=dict)

    @property
    def end(self) -> float:
        return max(match.end for match in self.matches.values())


def play_event(conditions: Conditions, chance: Random) -> History:
    event = _Event(conditions, chance)
    event.play()
    return event.history


class _Event:
    def __init__(self, conditions: Conditions, chance: Random) -> None:
        self.conditions, self.chance = conditions, chance
        self.history = History(conditions)
        self.now = 0.0
        self.losses = dict.fromkeys(range(1, conditions.entries + 1), 0)
        self.rested = dict.fromkeys(self.losses, 0.0)
        self.running: dict[Any, Match] = {}
        self.known: dict[Any, float] = {}
        self.rounds: list[Pairing[Any, int]] = []
        self.sheet: MemorySheet[Any, int]
        self._draw(self._first())

    def play(self) -> None:
        while True:
            self._start()
            if not self.running and not self._to_start():
                if not self._pair_next():
                    return
                continue
            self.now = min(
                [match.end for match in self.running.values()]
                + [rest for rest in self.rested.values() if rest > self.now]
            )
            for key in [key for key, match in self.running.items() if match.end <= self.now]:
                self._end(key, self.running.pop(key))

    def _first(self) -> AnyGraph:
        if self.conditions.chosen.is_growing:
            return self._round()
        laid = layout(self.conditions.chosen, self.conditions.entries)
        return drawn(laid.graph, list(self.losses))

    def _draw(self, graph: AnyGraph) -> None:
        """The draw from now on, with everything decided so far."""
        decisions = {key: match.decision for key, match in self.history.matches.items()}
        self.sheet = MemorySheet(graph, ranked)
        self.sheet.decisions.update(decisions)
        self.sheet.advance(*decisions)
        self.history.graphs.append((self.now, graph))

    def _round(self) -> AnyGraph:
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
        self._draw(self._round())
        told = self.now + self.chance.uniform(*self.conditions.pauses)
        self.rested = {entry: max(rested, told) for entry, rested in self.rested.items()}
        return True

    def _to_start(self) -> list[tuple[int, Any, State[int]]]:
        found = [
            (pairing.round, pairing.key, self.sheet.states[pairing.key])
            for pairing in self.sheet.graph
            if pairing.key not in self.history.matches
        ]
        return [one for one in found if one[2].result.how is None and len(_players(one[2])) == SIDES]

    def _start(self) -> None:
        """Whoever can play does, earlier rounds first, while there are tables."""
        busy = {entry for match in self.running.values() for entry in (match.left, match.right)}
        for _, key, state in sorted(self._to_start(), key=lambda one: one[0]):
            left, right = _players(state)
            self.known.setdefault(key, self.now)
            if self.conditions.tables is not None and len(self.running) >= self.conditions.tables:
                continue
            if busy & {left, right} or max(self.rested[left], self.rested[right]) > self.now:
                continue
            busy |= {left, right}
            games = self._games()
            match = Match(self.known[key], self.now, left, right, games)
            self.running[key] = self.history.matches[key] = match

    def _games(self) -> list[tuple[float, int, int]]:
        conditions = self.conditions
        own = self.chance.lognormvariate(-(conditions.own**2) / 2, conditions.own)
        minutes = PLANNED * conditions.length / games_of(conditions.length) * conditions.pace * own
        at, found = self.now, []
        for left, right in scores(conditions.length, self.chance):
            at += minutes * self.chance.lognormvariate(-(conditions.game**2) / 2, conditions.game)
            found.append((at, left, right))
        return found

    def _end(self, key: Any, match: Match) -> None:
        decision = self.sheet.decisions[key] = match.decision
        self.losses[decision.loser] += 1
        for entry in (match.left, match.right):
            self.rested[entry] = self.now + self.chance.uniform(*self.conditions.pauses)
        self.sheet.advance(key)


def _players(state: State[int]) -> list[int]:
    return [one for one in (state.left, state.right) if isinstance(one, int)]


def scores(length: int, chance: Random) -> list[tuple[int, int]]:
    """The score after each game of a match; after Crawford the trailer doubles at once."""
    points, found, crawford_played = [0, 0], [], False
    while max(points) < length:
        at_match_point = max(points) == length - 1
        is_crawford = at_match_point and not crawford_played
        crawford_played = crawford_played or is_crawford
        worth = chance.choice(CUBELESS if is_crawford else WORTHS)
        if at_match_point and not is_crawford:
            worth = 2 * chance.choice(CUBELESS)
        side = chance.randrange(2)
        points[side] = min(length, points[side] + worth)
        found.append((points[0], points[1]))
    return found


@cache
def games_of(length: int) -> float:
    """The games of a match to this length, on average."""
    chance = Random(length)
    return sum(len(scores(length, chance)) for _ in range(GAMES_COUNTED)) / GAMES_COUNTED


def ranked(
    bracket: str,
    states: Mapping[Any, State[int]],
    decisions: Mapping[Any, Decision[int]],
) -> Sequence[int]:
    """By wins, then by number."""
    seated = {entry for state in states.values() for entry in _players(state)}
    wins = Counter(decisions[key].winner for key in states if key in decisions)
    return sorted(seated, key=lambda one: (-wins[one], one))
