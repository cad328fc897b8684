"""The expected rematches of a draw before it is played.

All players are equally strong, all matches are played, and each match is an independent toss.
"""

from __future__ import annotations

from typing import Generic, NamedTuple

from tournament.draw.graph import EntryId, FromPairing, Graph, Outcome, Pairing, PairingKey
from tournament.draw.graph.match_plan import MatchPlan, plan_matches, round_slots


class Rematches(NamedTuple, Generic[PairingKey]):
    """The expected number of rematches, and the first pairing by slots of play that can be a rematch (None without
    one).
    """

    expected: float
    earliest: PairingKey | None


def rematches(graph: Graph[PairingKey, EntryId]) -> Rematches[PairingKey]:
    """Returns the expected number of rematches, exact and without sampling, and the earliest possible one.

    Two players part at a match as its winner and its loser. Let f(a, b) be the chance that they meet again when their
    next matches are a and b. It is 1 if a = b and 0 if either is out. Otherwise the match that comes first in the draw
    is a toss with two next matches for its player, and f is the mean of both. The other player is not in that match, so
    the tosses are independent. f depends on the two matches only and is computed once for each pair. The sum over all
    matches counts each rematch once, from the last time the two met.

    A final between the winners of two brackets is not counted, because no layout can prevent it. Neither are meetings
    after a first loss that sends a player to another bracket at once, as in a second final or in a consolation for
    losers of the first match.
    """
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
    """The matches of a draw by number, in its order, and the chances of two players to meet again."""

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
        """Returns for each match the matches that can follow it, itself included, as a bit mask."""
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
