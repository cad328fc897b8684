"""Lists without headings: guessed columns, and the reading that a person chooses instead."""

from decimal import Decimal

import pytest

from tests.tournament.entries.lists.lists import codes, names, workbook
from tournament.entries.lists import Column, ColumnChoices, Line, Listing, list_text, read_list

NAME, COUNTRY, CLUB, RATING = Column.NAME, Column.COUNTRY, Column.CLUB, Column.RATING
GIVEN, SURNAME = Column.GIVEN_NAME, Column.SURNAME

GUESSES = {
    "tabs": ("Ed Frost\tDEN\tAarhus\t1650", [NAME, COUNTRY, CLUB, RATING], "Ed Frost"),
    "semicolons": ("Fay Green;GER;Berlin\nBo Li;XX;Ulm", [NAME, COUNTRY, CLUB], "Fay Green"),
    "commas": ("Ed Frost, DEN, Aarhus\nFay Green, GER, Berlin", [NAME, COUNTRY, CLUB], "Ed Frost"),
    "spaces": (
        "Ed Frost    DEN   Aarhus   1650\nFay Green   GER   Berlin   1543,2",
        [NAME, COUNTRY, CLUB, RATING],
        "Ed Frost",
    ),
    "numbered spaces": ("1.  Ed Frost  DEN\n2.  Fay Green  GER\n10. Bo Li  SWE", [NAME, COUNTRY], "Ed Frost"),
    "country first": ("DEN;Ed Frost;1650\nGER;Fay Green;1543", [COUNTRY, NAME, RATING], "Ed Frost"),
    "number first": ("7;Ed Frost;DEN\n9;Fay Green;GER", [None, NAME, COUNTRY], "Ed Frost"),
    "surname first": ("Frost, Ed;DEN\nGreen, Fay;GER", [NAME, COUNTRY], "Ed Frost"),
    "addresses and dates": ("Ed Frost;ed@example.org;12.03.1980", [NAME, None, None], "Ed Frost"),
    "names with two spaces": ("Ed  Frost\nFay  Green", [NAME], "Ed Frost"),
}


@pytest.mark.parametrize(("text", "columns", "first"), GUESSES.values(), ids=GUESSES)
def test_columns_without_headings_are_guessed_by_their_values(text, columns, first):
    listing = read_list(text.encode())
    assert [listed.column for listed in listing.interpretation.columns] == columns
    assert listing.interpretation.is_guessed
    assert listing.rows[0].name == first


def test_an_unknown_heading_of_the_names_is_found_by_the_values():
    listing = read_list(b"Wer;Land;Elo\nEd Frost;DEN;1650")
    assert (listing.rows[0].name, listing.rows[0].country) == ("Ed Frost", "DNK")
    assert (listing.interpretation.has_headings, listing.interpretation.is_guessed) == (True, True)
    assert listing.problems == ()


def chosen(text: str, columns: dict[int, Column], *, headings: bool = False, turns: bool = False) -> Listing:
    return read_list(text.encode(), "", ColumnChoices(columns, headings, turns))


def test_a_choice_decides_what_a_column_is():
    listing = chosen("Ed;Frost;Team Red;1980", {0: GIVEN, 1: SURNAME, 2: Column.TEAM})
    assert listing.rows == (Line(1, "Ed Frost", team="Team Red"),)
    assert listing.problems == ()


def test_a_choice_makes_the_first_line_headings_or_a_player():
    assert names(chosen("Teilnehmende\nEd Frost", {0: NAME}, headings=True)) == ["Ed Frost"]
    assert names(chosen("Name\nEd Frost", {0: NAME})) == ["Name", "Ed Frost"]


def test_a_choice_turns_names_or_keeps_them():
    assert names(chosen("Frost, Ed;A\nFay Green;B", {0: NAME}, turns=True)) == ["Ed Frost", "Fay Green"]
    assert names(chosen("Frost, Ed;A\nGreen, Fay;B", {0: NAME})) == ["Frost, Ed", "Green, Fay"]


def test_a_column_chosen_twice_is_read_once():
    listing = chosen("Ed Frost;A;B", {0: NAME, 1: CLUB, 2: CLUB})
    assert (listing.rows[0].club, codes(listing)) == ("A", ["chosen-twice"])


def test_a_choice_without_names_is_refused():
    assert codes(chosen("Ed Frost;DEN", {1: COUNTRY})) == ["no-name-column"]


def test_a_workbook_becomes_text_that_reads_the_same():
    data = workbook([["Name", "Elo", "Paid"], ["Ed Frost", 1543.5, True], ["=cmd()", None, False]])
    listing = read_list(list_text(data).encode())
    assert listing.rows == read_list(data).rows
    assert listing.rows[0].rating == Decimal("1543.5")


@pytest.mark.parametrize("data", [b"%PDF-1.7", b"PK\x03\x04 broken", bytes(40)])
def test_a_file_that_is_no_list_has_no_text(data):
    assert list_text(data) == ""
