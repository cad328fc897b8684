"""What a director is told of a format before the draw: length, rematches, waits, byes and credit."""

import pytest

from tests.tournament.draw.drops.playing import FORMATS, sizes_of
from tournament.draw.graph import FromBye, FromEntry, FromPairing, Graph, Outcome, Pairing
from tournament.draw.recipes.drops import (
    CONSOLATION_AND_LAST_CHANCE,
    DOUBLE_ELIMINATION_WITH_RESET,
    KNOCK_OUT,
    SIMPLE_CONSOLATION,
    KnockoutFormat,
)
from tournament.draw.recipes.drops.linting import Report, lint, lint_graph
from tournament.draw.recipes.knockout import Spot


def written(notation: str) -> KnockoutFormat:
    return KnockoutFormat(consolation=notation)


def test_32_entries_with_four_rounds_dropping_are_60_matches_in_seven_rounds() -> None:
    report = lint(32, written("A.B.C.D.|.|"))
    assert report.feasible
    assert report.matches == (16, 16, 12, 8, 5, 2, 1)
    assert (sum(report.matches), report.rounds) == (60, 7)
    assert report.expected_rematches == 0.3125
    assert report.earliest_rematch is not None
    assert report.earliest_rematch[:2] == ("consolation", 5)
    assert (report.longest_wait, report.double_byes, report.two_rounds_credit) == (0, 0, False)


def test_a_knock_out_takes_a_slot_for_each_round() -> None:
    report = lint(24, KNOCK_OUT)
    assert report == Report(matches=(8, 8, 4, 2, 1))


def test_a_layout_that_does_not_come_out_says_why_and_nothing_else() -> None:
    report = lint(16, written("A.|.|.B.|"))
    assert not report.feasible
    assert "5 in lower round 4" in report.why_not
    assert report == Report(why_not=report.why_not)


def test_what_is_no_notation_is_a_reason_too() -> None:
    assert "Begin it with a letter" in lint(16, written("|.A")).why_not


def test_whoever_drops_early_into_a_round_of_late_comers_waits_for_them() -> None:
    assert lint(16, written("A.BC.|.|")).feasible is False
    assert lint(16, written("AB.C.|.|")).longest_wait == 1
    assert lint(16, written("ABC.|.|.|")).longest_wait == 3


def test_the_unbeaten_side_of_a_double_elimination_waits_for_the_last_final() -> None:
    report = lint(16, DOUBLE_ELIMINATION_WITH_RESET)
    assert report.matches[-3:] == (1, 1, 1)
    assert report.longest_wait == report.rounds - 2 - 4


def test_seventeen_entries_cannot_but_give_a_second_bye_to_some_who_had_one() -> None:
    report = lint(17, written("AB.C.D.|.|"))
    assert report.double_byes == 6
    assert report.double_byes_in_a_bracket == 0


@pytest.mark.parametrize("name", FORMATS)
def test_nobody_has_two_byes_in_a_bracket(name: str) -> None:
    for entries in sizes_of(name):
        assert lint(entries, FORMATS[name]).double_byes_in_a_bracket == 0


@pytest.mark.parametrize("entries", [24, 27, 32, 40, 48, 56, 64, 80, 96, 112, 128])
def test_common_sizes_have_neither_two_byes_nor_two_rounds_of_credit(entries: int) -> None:
    report = lint(entries, FORMATS["progressive consolation"])
    assert (report.double_byes, report.two_rounds_credit) == (0, False)


def test_a_bye_above_and_a_round_left_out_below_are_two_rounds_of_credit() -> None:
    assert lint(16, written("A.B.|.C.|")).two_rounds_credit is False
    assert lint(14, written("A.B.|.C.|")).two_rounds_credit is True


def test_two_byes_one_after_the_other_are_counted_in_their_bracket() -> None:
    first, second, third = (("main", number, 1) for number in (1, 2, 3))
    graph: Graph[Spot, int] = Graph(
        [
            Pairing(first, *first, FromEntry(1), FromBye()),
            Pairing(second, *second, FromPairing(first, Outcome.WINNER), FromBye()),
            Pairing(third, *third, FromPairing(second, Outcome.WINNER), FromEntry(2)),
        ]
    )
    report = lint_graph(graph)
    assert (report.double_byes, report.double_byes_in_a_bracket) == (1, 1)
    assert report.matches == (0, 0, 1)


def test_a_simple_consolation_waits_for_those_with_a_bye_to_play() -> None:
    assert lint(32, SIMPLE_CONSOLATION).matches == (16, 16, 8, 4, 2)
    assert lint(24, SIMPLE_CONSOLATION).matches == (8, 8, 12, 6, 3, 1)


def test_a_last_chance_is_part_of_the_report() -> None:
    assert sum(lint(32, CONSOLATION_AND_LAST_CHANCE).matches) > sum(lint(32, written("A.B.C.D.|.|")).matches)
