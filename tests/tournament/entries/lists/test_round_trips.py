"""Any bytes get an answer, and a list gives the same players in every file format."""

import csv
import io
import unicodedata

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.tournament.entries.lists.lists import packed, with_sheet, workbook
from tournament.entries.lists import Column, ColumnChoices, Line, Severity, list_text, read_list
from tournament.entries.lists.headings import column_of
from tournament.runtime.text import clean, comparison_key

ALPHABETS = [
    "abcdefgzäöüßøłéñ",
    "αβγδεζηςΆΌ",
    "გიორგბერძე",
    "ابتثجحخد",
    "אבגדהוזח",
    "山田太郎ひらカタ",
    "İıŞşĞğ",
    "жшщыйё",
]
HEADINGS = ["Name", "Country", "Club", "WBGF", "Rating", "Seed", "Paid", "Checked in"]

patient = settings(deadline=None)
words = st.sampled_from(ALPHABETS).flatmap(lambda letters: st.text(letters, min_size=1, max_size=8))
names = st.lists(words, min_size=1, max_size=3).map(
    lambda parts: unicodedata.normalize("NFC", " ".join(parts))
)
marked = st.tuples(names, st.sampled_from(["", ", Jr.", ' "Ace"', "; the 2nd", " | x", "'s"])).map("".join)
YES_NO = {True: "yes", False: "no", None: ""}


@st.composite
def lists(draw: st.DrawFn) -> list[Line]:
    """Lines without conflicts, numbered from 2 as under headings."""
    players = draw(st.lists(marked, min_size=1, max_size=12, unique_by=comparison_key))
    seeds = draw(st.permutations(range(1, 13)))
    ratings = st.one_of(st.none(), st.decimals("0.01", "4000", places=2))
    return [
        Line(
            number=at + 2,
            name=name,
            country=draw(st.sampled_from(["", "DEU", "DNK", "JPN", "GEO"])),
            club=draw(st.one_of(st.just(""), names)),
            federation_id=draw(st.sampled_from(["", f"W-{at}"])),
            rating=draw(ratings),
            seed=draw(st.sampled_from([None, seeds[at]])),
            paid=draw(st.sampled_from([True, False, None])),
            checked_in=draw(st.sampled_from([True, False, None])),
        )
        for at, name in enumerate(players)
    ]


def cells(line: Line) -> list[str]:
    rating = "" if line.rating is None else str(line.rating)
    seed = "" if line.seed is None else str(line.seed)
    marks = [YES_NO[line.paid], YES_NO[line.checked_in]]
    return [line.name, line.country, line.club, line.federation_id, rating, seed, *marks]


def errors(data: bytes) -> list[str]:
    return [trouble.sentence for trouble in read_list(data).problems if trouble.severity is Severity.ERROR]


@settings(patient, max_examples=50)
@given(
    lists(),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_a_list_survives_a_round_trip_through_every_csv_dialect(lines, divider, encoding, end):
    out = io.StringIO()
    writer = csv.writer(out, delimiter=divider, lineterminator=end)
    writer.writerows([HEADINGS, *map(cells, lines)])
    data = out.getvalue().encode(encoding)
    assert errors(data) == []
    assert list(read_list(data).rows) == lines


@settings(patient, max_examples=15)
@given(lists())
def test_a_list_survives_a_round_trip_through_a_workbook(lines):
    rows = [
        [
            line.name,
            line.country,
            line.club,
            line.federation_id,
            line.rating,
            line.seed,
            line.paid,
            line.checked_in,
        ]
        for line in lines
    ]
    assert list(read_list(workbook([HEADINGS, *rows])).rows) == lines


@patient
@given(
    st.lists(names, min_size=1, max_size=20, unique_by=comparison_key),
    st.sampled_from(["\n", "\r\n", "\n\n"]),
)
def test_pasted_names_survive_a_round_trip(players, end):
    assume(column_of(players[0]) is None)
    assert [line.name for line in read_list(end.join(players).encode()).rows] == players


@patient
@given(st.binary(max_size=400))
def test_no_bytes_make_it_raise(data):
    listing = read_list(data)
    assert listing.rows or listing.problems
    assert all(trouble.sentence for trouble in listing.problems)


@patient
@given(st.text(max_size=200), st.sampled_from(["", "Name\n", "Name;Rating\n", "Player,Seed,Paid,Country\n"]))
def test_no_text_makes_it_raise_and_every_line_read_is_clean(text, headings):
    listing = read_list((headings + text).encode("utf-8", "surrogatepass"))
    for line in listing.rows:
        assert line.name == clean(line.name)
        assert 1 <= len(line.name) <= 100
        assert line.rating is None or 0 < line.rating <= 4000


CHOICES = st.builds(
    ColumnChoices,
    st.dictionaries(st.integers(0, 4), st.sampled_from(list(Column))),
    st.booleans(),
    st.booleans(),
)


@patient
@given(st.text(st.sampled_from('Ab,; \t\n|19@".'), max_size=80), st.none() | CHOICES)
def test_no_text_and_no_choice_of_columns_makes_it_raise(text, choices):
    listing = read_list(text.encode(), "", choices)
    assert listing.rows or listing.problems
    assert all(trouble.sentence for trouble in listing.problems)
    assert isinstance(list_text(text.encode()), str)


@patient
@given(st.text())
def test_cleaning_is_idempotent(text):
    once = clean(text)
    assert clean(once) == once
    assert unicodedata.is_normalized("NFC", once)


SOUND = workbook([["Name", "Elo"], ["Anna", 1500]])


@settings(patient, max_examples=25)
@given(st.data())
def test_no_damage_to_a_workbook_makes_it_raise(data):
    whole = bytearray(SOUND)
    for place in data.draw(st.lists(st.integers(0, len(whole) - 1), min_size=1, max_size=10)):
        whole[place] = data.draw(st.integers(0, 255))
    listing = read_list(bytes(whole))
    assert listing.rows or listing.problems


@settings(patient, max_examples=25)
@given(st.text(st.characters(exclude_characters="<&", exclude_categories=["Cs", "Cc"])))
def test_no_strange_sheet_makes_it_raise(text):
    for rows in (
        text,
        f'<row r="{len(text)}"><c t="{text[:3].replace(chr(34), "")}"><v>{text}</v></c></row>',
    ):
        listing = read_list(with_sheet(rows))
        assert listing.rows or listing.problems


@patient
@given(
    st.dictionaries(
        st.sampled_from(["xl/workbook.xml", "mimetype", "[Content_Types].xml", "a/b"]), st.binary()
    )
)
def test_no_packed_folder_makes_it_raise(files):
    assert read_list(packed(files)).rows == ()
