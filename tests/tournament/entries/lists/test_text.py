"""Text files as programs save them: encodings, line ends, delimiters and quotation marks."""

import pytest

from tests.tournament.entries.lists.lists import codes, names, only_trouble, pasted
from tournament.entries.lists import delimited, read_list
from tournament.entries.lists.limits import MOST_COLUMNS, MOST_LINES

LIST = "Name;Club\nZoë Ångström;Köln\n"


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b""),
        ("utf-8", b"\xef\xbb\xbf"),
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
        ("utf-32-le", b"\xff\xfe\x00\x00"),
        ("utf-16-le", b""),
        ("utf-16-be", b""),
    ],
)
def test_every_unicode_encoding_is_read_without_a_warning(encoding, mark):
    listing = read_list(mark + LIST.encode(encoding))
    assert [(line.name, line.club) for line in listing.rows] == [("Zoë Ångström", "Köln")]
    assert listing.problems == ()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_single_name_reveals_the_byte_order(encoding):
    assert names(read_list("Anna Berg".encode(encoding))) == ["Anna Berg"]


def test_windows_1252_is_read_with_a_warning():
    listing = read_list("Name;Club\nZoë Ångström;Köln – “Süd”\n".encode("cp1252"))
    assert [(line.name, line.club) for line in listing.rows] == [("Zoë Ångström", "Köln – “Süd”")]
    assert codes(listing) == ["read-as-windows-1252"]


def test_an_unknown_encoding_is_refused():
    listing = read_list("Name\nMüller\n".encode("cp850"))
    assert listing.refusal is not None
    assert listing.refusal.code == "unknown-letters"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028", "\x85", "\x0b"])
def test_every_line_end_ends_a_line(end):
    listing = read_list(end.join(["Name", "Anna", "", "Bo", ""]).encode())
    assert [(line.number, line.name) for line in listing.rows] == [(2, "Anna"), (4, "Bo")]


def test_line_ends_may_be_mixed():
    listing = read_list(b"Name\r\nAnna\rBo\nCy\r\n\r\nDi")
    assert [(line.number, line.name) for line in listing.rows] == [
        (2, "Anna"),
        (3, "Bo"),
        (4, "Cy"),
        (6, "Di"),
    ]


@pytest.mark.parametrize("divider", [",", ";", "\t", "|"])
def test_every_delimiter_is_detected_by_the_headings(divider):
    listing = read_list(f"Name{divider}Club{divider}Rating\nAnna{divider}A\n".encode())
    assert (listing.rows[0].name, listing.rows[0].club) == ("Anna", "A")


def test_commas_inside_semicolons_are_part_of_the_cell():
    (line,) = pasted("Name;Club;Rating", "Anna Berg;Club, the;1543,27").rows
    assert (line.name, line.club, str(line.rating)) == ("Anna Berg", "Club, the", "1543.27")


def test_a_declared_delimiter_is_used():
    listing = pasted("sep=|", "Name|Club", "Anna, B|A;B", "Bo|C")
    assert [(line.number, line.name, line.club) for line in listing.rows] == [
        (3, "Anna, B", "A;B"), (4, "Bo", "C"),
    ]  # fmt: skip


def test_a_quoted_cell_may_hold_signs_quotes_and_line_ends():
    listing = read_list(b'Name,Club,Seed\r\n"Berg, ""Ace"" Anna", "Club\r\nNorth",1\r\nBo,,2\r\n')
    assert [(line.number, line.name, line.club) for line in listing.rows] == [
        (2, 'Berg, "Ace" Anna', "Club North"),
        (4, "Bo", ""),
    ]


@pytest.mark.parametrize("name", ['Anna "Ace" Berg', '"Ace" Anna Berg', 'Anna 5" Berg', 'Anna "Ace"'])
def test_a_nickname_in_quotation_marks_stays(name):
    assert names(pasted("Name;Club", f"{name};A")) == [name]


def test_a_quotation_mark_never_closed_costs_one_line():
    listing = pasted("Name,Club", '"Anna,A', "Bo,B", "Cy,C")
    assert names(listing) == ["Bo", "Cy"]
    assert (
        only_trouble(listing).sentence
        == "Line 2 has a quotation mark that is never closed. Close it or delete it."
    )


def test_blank_lines_and_lines_of_delimiters_are_no_players():
    assert names(pasted("Name;Club;Seed", ";;", "", "Anna;;", ' ;"";', "Bo")) == ["Anna", "Bo"]


def test_a_line_as_long_as_a_book_is_refused_alone():
    listing = pasted("Name", "Anna", "x" * 5_001, "Bo")
    assert names(listing) == ["Anna", "Bo"]
    assert codes(listing) == ["line-too-long"]


def test_five_hundred_players_are_read():
    listing = pasted("Name;Seed", *(f"Player {chr(65 + n % 26)}{n};{n}" for n in range(1, 501)))
    assert [line.seed for line in listing.rows] == list(range(1, 501))
    assert listing.problems == ()


def test_the_longest_list_is_read_and_one_line_more_refused():
    lines = [f"Player {n}" for n in range(MOST_LINES)]
    assert len(pasted("Name", *lines).rows) == MOST_LINES
    refused = pasted("Name", *lines, "One More")
    assert refused.rows == ()
    assert only_trouble(refused).sentence == (
        "This list has more than 2000 lines. Split it, or check that it is the right file."
    )


@pytest.mark.parametrize("first", ["Anna", '"Anna"'])
def test_a_line_is_split_into_no_more_than_the_most_columns(first):
    rows, troubles = delimited.parse_rows("\n".join([first + ";" * 4900 + "x"] * 900))
    assert (len(rows), troubles) == (900, [])
    assert {len(row.cells) for row in rows} == {MOST_COLUMNS}
