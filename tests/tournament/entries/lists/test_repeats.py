"""Repeated players, federation numbers and seeds within a list."""

import pytest

from tests.tournament.entries.lists.lists import codes, names, only_trouble, pasted
from tournament.entries.lists import Severity


def test_a_player_listed_twice_is_read_once_and_both_lines_are_named():
    listing = pasted("Name;Club", "Anna Berg;A", "Bo;B", "ANNA  BERG;a")
    assert names(listing) == ["Anna Berg", "Bo"]
    assert (
        only_trouble(listing).sentence == "Lines 2 and 4 are the same player, ANNA BERG. Delete one of them."
    )


@pytest.mark.parametrize(
    ("once", "again"),
    [
        ("Straße", "STRASSE"),
        ("José", "Jose\u0301"),
        ("İsmail", "ismail"),
        ("Ａnna", "Anna"),
        ("ΝΊΚΟΣ", "νίκος"),
    ],
)
def test_two_spellings_of_a_name_are_one_player(once, again):
    assert codes(pasted("Name", once, again)) == ["listed-twice"]


def test_namesakes_of_different_clubs_are_two_players_with_a_warning():
    listing = pasted("Name;Club", "Anna Berg;A", "Anna Berg;B")
    assert names(listing) == ["Anna Berg", "Anna Berg"]
    trouble = only_trouble(listing)
    assert trouble.severity is Severity.WARNING
    assert trouble.sentence == "Lines 2 and 3 have the same name, Anna Berg. Check that they are two players."


def test_namesakes_with_different_federation_numbers_are_two_players():
    listing = pasted("Name;Club;WBGF", "Anna Berg;A;7", "Anna Berg;A;8")
    assert len(listing.rows) == 2
    assert codes(listing) == ["same-name"]


def test_a_federation_number_given_twice_stays_with_the_first_line():
    listing = pasted("Name;WBGF", "Anna;w-7", "Bo;W-7")
    assert [(line.name, line.federation_id) for line in listing.rows] == [("Anna", "w-7"), ("Bo", "")]
    assert only_trouble(listing).sentence == (
        "Lines 2 and 3 have the same federation number, W-7, so line 3 is read without it."
    )


def test_a_name_with_its_federation_number_again_is_the_same_player():
    listing = pasted("Name;Club;WBGF", "Anna;A;7", "Anna;B;7")
    assert codes(listing) == ["listed-twice"]


def test_a_seed_given_twice_stays_with_the_first_line():
    listing = pasted("Name;Seed", "Anna;1", "Bo;2", "Cy;1")
    assert [(line.name, line.seed) for line in listing.rows] == [("Anna", 1), ("Bo", 2), ("Cy", None)]
    assert only_trouble(listing).sentence == (
        "Lines 2 and 4 both have seed 1, so line 4 is read without a seed."
    )


def test_a_refused_line_does_not_affect_others():
    listing = pasted("Name;Seed", ";1", "Bo;1")
    assert [(line.name, line.seed) for line in listing.rows] == [("Bo", 1)]
    assert codes(listing) == ["name-missing"]
