"""Matches the players of a record by the desk's setting, by names and by score, and compares its score with the
report.
"""

import pytest

from rules.score import Side
from tournament.records.player_matching import Basis, RecordHeader, is_named_like, match_players

LEFT, RIGHT = Side.LEFT, Side.RIGHT
ENTRIES = ("Ana Novák", "Søren Holm")


def told(names=("x", "y"), score=(7, 3), is_finished=True, said=None) -> RecordHeader:
    return RecordHeader(names, score, is_finished, said)


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
def test_a_name_is_known_without_case_accents_and_all_of_its_words(written, name):
    assert is_named_like(written, name)


@pytest.mark.parametrize("written", ["", " ", "-", "Anna", "Novakova", "gnubg"])
def test_another_name_is_not_known(written):
    assert not is_named_like(written, "Ana Novák")


def test_names_tell_who_is_who_in_either_order():
    straight = match_players(told(("ana", "soren")), ENTRIES, (7, 3))
    assert (straight.left_player, straight.basis, straight.score, straight.agrees) == (
        LEFT,
        Basis.NAMES,
        (7, 3),
        True,
    )
    crossed = match_players(told(("Holm", "Novak")), ENTRIES, (3, 7))
    assert (crossed.left_player, crossed.basis, crossed.score, crossed.agrees) == (
        RIGHT,
        Basis.NAMES,
        (3, 7),
        True,
    )


def test_one_known_name_is_enough():
    assert match_players(told(("xx", "Ana Novak")), ENTRIES, None).left_player is RIGHT


def test_names_that_fit_both_ways_tell_nothing():
    namesakes = ("Ana Novák", "Ana Holm")
    assert match_players(told(("Ana", "Ana")), namesakes, None).basis == Basis.NOTHING


def test_what_the_desk_says_counts_more_than_names():
    compared = match_players(told(ENTRIES, said=RIGHT), ENTRIES, (7, 3))
    assert (compared.left_player, compared.basis, compared.score, compared.agrees) == (
        RIGHT,
        Basis.DESK,
        (3, 7),
        False,
    )


def test_where_names_tell_nothing_the_score_does():
    compared = match_players(told(), ENTRIES, (3, 7))
    assert (compared.left_player, compared.basis, compared.score, compared.agrees) == (
        RIGHT,
        Basis.SCORE,
        (3, 7),
        True,
    )


def test_a_score_that_fits_in_neither_order_differs():
    compared = match_players(told(), ENTRIES, (7, 5))
    assert (compared.left_player, compared.basis, compared.score, compared.agrees) == (
        None,
        Basis.NOTHING,
        (7, 3),
        False,
    )


def test_a_known_player_with_another_score_differs_also_when_the_other_order_would_fit():
    assert match_players(told(ENTRIES), ENTRIES, (3, 7)).agrees is False


def test_nothing_differs_from_a_match_without_a_report():
    assert match_players(told(ENTRIES), ENTRIES, None).agrees is None
    assert match_players(told(), ENTRIES, None).agrees is None


@pytest.mark.parametrize(("score", "agrees"), [((2, 1), True), ((7, 3), True), ((0, 4), False)])
def test_a_record_that_stops_early_differs_only_from_what_it_can_no_longer_come_to(score, agrees):
    assert match_players(told(ENTRIES, score, is_finished=False), ENTRIES, (7, 3)).agrees is agrees
