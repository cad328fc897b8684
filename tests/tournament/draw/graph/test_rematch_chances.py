"""Expected rematches: exact, equal to those of known layouts, and as low as in layouts in use."""

import json
from itertools import product
from pathlib import Path

import pytest

from tests.tournament.draw.recipes.drops.playing import FORMATS, played
from tournament.draw.graph import FromPairing, Graph, Outcome, Pairing, Source
from tournament.draw.graph.rematch_chances import rematches
from tournament.draw.recipes import single_elimination
from tournament.draw.recipes.drops import (
    DOUBLE_ELIMINATION,
    DOUBLE_ELIMINATION_WITH_RESET,
    KNOCK_OUT,
    PROGRESSIVE_CONSOLATION,
    SIMPLE_CONSOLATION,
    KnockoutFormat,
    knockout,
)
from tournament.draw.recipes.knockout import Spot

KNOWN = json.loads((Path(__file__).parent / "known_layouts.json").read_text())
IN_USE = {
    PROGRESSIVE_CONSOLATION: {16: 0.3125, 32: 0.3125, 64: 0.3027},
    DOUBLE_ELIMINATION: {16: 0.625, 32: 0.5469, 64: 0.55},
}


def known_layout(layout: dict[str, object]) -> Graph[Spot, int]:
    """A lower bracket as a table: LA3 is the loser of the third main pairing of round 1, W2.1 a lower winner."""
    pairings = list(single_elimination(int(str(layout["entries"]))))
    rounds = layout["rounds"]
    assert isinstance(rounds, list)
    for number, row in enumerate(rounds, 1):
        sources = [_source(seat) for seat in row.split()]
        for line, (left, right) in enumerate(zip(sources[::2], sources[1::2], strict=True), 1):
            pairings.append(Pairing(("lower", number, line), "lower", number, line, left, right))
    return Graph(pairings)


def _source(seat: str) -> Source[Spot, int]:
    if seat[0] == "L":
        return FromPairing(("main", ord(seat[1]) - ord("A") + 1, int(seat[2:])), Outcome.LOSER)
    number, line = seat[1:].split(".")
    return FromPairing(("lower", int(number), int(line)), Outcome.WINNER)


@pytest.mark.parametrize("layout", KNOWN, ids=lambda layout: f"{layout['entries']} {layout['recipe']}")
def test_known_layouts_have_their_known_rematches(layout: dict[str, object]) -> None:
    chances = rematches(known_layout(layout))
    assert round(chances.expected, 4) == pytest.approx(layout["expected_rematches"], abs=1e-4)
    assert chances.earliest is not None
    assert chances.earliest[:2] == ("lower", layout["earliest_round"])


@pytest.mark.parametrize("layout", KNOWN, ids=lambda layout: f"{layout['entries']} {layout['recipe']}")
def test_a_recipe_is_laid_out_with_no_more_rematches_than_its_known_layout(layout: dict[str, object]) -> None:
    double = layout["recipe"] in ("A.B.C.D.|", "A.B.C.D.|.|.E", "A.BC.D.|.E.|", "A.B.|.CD.|.EF.|.|")
    chosen = KnockoutFormat(consolation=str(layout["recipe"]), double=double)
    expected = rematches(knockout(int(str(layout["entries"])), chosen)).expected
    assert expected <= float(str(layout["expected_rematches"])) + 1e-4


def by_every_course(graph: Graph[Spot, int]) -> float:
    """The rematches of all courses that a draw can take, each as likely, on average; last finals left out."""
    matches = len(list(played(graph, lambda: True)))
    total = 0
    for tosses in product((True, False), repeat=matches):
        met: set[frozenset[int]] = set()
        for match in played(graph, iter(tosses).__next__):
            total += match.two in met and match.key[0] != "final"
            met.add(match.two)
    return total / float(2**matches)


TWICE_AND_LAST_CHANCE = KnockoutFormat(double=True, last_chance="progressive")


@pytest.mark.parametrize(
    ("entries", "chosen"),
    [
        *((entries, DOUBLE_ELIMINATION) for entries in (3, 4, 5, 6)),
        (4, TWICE_AND_LAST_CHANCE),
        (5, TWICE_AND_LAST_CHANCE),
    ],
)
def test_counting_every_course_of_a_small_draw_gives_the_same_number(
    entries: int, chosen: KnockoutFormat
) -> None:
    graph = knockout(entries, chosen)
    assert rematches(graph).expected == pytest.approx(by_every_course(graph), abs=1e-12)


def test_counting_every_course_of_a_consolation_of_eight_gives_the_same_number() -> None:
    graph = knockout(8, KnockoutFormat(consolation="A.B.|", last_chance="A"))
    assert rematches(graph).expected == pytest.approx(by_every_course(graph), abs=1e-12)


@pytest.mark.parametrize("chosen", [KNOCK_OUT, SIMPLE_CONSOLATION])
def test_nobody_can_meet_again_where_all_lost_their_first_match(chosen: KnockoutFormat) -> None:
    for entries in (8, 24, 27):
        assert rematches(knockout(entries, chosen)) == (0.0, None)


def test_a_second_final_is_not_counted_as_a_rematch() -> None:
    once, twice = knockout(16, DOUBLE_ELIMINATION), knockout(16, DOUBLE_ELIMINATION_WITH_RESET)
    assert rematches(once).expected == rematches(twice).expected


@pytest.mark.parametrize("chosen", IN_USE, ids=["consolation", "double elimination"])
def test_the_layouts_of_full_fields_are_as_good_as_those_in_use(chosen: KnockoutFormat) -> None:
    for entries, rematch_count in IN_USE[chosen].items():
        assert rematches(knockout(entries, chosen)).expected <= rematch_count


@pytest.mark.parametrize("chosen", IN_USE, ids=["consolation", "double elimination"])
def test_larger_fields_have_fewer_rematches_still(chosen: KnockoutFormat) -> None:
    for entries in (160, 256):
        assert rematches(knockout(entries, chosen)).expected <= IN_USE[chosen][64]


def test_the_earliest_rematch_of_a_progressive_consolation_of_32_is_in_its_fifth_round() -> None:
    earliest = rematches(knockout(32, FORMATS["progressive consolation"])).earliest
    assert earliest is not None
    assert earliest[:2] == ("consolation", 5)
