"""A Swiss as it would have been played, to be paired on and ranked: the same one each time."""

from dataclasses import replace
from random import Random
from typing import NamedTuple

from tournament.draw.graph import BYE, FromBye, FromEntry, Pairing
from tournament.draw.pairing import Aims, Contender, PairedRound, pair_round
from tournament.draw.seating import Decision, State, settle

ROUNDS_BEFORE, ROUNDS_OF_A_TABLE = 4, 9
LENGTH = 7
Key = tuple[int, int]


class Table(NamedTuple):
    """A Swiss as records are read off it."""

    pairings: list[Pairing[Key, str]]
    states: dict[Key, State[str]]
    decisions: dict[Key, Decision[str]]


class Swiss:
    """Players with their records; every round is paired as the product would."""

    def __init__(self, number: int) -> None:
        self.aims = Aims()
        self.chance = Random(number)  # noqa: S311 (nothing is decided by it)
        self.players = {
            name: Contender(name, strength=place)
            for place, name in enumerate((f"entry {one}" for one in range(1, number + 1)), start=1)
        }
        self.table = Table([], {}, {})

    def pair(self, number: int) -> PairedRound[str]:
        return pair_round(self.players.values(), self.aims, f"round {number}")

    def play(self, number: int) -> None:
        """One round, paired and played."""
        paired = self.pair(number)
        for line, pair in enumerate(paired.pairs, start=1):
            winner, loser = self.chance.sample((pair.left, pair.right), 2)
            decision = Decision(winner, loser, points=(LENGTH, self.chance.randrange(LENGTH)))
            self._keep((number, line), pair.left, pair.right, decision)
            self._note(winner, loser)
        if paired.bye is not None:
            self._keep((number, len(paired.pairs) + 1), paired.bye.entry, None, None)
            one = self.players[paired.bye.entry]
            self.players[one.entry] = replace(one, wins=one.wins + 1, byes=one.byes + 1)

    def _note(self, winner: str, loser: str) -> None:
        won, lost = self.players[winner], self.players[loser]
        self.players[winner] = replace(won, wins=won.wins + 1, opponents=(*won.opponents, loser))
        self.players[loser] = replace(lost, losses=lost.losses + 1, opponents=(*lost.opponents, winner))

    def _keep(self, key: Key, left: str, right: str | None, decision: Decision[str] | None) -> None:
        source = FromBye() if right is None else FromEntry(right)
        pairing: Pairing[Key, str] = Pairing(key, "main", *key, FromEntry(left), source)
        occupants = (left, BYE if right is None else right)
        self.table.pairings.append(pairing)
        self.table.states[key] = State(*occupants, settle(*occupants, decision, {}))
        if decision is not None:
            self.table.decisions[key] = decision


def after(number: int, rounds: int) -> Swiss:
    """A Swiss of so many players after so many rounds."""
    swiss = Swiss(number)
    for one in range(1, rounds + 1):
        swiss.play(one)
    return swiss
