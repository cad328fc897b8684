"""Matches the players of a record by the desk's setting, by names and by score, and compares its score with the
report.
"""

import pytest

from rules.score import Side
from tournament.records.player_matching import Basis, RecordHeader, is_named_like, match_players

LEFT, RIGHT = Side.LEFT, Side.RIGHT
ENTRIES = ("Ana Novák", "Søren Holm")


def header(names=("x", "y"), score=(7, 3), is_finished=True, left=None) -> RecordHeader:
    return RecordHeader(names, score, is_finished, left)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("ANA NOVAK", "Ana Novák"),
        ("Novák", "Ana Novák"),
        ("soren.holm", "Søren Holm"),
        ("Ana Maria Novak", "Ana Novák"),
        ("Βασιλης", "Βασίλης Ρήγας"),
        ("小林", "小林 陽菜"),
    ],
)
def test_names_match_regardless_of_case_accents_and_missing_words(written, name):
    assert is_named_like(written, name)


@pytest.mark.parametrize("written", ["", " ", "-", "Anna", "Novakova", "gnubg"])
def test_different_names_do_not_match(written):
    assert not is_named_like(written, "Ana Novák")


def test_names_identify_the_sides_in_either_order():
    straight = match_players(header(("ana", "soren")), ENTRIES, (7, 3))
    assert (straight.left_player, straight.basis, straight.score, straight.agrees) == (
        LEFT,
        Basis.NAMES,
        (7, 3),
        True,
    )
    crossed = match_players(header(("Holm", "Novak")), ENTRIES, (3, 7))
    assert (crossed.left_player, crossed.basis, crossed.score, crossed.agrees) == (
        RIGHT,
        Basis.NAMES,
        (3, 7),
        True,
    )


def test_one_matching_name_identifies_both_sides():
    assert match_players(header(("xx", "Ana Novak")), ENTRIES, None).left_player is RIGHT


def test_names_that_match_both_ways_identify_nobody():
    namesakes = ("Ana Novák", "Ana Holm")
    assert match_players(header(("Ana", "Ana")), namesakes, None).basis == Basis.NOTHING


def test_the_choice_of_the_desk_overrides_names():
    compared = match_players(header(ENTRIES, left=RIGHT), ENTRIES, (7, 3))
    assert (compared.left_player, compared.basis, compared.score, compared.agrees) == (
        RIGHT,
        Basis.DESK,
        (3, 7),
        False,
    )


def test_the_score_identifies_the_sides_when_names_do_not():
    compared = match_players(header(), ENTRIES, (3, 7))
    assert (compared.left_player, compared.basis, compared.score, compared.agrees) == (
        RIGHT,
        Basis.SCORE,
        (3, 7),
        True,
    )


def test_a_score_that_matches_in_neither_order_differs():
    compared = match_players(header(), ENTRIES, (7, 5))
    assert (compared.left_player, compared.basis, compared.score, compared.agrees) == (
        None,
        Basis.NOTHING,
        (7, 3),
        False,
    )


def test_a_matched_player_with_another_score_differs_in_any_order():
    assert match_players(header(ENTRIES), ENTRIES, (3, 7)).agrees is False


def test_a_match_without_a_report_has_no_difference():
    assert match_players(header(ENTRIES), ENTRIES, None).agrees is None
    assert match_players(header(), ENTRIES, None).agrees is None


@pytest.mark.parametrize(("score", "agrees"), [((2, 1), True), ((7, 3), True), ((0, 4), False)])
def test_an_unfinished_record_differs_only_from_unreachable_scores(score, agrees):
    assert match_players(header(ENTRIES, score, is_finished=False), ENTRIES, (7, 3)).agrees is agrees
