"""Fields of 9 to 40 entries against the measure: no long waits, few rematches, short events."""

import json
from pathlib import Path

import pytest

from tests.tournament.draw.recipes.drops.measuring import measure, waits
from tests.tournament.draw.recipes.drops.playing import report_of
from tournament.draw.graph import GraphError
from tournament.draw.recipes.drops import (
    CONSOLATION_AND_LAST_CHANCE,
    DOUBLE_ELIMINATION,
    FEED_IN,
    PROGRESSIVE_CONSOLATION,
    SIMPLE,
    KnockoutFormat,
    knockout,
    knockout_with_byes,
    second_bracket_fit,
)
from tournament.draw.recipes.drops.measure import LONG_WAIT, wait_weight

FIELDS = range(9, 41)
FORMATS = {
    "consolation": PROGRESSIVE_CONSOLATION,
    "last chance": CONSOLATION_AND_LAST_CHANCE,
    "double elimination": DOUBLE_ELIMINATION,
}
FIGURES = json.loads((Path(__file__).parent / "measures.json").read_text())
"""By format and entries: the measure of the layout, rounded up."""

PLAIN = (
    *("A.B.|.C.|", "AB.|.C.|", "AB.C.|.|", "A.BC.|.|", "ABC.|.|", "ABC.|.|.|", "A.B.C.|", "A.B.C.D.|.|"),
    *("AB.C.D.|.|", "A.BCD.|.|.|", "ABCD.|.|.|", "AB.|.C.|.D.|", "A.B.|.C.|.D.|", "AB.CD.|.|.|"),
    *("ABCDE.|.|.|.|", "A.BCDE.|.|.|.|", "AB.CD.|.E.|.|", "AB.CD.E.|.|.|", "A.BC.D.|.E.|.|", "AB.C.DE.|.|.|"),
)


def test_a_long_wait_weighs_more_than_a_rematch_and_two_short_ones_less() -> None:
    assert wait_weight(2, LONG_WAIT) > 1
    assert wait_weight(2, LONG_WAIT + 1) > 2
    assert 0 < 2 * wait_weight(2, LONG_WAIT - 1) < 0.01


@pytest.mark.parametrize("name", FORMATS)
def test_a_layout_is_as_good_as_its_figure(name: str) -> None:
    for entries in FIELDS:
        assert measure(knockout(entries, FORMATS[name])) <= FIGURES[name][str(entries)] + 1e-9, entries


@pytest.mark.parametrize("entries", [9, 11, 13, 16, 17, 20, 24, 27, 32, 33, 40])
def test_no_recipe_that_a_director_could_write_has_a_smaller_measure(entries: int) -> None:
    layout = measure(knockout(entries, PROGRESSIVE_CONSOLATION))
    dropping = (entries - 1).bit_length() - 1
    for notation in PLAIN:
        if sum(notation.count(letter) for letter in "ABCDE") != dropping:
            continue
        try:
            written = knockout(entries, KnockoutFormat(consolation=notation))
        except GraphError:
            continue
        assert layout <= measure(written) + 1 / 32, notation


LAST_CHANCES = {
    12: (1.41, 8, 0),
    17: (1.46, 10, 1),
    20: (1.16, 8, 0),
    32: (0.79, 8, 0),
    33: (1.25, 12, 1),
    40: (0.85, 10, 0),
    48: (0.94, 11, 0),
    64: (0.65, 10, 0),
}
"""The most rematches, rounds of play and second byes."""


@pytest.mark.parametrize("entries", LAST_CHANCES)
def test_a_last_chance_takes_the_meetings_of_the_main_bracket_into_account(entries: int) -> None:
    rematches, rounds, second_byes = LAST_CHANCES[entries]
    report = report_of(entries, CONSOLATION_AND_LAST_CHANCE)
    assert report.expected_rematches < rematches
    assert report.rounds <= rounds
    assert report.double_byes <= second_byes


@pytest.mark.parametrize("entries", [48, 64])
def test_nobody_meets_again_in_the_first_round_of_a_last_chance(entries: int) -> None:
    earliest = report_of(entries, CONSOLATION_AND_LAST_CHANCE).earliest_rematch
    assert earliest is not None
    assert earliest[:2] != ("last chance", 1)


MEASURES_OF_67 = {"consolation": 4.57, "last chance": 19.8, "double elimination": 5.18}
"""The measure of 67 entries, rounded up."""


@pytest.mark.parametrize("name", MEASURES_OF_67)
def test_fields_above_a_full_field_have_at_most_one_long_wait(name: str) -> None:
    graph = knockout(67, FORMATS[name])
    assert sum(rounds >= LONG_WAIT for _, rounds in waits(graph)) <= 1
    assert measure(graph) <= MEASURES_OF_67[name]


@pytest.mark.parametrize("entries", [13, 20, 33])
def test_byes_by_lot_make_no_long_waits(entries: int) -> None:
    size = 1 << (entries - 1).bit_length()
    top = size // 2 + 1
    graph = knockout_with_byes(entries, PROGRESSIVE_CONSOLATION, range(top, top + size - entries))
    assert max(rounds for _, rounds in waits(graph)) < LONG_WAIT


@pytest.mark.parametrize(
    ("entries", "recipe"),
    [(10, "AB.|.C.|"), (13, "A.B.|.C.|"), (16, "A.B.|.C.|"), (20, "AB.|.C.|.D.|"), (32, "A.B.|.C.|.D.|")],
)
def test_a_feed_in_lets_each_round_of_losers_meet_the_winners_from_below(entries: int, recipe: str) -> None:
    chosen = KnockoutFormat(consolation=FEED_IN)
    fitting = second_bracket_fit(entries, chosen)
    assert fitting is not None
    assert str(fitting.recipe) == recipe


@pytest.mark.parametrize("wanted", [{"last_chance": FEED_IN, "consolation": SIMPLE}, {"double": True}])
def test_a_feed_in_is_for_consolations_only(wanted: dict[str, object]) -> None:
    with pytest.raises(GraphError, match="feed-in"):
        KnockoutFormat(**{"consolation": FEED_IN} | wanted)  # type: ignore[arg-type]
