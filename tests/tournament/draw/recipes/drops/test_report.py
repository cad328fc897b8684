"""Reports on layouts before the draw: length, rematches, waits, byes and credit."""

from itertools import permutations

import pytest

from tests.tournament.draw.recipes.drops.playing import FORMATS, report_of, sizes_of
from tournament.draw.graph import FromBye, FromEntry, FromPairing, Graph, Outcome, Pairing
from tournament.draw.recipes.drops import (
    CONSOLATION_AND_LAST_CHANCE,
    DOUBLE_ELIMINATION,
    DOUBLE_ELIMINATION_WITH_RESET,
    KNOCK_OUT,
    SIMPLE_CONSOLATION,
    Fit,
    KnockoutFormat,
    NotationError,
    fit,
    knockout,
    parse,
)
from tournament.draw.recipes.drops.lower_bracket import seat_losers, tree_of
from tournament.draw.recipes.drops.report import LayoutReport, report_on
from tournament.draw.recipes.drops.spread import Spread
from tournament.draw.recipes.knockout import Spot, main_pairings


def written(notation: str) -> KnockoutFormat:
    return KnockoutFormat(consolation=notation)


def test_32_entries_with_four_rounds_dropping_are_60_matches_in_seven_rounds() -> None:
    report = report_of(32, written("A.B.C.D.|.|"))
    assert report.matches == (16, 16, 12, 8, 5, 2, 1)
    assert (sum(report.matches), report.rounds) == (60, 7)
    assert report.expected_rematches == 0.3125
    assert report.earliest_rematch is not None
    assert report.earliest_rematch[:2] == ("consolation", 5)
    assert (report.longest_wait, report.double_byes, report.two_rounds_credit) == (0, 0, False)


def test_a_knock_out_takes_a_slot_for_each_round() -> None:
    report = report_of(24, KNOCK_OUT)
    assert report == LayoutReport(matches=(8, 8, 4, 2, 1))


@pytest.mark.parametrize(
    ("notation", "reason"),
    [
        ("A.|.|.B.|", "5 in lower round 4"),
        ("|.A", "Begin it with a letter"),
        ("A.BC.|.|", "does not work out"),
    ],
)
def test_a_notation_that_does_not_fit_is_refused_with_the_reason(notation: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        knockout(16, written(notation))


def test_players_who_join_a_round_early_wait_for_later_losers() -> None:
    assert report_of(16, written("AB.C.|.|")).longest_wait == 1
    assert report_of(16, written("ABC.|.|.|")).longest_wait == 2


def test_the_unbeaten_side_of_a_double_elimination_waits_for_the_last_final() -> None:
    report = report_of(16, DOUBLE_ELIMINATION_WITH_RESET)
    assert report.matches[-3:] == (1, 1, 1)
    assert report.longest_wait == report.rounds - 2 - 4


def test_a_recipe_can_give_a_second_bye_to_some_who_had_one() -> None:
    report = report_of(17, written("AB.C.D.|.|"))
    assert report.double_byes == 6
    assert report.double_byes_in_a_bracket == 0


@pytest.mark.parametrize("name", FORMATS)
def test_nobody_has_two_byes_in_a_bracket(name: str) -> None:
    for entries in [size for size in sizes_of(name) if size <= 40]:
        assert report_of(entries, FORMATS[name]).double_byes_in_a_bracket == 0


IN_USE = {
    FORMATS["progressive consolation"]: {4: 0.0, 8: 0.25, 16: 0.3125, 32: 0.3125, 64: 0.3027, 128: 0.3027},
    DOUBLE_ELIMINATION: {4: 0.5, 8: 0.625, 16: 0.625, 32: 0.5469, 64: 0.55, 128: 0.55},
}
"""The rematches to be expected of full fields in layouts that are in use; those of 64 entries are the last known."""


MORE_REMATCHES = {
    FORMATS["progressive consolation"]: dict.fromkeys(range(9, 40), 0.06),
    DOUBLE_ELIMINATION: {
        7: 0.04,
        9: 0.11,
        17: 0.1,
        65: 0.24,
        66: 0.15,
        67: 0.1,
        72: 0.35,
    },
}
"""Fields in which rematches spare waits: the most rematches above those of the full field."""

SECOND_BYES = {FORMATS["progressive consolation"]: {}, DOUBLE_ELIMINATION: {33: 2, 65: 2}}


@pytest.mark.parametrize("chosen", IN_USE, ids=["progressive consolation", "double elimination"])
def test_fields_with_byes_are_no_worse_than_the_next_full_field(chosen: KnockoutFormat) -> None:
    """No player has byes above and below, there is no credit of two rounds, and few more rematches are expected.

    Exceptions are listed with their values.
    """
    for entries in (*range(4, 40), *range(64, 68), 72, 128):
        report = report_of(entries, chosen)
        in_use = IN_USE[chosen][1 << (entries - 1).bit_length()]
        assert report.double_byes == SECOND_BYES[chosen].get(entries, 0), entries
        assert report.two_rounds_credit is False, entries
        more = MORE_REMATCHES[chosen].get(entries, 0.0)
        assert report.expected_rematches <= in_use + more + 1e-9, entries


@pytest.mark.parametrize("chosen", IN_USE, ids=["progressive consolation", "double elimination"])
def test_large_fields_have_neither_two_byes_nor_two_rounds_of_credit(chosen: KnockoutFormat) -> None:
    report = report_of(519, chosen)
    assert (report.double_byes, report.two_rounds_credit) == (0, False)


@pytest.mark.parametrize("notation", ["AB.C.|", "ABC.|.|"])
def test_seven_in_a_double_elimination_have_two_rounds_of_credit_or_more_rematches_than_eight(
    notation: str,
) -> None:
    """The ways in which nobody joins late, every seating of each: a bye is for losers of the first round alone."""
    main = tree_of(main_pairings(7))
    recipe = fit(parse(notation), {letter: len(losers) for letter, losers in main.losers.items()})
    assert isinstance(recipe, Fit)
    spread, joins = seat_losers(recipe, main.losers).spread, recipe.recipe.enters
    tried = 0
    for seats in permutations(spread.seats):
        joining = [spread.rounds + 2 - seat.bit_length() for seat in seats]
        drops = [drop._replace(enters=enters) for drop, enters in zip(spread.drops, joining, strict=True)]
        moved = Spread(spread.rounds, drops, seats)
        if all(drop.level == 1 or drop.enters == joins["ABC"[drop.level - 1]] for drop in drops):
            tried += 1
            assert moved.rematches > 0.625
    assert tried > 10


def test_a_bye_above_and_a_round_left_out_below_are_two_rounds_of_credit() -> None:
    assert report_of(16, written("A.B.|.C.|")).two_rounds_credit is False
    assert report_of(14, written("A.B.|.C.|")).two_rounds_credit is True


def test_two_byes_one_after_the_other_are_counted_in_their_bracket() -> None:
    first, second, third = (("main", number, 1) for number in (1, 2, 3))
    graph: Graph[Spot, int] = Graph(
        [
            Pairing(first, *first, FromEntry(1), FromBye()),
            Pairing(second, *second, FromPairing(first, Outcome.WINNER), FromBye()),
            Pairing(third, *third, FromPairing(second, Outcome.WINNER), FromEntry(2)),
        ]
    )
    report = report_on(graph)
    assert (report.double_byes, report.double_byes_in_a_bracket) == (1, 1)
    assert report.matches == (0, 0, 1)


def test_a_simple_consolation_waits_for_those_with_a_bye_to_play() -> None:
    assert report_of(32, SIMPLE_CONSOLATION).matches == (16, 16, 8, 4, 2)
    assert report_of(24, SIMPLE_CONSOLATION).matches == (8, 8, 12, 6, 3, 1)


def test_a_last_chance_is_part_of_the_report() -> None:
    assert sum(report_of(32, CONSOLATION_AND_LAST_CHANCE).matches) > sum(
        report_of(32, written("A.B.C.D.|.|")).matches
    )


def test_a_second_bye_that_nobody_can_have_is_not_counted() -> None:
    assert report_of(3, KnockoutFormat(third_place=True)).double_byes == 0
