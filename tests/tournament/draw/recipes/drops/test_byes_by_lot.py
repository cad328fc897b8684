"""Formats on a sheet with drawn byes: for every size and kind of byes the draw has the layout of the preview."""

from collections import Counter
from random import Random

import pytest

from tests.tournament.draw.recipes.drops.playing import FEWEST, FORMATS, Played, played, report_of
from tournament.draw.graph import BYE, FromBye, FromPairing, Graph, GraphError, Outcome
from tournament.draw.recipes import Byes, Entrant, OrderRules, SeededLines, apply_order, draw_positions
from tournament.draw.recipes.drops import SIMPLE_CONSOLATION, knockout, knockout_with_byes
from tournament.draw.recipes.drops.knockout_format import SIMPLE, KnockoutFormat
from tournament.draw.recipes.drops.report import report_on
from tournament.draw.recipes.knockout import Spot

SIZES = (*range(2, 10), 11, 13, 16, 17, 24, 33)  # around each full sheet, and between
MODES = {
    "lottery": OrderRules(byes=Byes.LOTTERY),
    "balanced": OrderRules(byes=Byes.BALANCED_LOTTERY),
    "lines drawn": OrderRules(seeded_lines=SeededLines.DRAWN),
}
OF_PROGRESSIVE = {name: chosen for name, chosen in FORMATS.items() if chosen.consolation != SIMPLE}


def order_of(entries: int, mode: str) -> list:
    seeds = 4 if mode == "lines drawn" and entries > 4 else 0
    field = [Entrant(n, n if n <= seeds else None) for n in range(1, entries + 1)]
    return draw_positions(field, MODES[mode], f"seed {entries}")


def laid(entries: int, mode: str, chosen: KnockoutFormat) -> Graph[Spot, int]:
    order = order_of(entries, mode)
    empty = [position for position, entry in enumerate(order, 1) if entry is BYE]
    graph = knockout_with_byes(entries, chosen, empty) if empty else knockout(entries, chosen)
    return apply_order(graph, order)


def all_played(graph: Graph[Spot, int], seed: int) -> list[Played]:
    chance = Random(seed)
    return list(played(graph, lambda: chance.random() < 0.5))


def spots(graph: Graph[Spot, int]) -> set[Spot]:
    return {pairing.key for pairing in graph}


def lost_by_round(graph: Graph[Spot, int]) -> Counter:
    """The number of losers of each round who drop into each round."""
    sources = [(pairing, source) for pairing in graph for _, source in pairing.seats]
    return Counter(
        (source.pairing[:2], pairing.key[:2])
        for pairing, source in sources
        if isinstance(source, FromPairing) and source.outcome is Outcome.LOSER
    )


def sizes(name: str) -> list[int]:
    return [entries for entries in SIZES if entries >= FEWEST.get(name, 2)]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", FORMATS)
def test_brackets_and_rounds_drawn_are_those_shown_and_byes_have_no_loser(name: str, mode: str) -> None:
    for entries in sizes(name):
        graph = laid(entries, mode, FORMATS[name])
        assert_byes_have_no_loser_and_never_meet(graph)
        shown = knockout(entries, FORMATS[name])
        if name in OF_PROGRESSIVE:
            assert spots(graph) == spots(shown)
            assert report_on(graph).matches == report_of(entries, FORMATS[name]).matches
        else:
            assert {spot for spot in spots(graph) if spot[0] != "last chance"} == {
                spot for spot in spots(shown) if spot[0] != "last chance"
            }


def assert_byes_have_no_loser_and_never_meet(graph: Graph[Spot, int]) -> None:
    byes = {pairing.key for pairing in graph if FromBye() in (pairing.left, pairing.right)}
    sources = [source for pairing in graph for _, source in pairing.seats]
    assert not any(
        isinstance(source, FromPairing) and source.pairing in byes and source.outcome is not Outcome.WINNER
        for source in sources
    )
    assert not any(pairing.left == FromBye() == pairing.right for pairing in graph)


@pytest.mark.parametrize("name", OF_PROGRESSIVE)
def test_losers_drop_by_the_same_recipe(name: str) -> None:
    for entries in sizes(name):
        shown = lost_by_round(knockout(entries, FORMATS[name]))
        by_lot = lost_by_round(laid(entries, "lottery", FORMATS[name]))
        assert {way for way in shown if way[0][1] > 1} == {way for way in by_lot if way[0][1] > 1}


@pytest.mark.parametrize("name", FORMATS)
def test_byes_spread_evenly_keep_every_figure(name: str) -> None:
    for entries in sizes(name):
        assert report_on(laid(entries, "balanced", FORMATS[name])) == report_of(entries, FORMATS[name])


@pytest.mark.parametrize("mode", MODES)
def test_everybody_who_loses_the_first_match_played_is_in_the_simple_consolation(mode: str) -> None:
    for entries in SIZES[1:]:
        matches = all_played(laid(entries, mode, SIMPLE_CONSOLATION), entries)
        first: dict[int, int] = {}
        for match in matches:
            if match.key[0] == "main":
                for player in match.two:
                    first.setdefault(player, match.loser)
        lost_first = {player for player, loser in first.items() if loser == player}
        beside = {player for match in matches if match.key[0] == "consolation" for player in match.two}
        assert beside == (lost_first if len(lost_first) > 1 else set())


def test_byes_that_do_not_fill_a_sheet_or_meet_are_refused() -> None:
    for empty in ([6, 7], [2, 7, 8], []):
        with pytest.raises(GraphError):
            knockout_with_byes(5, SIMPLE_CONSOLATION, empty)
    with pytest.raises(GraphError, match="meet"):
        knockout_with_byes(6, SIMPLE_CONSOLATION, [1, 8])
