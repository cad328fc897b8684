"""Pairs a round at the least cost, aim by aim, and reports a lower bound of the cost.

Up to 500 players the pairing is optimal. Above, pairs are searched in a window of neighbours that doubles until every
player has an opponent, and within the work limit until avoidable rematches are gone. The lower bound often proves that
pairing optimal too. Limits are counts, not times, so results do not depend on the machine.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Final, Generic, NamedTuple

from rules.translation import gettext_noop
from tournament.draw.graph import EntryId
from tournament.draw.pairing.contenders import Aims, Contender, PairingError
from tournament.draw.pairing.costs import Cost, Tiers
from tournament.draw.pairing.edges import Edges
from tournament.draw.pairing.field import Field
from tournament.draw.pairing.lookahead import MOST_PLAYERS, cheapest_leaving_rounds
from tournament.draw.pairing.matching import Edge, cheapest_pairs

OPTIMAL_UP_TO: Final = 500
EDGES_PER_PLAYER: Final = 40
FIRST_WINDOW: Final = 4


class PairMade(NamedTuple, Generic[EntryId]):
    """Two players who meet. The better record, or the stronger of equals, is on the left."""

    left: EntryId
    right: EntryId
    cost: Cost


class ByeGiven(NamedTuple, Generic[EntryId]):
    entry: EntryId
    cost: Cost


@dataclass(frozen=True, slots=True)
class PairedRound(Generic[EntryId]):
    """Pairs from the best record down, the bye of an odd number, the total cost, and a lower bound of any pairing's
    cost.
    """

    pairs: tuple[PairMade[EntryId], ...]
    bye: ByeGiven[EntryId] | None
    total: Tiers
    at_least: Tiers

    @property
    def bound(self) -> Tiers:
        """The largest possible distance from the best pairing. All zero if the pairing is optimal."""
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
    """Pairs all contenders; an odd number leaves one bye. The same contenders, aims and seed text give the same round.

    In a small field the round also leaves pairs for `rounds_left` more rounds without a rematch or a second bye, if
    possible. Records may then be further apart than in the cheapest pairing.

    The order of the contenders does not matter. The seed text matters only for seeding by chance. Raises PairingError
    for a contender named twice.
    """
    field = Field(contenders, aims, seed_text)
    edges = Edges(field)
    solution = _search(edges) if field.number else _Solution([], 0, 0)
    if rounds_left and 0 < edges.players <= MOST_PLAYERS:
        solution = _leave_rounds(edges, solution, rounds_left)
    ordered = field.contenders
    pairs: list[PairMade[EntryId]] = []
    bye = None
    for first, second in solution.pairs:
        if second == edges.bye:
            bye = ByeGiven(ordered[first].entry, _cost(edges, first, second))
        else:
            pairs.append(PairMade(ordered[first].entry, ordered[second].entry, _cost(edges, first, second)))
    return PairedRound(
        tuple(pairs), bye, edges.scale.tiers(solution.weight), edges.scale.tiers(solution.at_least)
    )


def pair_round_with(
    forced: Iterable[tuple[EntryId, EntryId]],
    contenders: Iterable[Contender[EntryId]],
    aims: Aims,
    seed_text: str,
    rounds_left: int = 0,
) -> PairedRound[EntryId]:
    """Pairs as `pair_round`, with these pairs set by hand. Every cost is that of the whole field.

    `at_least` is the total. Raises PairingError for a pair of a player who is no contender or has two opponents.
    """
    everybody = list(contenders)
    by_hand = [frozenset(pair) for pair in forced]
    seated = {entry for pair in by_hand for entry in pair}
    if len(seated) < 2 * len(by_hand) or not seated <= {contender.entry for contender in everybody}:
        raise PairingError(gettext_noop("A player who is paired by hand cannot play in this round."))
    rest = [contender for contender in everybody if contender.entry not in seated]
    paired = pair_round(rest, aims, seed_text, rounds_left)
    pairs = [*by_hand, *(frozenset((pair.left, pair.right)) for pair in paired.pairs)]
    byes = [] if paired.bye is None else [frozenset((paired.bye.entry,))]
    costs = costs_of([*pairs, *byes], everybody, aims, seed_text)
    field = Field(everybody, aims, seed_text)
    number_of = {contender.entry: number for number, contender in enumerate(field.contenders)}
    ordered = sorted(sorted(number_of[entry] for entry in pair) for pair in pairs)
    entries = [contender.entry for contender in field.contenders]
    total = _total(costs.values())
    return PairedRound(
        tuple(
            PairMade(entries[left], entries[right], costs[frozenset((entries[left], entries[right]))])
            for left, right in ordered
        ),
        None if paired.bye is None else ByeGiven(paired.bye.entry, costs[byes[0]]),
        total,
        total,
    )


def _total(costs: Iterable[Cost]) -> Tiers:
    total = Tiers()
    for cost in costs:
        total = total.plus(cost.tiers)
    return total


def costs_of(
    pairs: Iterable[frozenset[EntryId]], contenders: Iterable[Contender[EntryId]], aims: Aims, seed_text: str
) -> dict[frozenset[EntryId], Cost]:
    """Returns the cost of each of these pairs, and of byes of one entry, in the round that `pair_round` pairs.

    Leaves out pairs with an entry that is not a contender, and byes if all can be paired.
    """
    edges = Edges(Field(contenders, aims, seed_text))
    number_of = {contender.entry: number for number, contender in enumerate(edges.field.contenders)}
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
    """Finds the least weight among pairs in a window, then among all pairs that could improve on it."""
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
            tiers = edges.scale.tiers(solution.weight)
            avoidable = tiers.kept_apart + tiers.rematches - edges.forced_rematches
            if not avoidable or 2 * len(candidates) > enough:
                return solution
        window *= 2


def _leave_rounds(edges: Edges[EntryId], solution: _Solution, rounds_left: int) -> _Solution:
    """Returns the cheapest pairing that avoids rematches and second byes in later rounds, or `solution` without one."""
    weights = {
        (first, second): weight
        for first, second, weight in edges.up_to(edges.highest_limit)
        if not any(edges.tiers(first, second)[:3])
    }
    pairs = cheapest_leaving_rounds(edges.players, weights, rounds_left, tuple(solution.pairs))
    if pairs is None:
        return solution
    return _Solution(list(pairs), sum(weights[pair] for pair in pairs), solution.at_least)


def _optimum(edges: Edges[EntryId], above: int, enough: int) -> _Solution | None:
    """Returns the optimum among all pairs that such a cheap pairing can contain; None if there are too many."""
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
    weights = {(first, second): weight for first, second, weight in candidates}
    return _Solution(pairs, sum(weights[pair] for pair in pairs), edges.must_pay)
