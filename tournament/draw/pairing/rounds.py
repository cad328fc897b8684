"""A round paired: the pairing of everybody that costs least, aim by aim, and how far that is known.

Up to 500 players the pairing is optimal: no other costs less. Beyond, pairs are looked for in a window of neighbours
that doubles until everybody has an opponent, and while the work allows until nobody meets again who need not; the
round says what every pairing has to cost at least, and often that shows it to be optimal all the same. Nothing here
knows a clock: how much work is done depends on numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Final, Generic, NamedTuple

from tournament.draw.graph import EntryId
from tournament.draw.pairing.contenders import Aims, Contender
from tournament.draw.pairing.costs import Cost, Tiers
from tournament.draw.pairing.edges import Edges
from tournament.draw.pairing.field import Field
from tournament.draw.pairing.lookahead import MOST_PLAYERS, cheapest_leaving_rounds
from tournament.draw.pairing.matching import Edge, cheapest_pairs

OPTIMAL_UP_TO: Final = 500
EDGES_PER_PLAYER: Final = 40
FIRST_WINDOW: Final = 4


@dataclass(frozen=True, slots=True)
class PairMade(Generic[EntryId]):
    """Two who meet; the one with the better record, or of equals the stronger, is on the left."""

    left: EntryId
    right: EntryId
    cost: Cost


@dataclass(frozen=True, slots=True)
class ByeGiven(Generic[EntryId]):
    entry: EntryId
    cost: Cost


@dataclass(frozen=True, slots=True)
class PairedRound(Generic[EntryId]):
    """Pairs from the best record down, the bye of an odd number, what all cost, and what any pairing has to cost."""

    pairs: tuple[PairMade[EntryId], ...]
    bye: ByeGiven[EntryId] | None
    total: Tiers
    at_least: Tiers

    @property
    def bound(self) -> Tiers:
        """How far from the best pairing this can be; all zero where none costs less."""
        return self.total.less(self.at_least)

    @property
    def is_optimal(self) -> bool:
        return self.total == self.at_least


class _Solution(NamedTuple):
    pairs: list[tuple[int, int]]
    weight: int
    at_least: int


def pair_round(
    contenders: Iterable[Contender[EntryId]], aims: Aims, seed_text: str, rounds_left: int = 0
) -> PairedRound[EntryId]:
    """Pairs everybody, the odd one out with a bye. The same contenders, aims and seed text give the same round.

    In a small field the round also leaves pairs for `rounds_left` more rounds without a rematch or a second bye,
    where that is possible: then records may be further apart than in the cheapest pairing.

    The order of the contenders does not matter. The seed text matters only where the seeding is by chance. Raises
    PairingError where a contender is named twice.
    """
    field = Field(contenders, aims, seed_text)
    edges = Edges(field)
    solution = _search(edges) if field.number else _Solution([], 0, 0)
    if rounds_left and 0 < edges.players <= MOST_PLAYERS:
        solution = _leave_rounds(edges, solution, rounds_left)
    ordered = field.contenders
    pairs: list[PairMade[EntryId]] = []
    bye = None
    for one, other in solution.pairs:
        if other == edges.bye:
            bye = ByeGiven(ordered[one].entry, _cost(edges, one, other))
        else:
            pairs.append(PairMade(ordered[one].entry, ordered[other].entry, _cost(edges, one, other)))
    return PairedRound(
        tuple(pairs), bye, edges.scale.tiers(solution.weight), edges.scale.tiers(solution.at_least)
    )


def costs_of(
    pairs: Iterable[frozenset[EntryId]], contenders: Iterable[Contender[EntryId]], aims: Aims, seed_text: str
) -> dict[frozenset[EntryId], Cost]:
    """What each of these pairs, and byes of one entry, costs in the round that `pair_round` pairs of the contenders.

    Pairs with an entry that is no contender are left out, and byes where all can be paired.
    """
    edges = Edges(Field(contenders, aims, seed_text))
    number_of = {one.entry: number for number, one in enumerate(edges.field.contenders)}
    costs: dict[frozenset[EntryId], Cost] = {}
    for pair in pairs:
        numbers = sorted(number_of[entry] for entry in pair if entry in number_of)
        if len(numbers) == len(pair) and (len(pair) > 1 or edges.field.has_bye):
            costs[pair] = _cost(edges, numbers[0], numbers[1] if len(pair) > 1 else edges.bye)
    return costs


def _cost(edges: Edges[EntryId], first: int, second: int) -> Cost:
    contenders, tiers = edges.field.contenders, edges.tiers(first, second)
    left = contenders[first]
    if second == edges.bye:
        return Cost(tiers, ((left.wins, left.losses),), left.byes)
    right = contenders[second]
    return Cost(tiers, ((left.wins, left.losses), (right.wins, right.losses)))


def _search(edges: Edges[EntryId]) -> _Solution:
    """The least weight among pairs in a window; then, where pairs outside could do better, among all that could."""
    window = FIRST_WINDOW
    enough = edges.players * EDGES_PER_PLAYER
    while True:
        candidates = list(edges.in_window(window))
        solution = _solve(edges, candidates)
        if solution is not None:
            above = solution.weight - edges.must_pay
            if above <= edges.least_outside(window):
                return solution._replace(at_least=solution.weight)
            best = _optimum(edges, above, enough)
            if best is not None:
                return best
            avoidable = edges.scale.tiers(solution.weight).rematches - edges.forced_rematches
            if not avoidable or 2 * len(candidates) > enough:
                return solution
        window *= 2


def _leave_rounds(edges: Edges[EntryId], solution: _Solution, rounds_left: int) -> _Solution:
    """The cheapest pairing that spares rematches and second byes later too; `found` where that cannot be."""
    weights = {
        (one, other): weight
        for one, other, weight in edges.up_to(edges.highest_limit)
        if not any(edges.tiers(one, other)[:2])
    }
    pairs = cheapest_leaving_rounds(edges.players, weights, rounds_left, tuple(solution.pairs))
    if pairs is None:
        return solution
    return _Solution(list(pairs), sum(weights[pair] for pair in pairs), solution.at_least)


def _optimum(edges: Edges[EntryId], above: int, enough: int) -> _Solution | None:
    """The optimum, from all pairs that a pairing so cheap can use; None where those are too many."""
    worth = edges.up_to(above)
    if edges.players <= OPTIMAL_UP_TO:
        candidates = list(worth)
    else:
        candidates = list(islice(worth, enough + 1))
        if len(candidates) > enough:
            return None
    solution = _solve(edges, candidates)
    return None if solution is None else solution._replace(at_least=solution.weight)


def _solve(edges: Edges[EntryId], candidates: list[Edge]) -> _Solution | None:
    pairs = cheapest_pairs(edges.players, candidates)
    if 2 * len(pairs) < edges.players:
        return None
    weights = {(one, other): weight for one, other, weight in candidates}
    return _Solution(pairs, sum(weights[pair] for pair in pairs), edges.must_pay)
