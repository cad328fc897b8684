"""Places in a knock-out, and the places still open to entries that are in."""

from collections import Counter
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.draw.drawing import (
    a_decision,
    drop_out_bracket,
    knock_outs,
    open_matches,
    play_out,
    seated,
)
from tournament.draw.graph import FromPairing, Graph, Outcome, Pairing, Seat
from tournament.draw.recipes import Spot, apply_order, single_elimination
from tournament.draw.recipes.drops import DOUBLE_ELIMINATION_WITH_RESET, knockout
from tournament.draw.seating import Decision, How, resolve
from tournament.draw.standings.knockout_places import Placing, knockout_places


def out(entry: str, place_from: int, place_to: int) -> Placing[str]:
    return Placing(entry, place_from, place_to, still_in=False)


def still_in(entry: str, place_from: int, place_to: int) -> Placing[str]:
    return Placing(entry, place_from, place_to, still_in=True)


def knock_out(*entries: str) -> Graph[Spot, str]:
    return apply_order(single_elimination(len(entries)), entries)


def with_third_place() -> Graph[Spot, str]:
    losers = [FromPairing(("main", 1, line), Outcome.LOSER) for line in (1, 2)]
    return Graph([*knock_out("ada", "bo", "cy", "di"), Pairing(("third", 2, 1), "third", 2, 1, *losers)])


SEMIFINALS = {("main", 1, 1): Decision("ada", "di"), ("main", 1, 2): Decision("bo", "cy")}
FINAL = {("main", 2, 1): Decision("bo", "ada")}


def test_before_the_first_match_every_place_is_open() -> None:
    graph = knock_out("ada", "bo", "cy", "di")
    assert knockout_places(graph, resolve(graph, {})) == [
        still_in(e, 1, 4) for e in ("ada", "di", "cy", "bo")
    ]


def test_a_player_with_a_bye_cannot_be_last() -> None:
    graph = knock_out("ada", "bo", "cy")
    assert knockout_places(graph, resolve(graph, {})) == [
        still_in("ada", 1, 2),
        still_in("cy", 1, 3),
        still_in("bo", 1, 3),
    ]


def test_the_losers_of_a_round_share_their_places() -> None:
    graph = knock_out("ada", "bo", "cy", "di")
    assert knockout_places(graph, resolve(graph, SEMIFINALS)) == [
        still_in("ada", 1, 2),
        still_in("bo", 1, 2),
        out("di", 3, 4),
        out("cy", 3, 4),
    ]
    assert knockout_places(graph, resolve(graph, SEMIFINALS | FINAL))[:2] == [
        out("bo", 1, 1),
        out("ada", 2, 2),
    ]


def test_a_third_place_match_separates_the_losers_of_the_semifinals() -> None:
    graph = with_third_place()
    ranked = ("main", "third")
    assert knockout_places(graph, resolve(graph, SEMIFINALS), ranked)[2:] == [
        still_in("di", 3, 4),
        still_in("cy", 3, 4),
    ]
    facts = SEMIFINALS | FINAL | {("third", 2, 1): Decision("cy", "di")}
    assert knockout_places(graph, resolve(graph, facts), ranked) == [
        out("bo", 1, 1),
        out("ada", 2, 2),
        out("cy", 3, 3),
        out("di", 4, 4),
    ]


def test_without_its_third_place_bracket_the_main_bracket_shares_third_place() -> None:
    graph = with_third_place()
    assert knockout_places(graph, resolve(graph, SEMIFINALS | FINAL))[2:] == [
        out("di", 3, 4),
        out("cy", 3, 4),
    ]


def test_two_losses_and_out_uses_the_same_places() -> None:
    graph = drop_out_bracket()
    facts = {
        "A1": Decision("ada", "bo"),
        "A2": Decision("cy", "di"),
        "B1": Decision("ada", "cy"),
        "L1": Decision("bo", "di"),
    }
    ranked = ("main", "lower")
    assert knockout_places(graph, resolve(graph, facts), ranked) == [
        still_in("ada", 1, 2),
        still_in("bo", 1, 3),
        still_in("cy", 1, 3),
        out("di", 4, 4),
    ]
    facts |= {"L2": Decision("bo", "cy"), "F": Decision("bo", "ada")}
    assert [p.entry for p in knockout_places(graph, resolve(graph, facts), ranked)] == [
        "bo",
        "ada",
        "cy",
        "di",
    ]


def test_a_consolation_has_its_own_places() -> None:
    graph = drop_out_bracket()
    facts = {"A1": Decision("ada", "bo"), "A2": Decision("cy", "di"), "L1": Decision("bo", "di")}
    assert knockout_places(graph, resolve(graph, facts), ["lower"]) == [still_in("bo", 1, 2), out("di", 3, 3)]


DOUBLE = apply_order(knockout(4, DOUBLE_ELIMINATION_WITH_RESET), ["ada", "bo", "cy", "di"])
TO_THE_FINAL = {
    ("main", 1, 1): Decision("ada", "di"),
    ("main", 1, 2): Decision("bo", "cy"),
    ("main", 2, 1): Decision("ada", "bo"),
    ("lower", 1, 1): Decision("cy", "di"),
    ("lower", 2, 1): Decision("cy", "bo"),
}


def double_places(facts: dict[Spot, Decision[str]]) -> list[Placing[str]]:
    return knockout_places(DOUBLE, resolve(DOUBLE, facts), ("main", "lower"), above=("final",))


def test_in_a_double_elimination_only_the_last_finals_are_for_the_first_two_places() -> None:
    assert double_places({}) == [still_in(e, 1, 4) for e in ("ada", "di", "cy", "bo")]
    assert double_places(TO_THE_FINAL) == [
        still_in("ada", 1, 2),
        still_in("cy", 1, 2),
        out("bo", 3, 3),
        out("di", 4, 4),
    ]


def test_the_once_beaten_finalist_is_second_after_losing_the_final() -> None:
    facts = TO_THE_FINAL | {("final", 1, 1): Decision("ada", "cy")}
    assert double_places(facts)[:2] == [out("ada", 1, 1), out("cy", 2, 2)]


def test_the_unbeaten_finalist_plays_again_after_losing_the_final() -> None:
    facts = TO_THE_FINAL | {("final", 1, 1): Decision("cy", "ada")}
    assert double_places(facts)[:2] == [still_in("cy", 1, 2), still_in("ada", 1, 2)]
    facts |= {("final", 2, 1): Decision("ada", "cy")}
    assert double_places(facts)[:2] == [out("ada", 1, 1), out("cy", 2, 2)]


def test_a_final_that_both_lost_has_two_second_places() -> None:
    facts = TO_THE_FINAL | {("final", 1, 1): Decision.both_lost("ada", "cy")}
    assert [(p.entry, p.place_from, p.place_to) for p in double_places(facts)[:2]] == [
        ("ada", 1, 2),
        ("cy", 1, 2),
    ]


def test_two_absent_players_share_the_places_of_their_round() -> None:
    graph = knock_out("ada", "bo", "cy", "di")
    facts = {("main", 1, 1): Decision.both_lost("ada", "di"), ("main", 1, 2): Decision("bo", "cy")}
    assert knockout_places(graph, resolve(graph, facts)) == [
        out("bo", 1, 1),
        out("ada", 2, 4),
        out("di", 2, 4),
        out("cy", 2, 4),
    ]


def test_a_player_who_meets_a_bye_in_the_final_plays_for_first_place_now() -> None:
    graph = knock_out("ada", "bo", "cy", "di")
    facts = {("main", 1, 1): Decision.both_lost("ada", "di")}
    assert knockout_places(graph, resolve(graph, facts)) == [
        still_in("cy", 1, 4),
        still_in("bo", 1, 4),
        out("ada", 2, 4),
        out("di", 2, 4),
    ]


def test_a_final_without_a_winner_has_no_first_place() -> None:
    graph = knock_out("ada", "bo")
    final = {("main", 1, 1): Decision.both_lost("ada", "bo")}
    assert knockout_places(graph, resolve(graph, final)) == [out("ada", 1, 2), out("bo", 1, 2)]


def test_a_walkover_places_like_a_loss() -> None:
    graph = knock_out("ada", "bo", "cy", "di")
    assert knockout_places(graph, resolve(graph, {}, {"ada": 1}))[-1] == out("ada", 3, 4)


@settings(max_examples=15)
@given(knock_outs(), st.randoms(use_true_random=False))
def test_final_places_are_shared_by_as_many_entries_as_they_span(
    graph: Graph[Any, str], chance: Random
) -> None:
    _, seating = play_out(graph, chance, nobody_came=0.1)
    ranking = knockout_places(graph, seating)
    assert sorted(placing.entry for placing in ranking) == sorted(seated(graph))
    assert not any(placing.still_in for placing in ranking)
    shared = Counter((placing.place_from, placing.place_to) for placing in ranking)
    after = 0
    for (place_from, place_to), number in sorted(shared.items()):
        assert (place_from, place_to) == (after + 1, after + number)
        after = place_to


@settings(max_examples=15)
@given(knock_outs(), st.randoms(use_true_random=False))
def test_a_place_follows_from_the_round_of_the_loss(graph: Graph[Any, str], chance: Random) -> None:
    decisions, seating = play_out(graph, chance)
    rounds = max(pairing.round for pairing in graph)
    lost_in = {decision.loser: graph[key].round for key, decision in decisions.items()}
    for placing in knockout_places(graph, seating):
        round_number = lost_in.get(placing.entry, rounds + 1)
        best = 1 + sum(lost_in.get(entry, rounds + 1) > round_number for entry in seated(graph))
        share = sum(lost_in.get(entry, rounds + 1) == round_number for entry in seated(graph))
        assert (placing.place_from, placing.place_to) == (best, best + share - 1)


@settings(max_examples=15)
@given(knock_outs(), st.randoms(use_true_random=False))
def test_possible_places_only_narrow(graph: Graph[Any, str], chance: Random) -> None:
    decisions: dict[Spot, Decision[str]] = {}
    seating = resolve(graph, decisions)
    placings = {placing.entry: placing for placing in knockout_places(graph, seating)}
    while playable := open_matches(seating):
        key = chance.choice(playable)
        decisions[key] = a_decision(seating[key].left, seating[key].right, chance)
        seating = resolve(graph, decisions)
        for placing in knockout_places(graph, seating):
            before = placings[placing.entry]
            assert before.place_from <= placing.place_from <= placing.place_to <= before.place_to
            assert before.still_in or placing == before
            placings[placing.entry] = placing


def test_a_thousand_entries_each_have_a_place() -> None:
    graph = knock_out(*(f"entry {n}" for n in range(1000)))
    _, seating = play_out(graph, Random(9))
    ranking = knockout_places(graph, seating)
    assert len(ranking) == 1000
    assert sum(state.result.how is How.BYE for state in seating.states.values()) == 24
    assert (ranking[0].place_to, ranking[-1].place_from, ranking[-1].place_to) == (1, 513, 1000)


def test_a_kept_player_and_the_displaced_one_each_have_one_place() -> None:
    """Ada lost to Bo after all, or that is open again; the final she won against Cy stays."""
    graph = apply_order(single_elimination(4), ["ada", "bo", "cy", "di"])
    left, right, final = [pairing.key for pairing in graph]
    sides = {key: seat_names(graph, key) for key in (left, right)}
    kept_seats = {(final, Seat.LEFT): sides[left][0]}
    played = {right: Decision(*sides[right]), final: Decision(sides[left][0], sides[right][0])}
    for first in ({left: Decision(sides[left][1], sides[left][0])}, {}):
        placed = knockout_places(graph, resolve(graph, played | first, kept_seats=kept_seats))
        assert sorted(placing.entry for placing in placed) == ["ada", "bo", "cy", "di"]
        assert placed[0].entry == sides[left][0]


def seat_names(graph: Any, key: Any) -> list[str]:
    return [source.entry for _, source in graph[key].seats]
