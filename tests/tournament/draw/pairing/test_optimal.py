"""No other pairing costs less: compared with all pairings, and with the matching of another library."""

from collections.abc import Collection
from itertools import combinations

import networkx
import pytest

from tests.tournament.draw.pairing.oracle import Oracle, some_history
from tournament.draw.pairing import (
    MONRAD,
    Aims,
    Alike,
    Contender,
    PairedRound,
    Seeding,
    Tiers,
    costs_of,
    pair_round,
)
from tournament.draw.pairing.costs import Scale
from tournament.draw.pairing.matching import cheapest_pairs

SOME_AIMS = [
    Aims(),
    Aims(seeding=Seeding.SLIDE, clubs_apart=True),
    Aims(alike=Alike.LOSSES, clubs_apart=True, countries_apart=True),
    Aims(alike=Alike.BALANCE, countries_apart=True, teams_apart=True),
    MONRAD,
]


def cost_by_oracle(paired: PairedRound, contenders: list[Contender], oracle: Oracle) -> Tiers:
    """What the round costs by the oracle, when every pair and the bye cost what is said of them."""
    by_entry = {contender.entry: contender for contender in contenders}
    total = Tiers()
    seated = []
    for pair in paired.pairs:
        assert pair.cost.tiers == oracle.pair(by_entry[pair.left], by_entry[pair.right])
        total = total.plus(pair.cost.tiers)
        seated += [pair.left, pair.right]
    if paired.bye is not None:
        assert paired.bye.cost.tiers == oracle.bye(by_entry[paired.bye.entry])
        total = total.plus(paired.bye.cost.tiers)
        seated.append(paired.bye.entry)
    assert sorted(seated) == sorted(by_entry)
    return total


@pytest.mark.parametrize("aims", SOME_AIMS, ids=lambda aims: f"{aims.alike}-{aims.seeding}")
@pytest.mark.parametrize(
    ("number", "histories"), [(2, 3), (3, 6), (5, 12), (6, 20), (7, 12), (8, 12), (9, 3), (10, 3)]
)
def test_no_pairing_of_a_few_players_costs_less(number, histories, aims):
    for seed in range(histories):
        contenders = some_history(number, rounds=seed % 7, seed=100 * number + seed)
        paired = pair_round(contenders, aims, "dice")
        oracle = Oracle(contenders, aims)
        assert (
            cost_by_oracle(paired, contenders, oracle) == paired.total == paired.at_least == oracle.cheapest()
        )


@pytest.mark.parametrize("aims", SOME_AIMS, ids=lambda aims: f"{aims.alike}-{aims.seeding}")
@pytest.mark.parametrize("number", [2, 7, 10])
def test_any_pair_and_any_bye_of_a_round_costs_what_the_aims_say(number, aims):
    for seed in range(6):
        contenders = some_history(number, rounds=seed % 7, seed=100 * number + seed)
        oracle = Oracle(contenders, aims)
        wanted = {
            frozenset((contender.entry, rival.entry)): (contender, rival)
            for contender, rival in combinations(contenders, 2)
        }
        byes = {frozenset((contender.entry,)): contender for contender in contenders}
        stranger = frozenset((contenders[0].entry, "nobody"))
        costs = costs_of([*wanted, *byes, stranger], contenders, aims, "dice")
        assert costs.keys() == wanted.keys() | (byes.keys() if number % 2 else set())
        for pair, cost in costs.items():
            assert cost.tiers == (oracle.pair(*wanted[pair]) if pair in wanted else oracle.bye(byes[pair]))
        for made in pair_round(contenders, aims, "dice").pairs:
            assert costs[frozenset((made.left, made.right))] == made.cost


@pytest.mark.parametrize("aims", SOME_AIMS, ids=lambda aims: f"{aims.alike}-{aims.seeding}")
@pytest.mark.parametrize(
    ("number", "met_everybody"), [(2, 2), (5, 1), (6, 1), (6, 2), (7, 2), (7, 3), (8, 3)]
)
def test_no_pairing_costs_less_where_some_have_met_everybody(number, met_everybody, aims):
    for seed in range(4):
        contenders = having_met_everybody(some_history(number, seed % 3, seed), range(met_everybody))
        paired = pair_round(contenders, aims, "dice")
        oracle = Oracle(contenders, aims)
        assert (
            cost_by_oracle(paired, contenders, oracle) == paired.total == paired.at_least == oracle.cheapest()
        )


@pytest.mark.parametrize("aims", SOME_AIMS, ids=lambda aims: f"{aims.alike}-{aims.seeding}")
@pytest.mark.parametrize("number", [2, 4, 5, 8, 9])
def test_no_pairing_costs_less_where_players_are_kept_apart(number, aims):
    for seed in range(4):
        first, second, *others = some_history(number, seed % 4, seed)
        others = [contender._replace(apart=(first.entry,)) for contender in others[:seed]] + others[seed:]
        contenders = [first._replace(apart=(second.entry,)), second, *others]
        paired = pair_round(contenders, aims, "dice")
        oracle = Oracle(contenders, aims)
        assert (
            cost_by_oracle(paired, contenders, oracle) == paired.total == paired.at_least == oracle.cheapest()
        )


def having_met_everybody(contenders: list[Contender], indices: Collection[int]) -> list[Contender]:
    everybody = [contender.entry for contender in contenders]
    return [
        contender._replace(opponents=tuple(entry for entry in everybody if entry != contender.entry))
        if number in indices
        else contender
        for number, contender in enumerate(contenders)
    ]


@pytest.mark.parametrize(("indices", "rematches"), [([300], 1), ([3, 596], 1), ([3, 300, 596], 2)])
def test_a_large_round_with_players_who_met_everybody_is_proven_optimal(indices, rematches):
    paired = pair_round(having_met_everybody(some_history(600, 0, 1), indices), Aims(), "dice")
    assert paired.is_optimal
    assert paired.total.rematches == rematches


@pytest.mark.parametrize("aims", [SOME_AIMS[1], MONRAD], ids=["swiss", "monrad"])
def test_a_hundred_players_cost_what_another_library_finds(aims):
    contenders = some_history(100, rounds=6, seed=9)
    paired = pair_round(contenders, aims, "dice")
    oracle = Oracle(contenders, aims)
    costs = {
        (contender, rival): oracle.pair(contender, rival) for contender, rival in combinations(contenders, 2)
    }
    scale = Scale(Tiers(*map(max, *costs.values())), 50)
    graph = networkx.Graph()
    for (contender, rival), cost in costs.items():
        graph.add_edge(contender.entry, rival.entry, weight=-scale.weight(cost))
    theirs = networkx.max_weight_matching(graph, maxcardinality=True)
    assert scale.weight(paired.total) == -sum(graph[entry][opponent]["weight"] for entry, opponent in theirs)
    assert paired.is_optimal


def test_beyond_five_hundred_players_the_best_pairing_lies_within_the_bound():
    aims = Aims(clubs_apart=True)
    contenders = some_history(504, rounds=1, seed=3, clubs=1)
    paired = pair_round(contenders, aims, "dice")
    oracle = Oracle(contenders, aims)
    cost_by_oracle(paired, contenders, oracle)
    costs = {
        (index, rival_index): oracle.pair(contenders[index], contenders[rival_index])
        for index, rival_index in combinations(range(len(contenders)), 2)
    }
    scale = Scale(Tiers(*map(max, *costs.values())), 252)
    pairs = cheapest_pairs(504, [(*pair, scale.weight(cost)) for pair, cost in costs.items()])
    best = Tiers(*map(sum, zip(*(costs[pair] for pair in pairs), strict=True)))
    assert paired.at_least <= best <= paired.total
    assert not paired.is_optimal
    assert paired.total == paired.at_least.plus(paired.bound)
