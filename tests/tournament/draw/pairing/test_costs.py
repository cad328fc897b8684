"""Costs are stored aim by aim, and in the combined weight no lower aim outweighs a higher one."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.draw.pairing import Aims, Alike, Cost, PairingError, Seeding, Tiers
from tournament.draw.pairing.costs import Scale
from tournament.draw.pairing.matching import cheapest_pairs

small_tiers = st.builds(Tiers, *[st.integers(0, 3)] * len(Tiers._fields))
whole_pairings = st.lists(small_tiers, min_size=5, max_size=5)


def total(costs):
    return Tiers(*map(sum, zip(*costs, strict=True)))


@settings(max_examples=60)
@given(whole_pairings, whole_pairings)
def test_weights_of_whole_pairings_compare_as_their_costs_do_aim_by_aim(first, second):
    scale = Scale(Tiers(*[3] * len(Tiers._fields)), pairs=5)
    weights = [sum(map(scale.weight, costs)) for costs in (first, second)]
    assert (weights[0] < weights[1]) == (total(first) < total(second))
    assert [scale.tiers(weight) for weight in weights] == [total(first), total(second)]


def test_aims_without_cost_need_no_bits():
    scale = Scale(Tiers(rematches=2, seeding=9), pairs=4)
    assert scale.units.gap == scale.units.same_club == 4 * 9 + 1
    assert scale.tiers(scale.weight(Tiers(rematches=5, seeding=36))) == Tiers(rematches=5, seeding=36)


def test_the_matching_counts_exactly_with_the_largest_weights_allowed():
    huge = 2**119
    edges = [(0, 1, huge), (2, 3, huge), (0, 2, huge - 1), (1, 3, huge), (0, 3, huge), (1, 2, huge + 2)]
    assert cheapest_pairs(4, edges) == [(0, 2), (1, 3)]


def test_weights_too_large_to_count_with_are_refused():
    with pytest.raises(PairingError):
        Scale(Tiers(rematches=2**60, seeding=2**60), pairs=2)


def test_a_stored_cost_is_unchanged():
    cost = Cost(Tiers(rematches=1, gap=4, seeding=9), ((3, 1), (1, 3)), byes=1)
    assert Cost.from_json(json.loads(json.dumps(cost.as_json()))) == cost


def test_stored_aims_are_unchanged():
    aims = Aims(alike=Alike.BALANCE, seeding=Seeding.CHANCE, countries_apart=True)
    assert Aims.from_json(json.loads(json.dumps(aims.as_json()))) == aims
    assert Aims.from_json({}) == Aims(byes_first=False)


@pytest.mark.parametrize("stored", [{}, {"records": 7}, {"records": [[1]]}, {"records": [], "gap": "wide"}])
def test_a_cost_that_cannot_be_read_is_refused(stored):
    with pytest.raises(PairingError, match="cannot be read"):
        Cost.from_json(stored)


def test_aims_that_cannot_be_read_are_refused():
    with pytest.raises(PairingError, match="cannot be read"):
        Aims.from_json({"alike": "shoe size"})
