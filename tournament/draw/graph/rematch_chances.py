"""How often two will meet again, before a draw is played.

Everybody is as strong as everybody else, every match is played, and each is decided by a toss of its own.
"""

from __future__ import annotations

from typing import Generic, NamedTuple

from tournament.draw.graph import EntryId, FromPairing, Graph, Outcome, Pairing, PairingKey
from tournament.draw.graph.match_plan import MatchPlan, plan_matches, round_slots


class Rematches(NamedTuple, Generic[PairingKey]):
    """How many matches of a draw are expected to be a rematch, and the earliest that can be one."""

    expected: float
    earliest: PairingKey | None


def expected_rematches(graph: Graph[PairingKey, EntryId]) -> float:
    """The expected number of matches between two who have met before: exact, nothing is sampled.

    Two part at a match, one as its winner and one as its loser. From there f(one's next match, the other's)
    is the chance that they meet again: 1 where both are the same match; where they differ, the one that
    comes first in the draw is a toss, whose two outcomes lead its player to two further matches, and f is
    half of each; 0 once either is out. The other is not in that match, or the two would have met there, so
    the tosses are independent. f depends on the two matches alone and is worked out once for each such pair;
    the sum over all matches counts each rematch once, from the last time that the two met.

    A last final between the winners of two brackets is not counted: no layout can keep those two apart.
    Nor is it followed up whom a player meets after a first loss that sends it to another bracket at once,
    as in the second final of a double elimination or a consolation for whoever loses the first match.
    """
    return rematches(graph).expected


def earliest_rematch(graph: Graph[PairingKey, EntryId]) -> PairingKey | None:
    """The first pairing, by slots of play, whose two may have met before; None where nobody can meet again."""
    return rematches(graph).earliest


def rematches(graph: Graph[PairingKey, EntryId]) -> Rematches[PairingKey]:
    """Both at once; see `expected_rematches` for what is counted and how."""
    chances = _MeetingChances(graph, plan_matches(graph))
    total = sum(chances.chance(*chances.next[number]) for number in range(len(chances.keys)))
    slots = round_slots(graph)
    met_again = [graph[chances.keys[number]] for number in chances.met_again]
    earliest = min(
        met_again,
        key=lambda pairing: (slots[pairing.bracket, pairing.round], pairing.bracket, pairing.line),
        default=None,
    )
    return Rematches(total, None if earliest is None else earliest.key)


class _MeetingChances(Generic[PairingKey]):
    """The matches of a draw by number, in its order, and the chances of two to meet again."""

    def __init__(self, graph: Graph[PairingKey, EntryId], plan: MatchPlan[PairingKey]) -> None:
        self.keys = plan.matches
        numbers = {
            key: number for number, key in enumerate(self.keys) if not _joins_two_brackets(graph, graph[key])
        }
        self.next = [
            (
                numbers.get(plan.after(key, Outcome.WINNER)),  # type: ignore[arg-type]
                numbers.get(plan.after(key, Outcome.LOSER)),  # type: ignore[arg-type]
            )
            for key in self.keys
        ]
        self.reached = self._reached()
        self.cache: dict[tuple[int, int], float] = {}
        self.met_again: set[int] = set()

    def _reached(self) -> list[int]:
        """For each match the matches that can follow it, itself among them, as the bits of a number."""
        reached = [0] * len(self.keys)
        for number in reversed(range(len(self.keys))):
            reached[number] = 1 << number
            for after in self.next[number]:
                reached[number] |= 0 if after is None else reached[after]
        return reached

    def chance(self, first: int | None, second: int | None) -> float:
        if first is None or second is None or not self.reached[first] & self.reached[second]:
            return 0.0
        if first == second:
            self.met_again.add(first)
            return 1.0
        first, second = sorted((first, second))
        if (first, second) not in self.cache:
            won, lost = self.next[first]
            self.cache[first, second] = (self.chance(won, second) + self.chance(lost, second)) / 2
        return self.cache[first, second]


def _joins_two_brackets(graph: Graph[PairingKey, EntryId], pairing: Pairing[PairingKey, EntryId]) -> bool:
    winners = {
        graph[source.pairing].bracket
        for _, source in pairing.seats
        if isinstance(source, FromPairing) and source.outcome == Outcome.WINNER
    }
    return len(winners) > 1
