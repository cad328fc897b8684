"""Places of groups that feed other pairings: known after the last match, without ties."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.draw.drawing import open_matches
from tests.tournament.draw.standings.tables import Rounds, a_lot, table
from tournament.draw.graph import BYE, Graph
from tournament.draw.recipes import Spot, apply_order
from tournament.draw.recipes.round_robin import groups_then_play_off
from tournament.draw.seating import Decision, MemorySheet, Seating, resolve
from tournament.draw.standings import (
    SITTING_OUT_IS_NOTHING,
    ExternalValues,
    GroupRank,
    RankingBasis,
    StandingRules,
    StandingsError,
    TieBreak,
    group_ranking,
    lot_numbers,
)

IN_ORDER: Rounds = [["ada 7-0 bo", "cy bye"], ["ada 7-0 cy", "bo bye"], ["bo 7-0 cy", "ada bye"]]
IN_A_CIRCLE: Rounds = [["ada 7-0 bo", "cy bye"], ["cy 7-0 ada", "bo bye"], ["bo 7-0 cy", "ada bye"]]


def ranked_by(*tie_breaks: TieBreak, lot: dict[str, int]) -> RankingBasis[tuple[int, int], str]:
    return RankingBasis(StandingRules(tie_breaks, SITTING_OUT_IS_NOTHING), ExternalValues(lot=lot))


def test_a_group_is_ranked_by_its_matches() -> None:
    pairings, states, decisions, _ = table(IN_ORDER)
    assert group_ranking(pairings, states, decisions, ranked_by(lot={})) == ("ada", "bo", "cy")


def test_a_group_has_no_places_while_one_match_is_open() -> None:
    pairings, states, decisions, _ = table([*IN_ORDER, ["ada ? bo", "cy bye"]])
    assert group_ranking(pairings, states, decisions, ranked_by(lot={})) is None


def test_the_lot_decides_what_no_tie_break_does() -> None:
    pairings, states, decisions, _ = table(IN_A_CIRCLE)
    ranked = ranked_by(TieBreak.HEAD_TO_HEAD, lot={"ada": 2, "bo": 3, "cy": 1})
    assert group_ranking(pairings, states, decisions, ranked) == ("cy", "ada", "bo")


def test_a_lot_named_earlier_decides_earlier() -> None:
    pairings, states, decisions, _ = table([["ada 7-0 bo", "cy 7-6 di"]])
    lot = {"ada": 4, "bo": 2, "cy": 3, "di": 1}
    by_lot = ranked_by(TieBreak.LOT, TieBreak.POINTS_DIFFERENCE, lot=lot)
    assert group_ranking(pairings, states, decisions, by_lot) == ("cy", "ada", "di", "bo")


def test_the_lot_comes_after_every_tie_break_of_the_list() -> None:
    pairings, states, decisions, _ = table([["ada 7-0 bo", "cy 7-6 di"]])
    lot = {"ada": 2, "bo": 1, "cy": 1, "di": 2}
    by_points = ranked_by(TieBreak.POINTS_DIFFERENCE, lot=lot)
    assert group_ranking(pairings, states, decisions, by_points) == ("ada", "cy", "di", "bo")


def test_late_entries_come_after_the_lot() -> None:
    pairings, states, decisions, _ = table(IN_A_CIRCLE)
    ranked = ranked_by(TieBreak.HEAD_TO_HEAD, lot={"cy": 7})
    assert group_ranking(pairings, states, decisions, ranked) == ("cy", "ada", "bo")


def two_groups() -> tuple[Graph[Spot, str], GroupRank[Spot, str]]:
    names = [f"entry {n}" for n in range(1, 8)]
    graph = apply_order(groups_then_play_off(7, 2, through=2), names)
    rules = StandingRules((TieBreak.HEAD_TO_HEAD,), SITTING_OUT_IS_NOTHING)
    return graph, GroupRank(graph, RankingBasis(rules, ExternalValues(lot=lot_numbers(names, "published"))))


def report(sheet: MemorySheet[Spot, str], chance: Random) -> bool:
    playable = open_matches(Seating(sheet.states, frozenset()))
    if not playable:
        return False
    key = chance.choice(playable)
    winner, loser = chance.sample([str(sheet.states[key].left), str(sheet.states[key].right)], 2)
    sheet.decisions[key] = Decision(winner, loser, points=(5, chance.randrange(5)))
    sheet.advance(key)
    return True


def test_the_favourites_of_two_groups_meet_the_seconds_of_the_other() -> None:
    graph, group_rank = two_groups()
    sheet = MemorySheet(graph, group_rank)
    for key in [pairing.key for pairing in graph if pairing.bracket != "play-off"]:
        left, right = sheet.states[key][:2]
        if left is not BYE and right is not BYE:
            better, worse = sorted([str(left), str(right)])
            sheet.decisions[key] = Decision(better, worse)
            assert sheet.states["play-off", 1, 1].left in (None, "entry 1")
            sheet.advance(key)
    semifinals = [sheet.states["play-off", 1, line][:2] for line in (1, 2)]
    assert semifinals == [("entry 1", "entry 3"), ("entry 4", "entry 2")]


@settings(max_examples=15)
@given(st.randoms(use_true_random=False))
def test_advancing_groups_and_a_play_off_equals_a_full_resolve(chance: Random) -> None:
    graph, group_rank = two_groups()
    sheet = MemorySheet(graph, group_rank)
    while report(sheet, chance):
        assert sheet.states == resolve(graph, *sheet.facts).states
    assert sheet.states["play-off", 2, 1].result.how is not None


def test_a_group_whose_matches_are_open_is_not_ranked() -> None:
    graph, group_rank = two_groups()
    states = {key: resolve(graph, {}, rank=group_rank)[key] for key in graph.ranked_pairings("group 1")}
    with pytest.raises(StandingsError, match="In group 1 matches are still open"):
        group_rank("group 1", states, {})


def test_one_lot_serves_every_group_alike() -> None:
    lot = a_lot(table(IN_A_CIRCLE).records).lot
    assert sorted(lot) == ["ada", "bo", "cy"]
    assert lot == a_lot(table(IN_ORDER).records).lot
