"""Knock-outs of every size: matches, byes, seeds and names of rounds."""

from collections.abc import Sequence
from math import inf
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.tournament.draw.drawing import ALL_SIZES, play_out
from tournament.draw.graph import BYE, FromBye, FromEntry, FromPairing, GraphError, Outcome, Pairing, Source
from tournament.draw.recipes import Spot, apply_order, round_name, seed_lines, single_elimination
from tournament.draw.seating import How, resolve

EVERY_SIZE = [*range(2, 34), 63, 64, 65, 100, 127, 128, 129, 1023, 1024]


def names(entries: int) -> list[str]:
    return [f"entry {n}" for n in range(1, entries + 1)]


def first_round(entries: int) -> list[Pairing[Spot, int]]:
    return [pairing for pairing in single_elimination(entries) if pairing.round == 1]


def positions_with_a_bye(entries: int) -> set[int]:
    pairs = [(pairing.left, pairing.right) for pairing in first_round(entries)]
    return set(positions([source for pair in pairs if FromBye() in pair for source in pair]))


def positions(sources: list[Source[Spot, int]]) -> list[int]:
    return [source.entry for source in sources if isinstance(source, FromEntry) and source.entry is not None]


class Lot(Random):
    """No randomness: everything keeps its order, and every player comes."""

    def sample(self, population: Sequence[Any], k: int, *, counts: Any = None) -> list[Any]:
        return list(population[:k])

    def random(self) -> float:
        return 1.0


def test_a_knock_out_has_one_match_fewer_than_entries() -> None:
    for entries in EVERY_SIZE:
        graph = apply_order(single_elimination(entries), names(entries))
        decisions, seating = play_out(graph, Lot())
        assert len(decisions) == entries - 1
        assert all(state.result.how is not None for state in seating.states.values())


def test_every_position_is_seated_once_and_the_rest_are_byes() -> None:
    for entries in EVERY_SIZE:
        sources = [source for pairing in first_round(entries) for _, source in pairing.seats]
        assert sorted(positions(sources)) == list(range(1, entries + 1))
        assert sources.count(FromBye()) == len(sources) - entries
        assert len(sources) < 2 * entries


def test_no_two_byes_meet() -> None:
    for entries in EVERY_SIZE:
        assert all((p.left, p.right) != (FromBye(), FromBye()) for p in single_elimination(entries))


def test_the_byes_stand_opposite_the_first_positions() -> None:
    for entries in EVERY_SIZE:
        byes = 2 ** (entries - 1).bit_length() - entries
        assert positions_with_a_bye(entries) == set(range(1, byes + 1))


def test_every_winner_but_the_last_goes_on_once_and_no_loser() -> None:
    for entries in EVERY_SIZE:
        graph = single_elimination(entries)
        feeds = [feed for pairing in graph for feed in graph.feeds_from(pairing.key)]
        assert {feed.outcome for feed in feeds} <= {Outcome.WINNER}
        assert (
            len({feed.source for feed in feeds}) == len({(f.target, f.seat) for f in feeds}) == len(graph) - 1
        )


def test_seeds_meet_no_earlier_than_their_numbers_allow() -> None:
    for entries in EVERY_SIZE:
        graph = single_elimination(entries)
        rounds = max(pairing.round for pairing in graph)
        best: dict[Spot, float] = {}
        for pairing in graph:
            sides = [best_of(source, best) for _, source in pairing.seats]
            left_in = 2 ** (rounds - pairing.round + 1)
            assert sum(sides) == left_in + 1 or FromBye() in (pairing.left, pairing.right)
            assert max(sides) <= left_in or FromBye() in (pairing.left, pairing.right)
            best[pairing.key] = min(sides)


def best_of(source: Source[Spot, int], best: dict[Spot, float]) -> float:
    if isinstance(source, FromPairing):
        return best[source.pairing]
    return min(positions([source]), default=inf)


def test_lines_run_from_top_to_bottom_and_neighbours_meet() -> None:
    for entries in EVERY_SIZE:
        graph = single_elimination(entries)
        for pairing in graph:
            assert pairing.key == (pairing.bracket, pairing.round, pairing.line)
            for feed in graph.feeds_from(pairing.key):
                assert feed.target == ("main", pairing.round + 1, (pairing.line + 1) // 2)
                assert feed.seat == ("left" if pairing.line % 2 else "right")


def test_the_sheet_of_eight_is_the_usual_one() -> None:
    assert seed_lines(3) == [1, 8, 5, 4, 3, 6, 7, 2]
    assert seed_lines(4) == [1, 16, 9, 8, 5, 12, 13, 4, 3, 14, 11, 6, 7, 10, 15, 2]


def test_five_entries_have_three_byes_and_one_match_in_the_first_round() -> None:
    seating = resolve(single_elimination(5), {})
    assert [(seating["main", 1, n].left, seating["main", 1, n].right) for n in (1, 2, 3, 4)] == [
        (1, BYE),
        (5, 4),
        (3, BYE),
        (BYE, 2),
    ]
    assert (seating["main", 2, 2].left, seating["main", 2, 2].right) == (3, 2)


def test_a_bracket_can_have_another_name() -> None:
    assert {pairing.bracket for pairing in single_elimination(4, "consolation")} == {"consolation"}


@pytest.mark.parametrize("entries", [-1, 0, 1, 1025])
def test_a_knock_out_has_from_2_to_1024_entries(entries: int) -> None:
    with pytest.raises(GraphError, match="2 to 1,024 entries"):
        single_elimination(entries)


@settings(max_examples=5)
@given(ALL_SIZES, st.randoms(use_true_random=False))
@example(1024, Lot())
def test_the_winner_of_any_knock_out_never_lost(entries: int, chance: Random) -> None:
    graph = apply_order(single_elimination(entries), names(entries))
    decisions, seating = play_out(graph, chance)
    losers = [decision.loser for decision in decisions.values()]
    assert len(set(losers)) == len(losers) == entries - 1
    last = max(graph, key=lambda pairing: pairing.round)
    assert {seating[last.key].result.winner} == set(names(entries)) - set(losers)


@settings(max_examples=30)
@given(ALL_SIZES)
def test_byes_are_used_up_in_the_first_round(entries: int) -> None:
    seating = resolve(single_elimination(entries), {})
    assert all(state.result.how != How.BYE for (_, number, _), state in seating.states.items() if number > 1)


def test_rounds_are_named_from_the_last_backwards() -> None:
    assert [round_name(4, number) for number in (1, 2, 3, 4)] == [
        "round_of_16",
        "quarterfinals",
        "semifinals",
        "final",
    ]
    assert round_name(10, 1) == "round_of_1024"


@pytest.mark.parametrize(("rounds", "number"), [(3, 0), (3, 4), (11, 1)])
def test_a_round_that_is_not_played_has_no_name(rounds: int, number: int) -> None:
    with pytest.raises(ValueError, match=f"no round {number}"):
        round_name(rounds, number)
