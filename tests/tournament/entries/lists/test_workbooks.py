"""XLSX workbooks: typed cells, formulas, several sheets, and hostile ZIP files."""

import io
import zipfile
from decimal import Decimal

import pytest
from openpyxl import Workbook

from tests.tournament.entries.lists.lists import (
    codes,
    names,
    only_trouble,
    repacked,
    saved,
    sheet_xml,
    with_sheet,
    workbook,
)
from tournament.entries.lists import read_list
from tournament.entries.lists.limits import LONGEST_LINE

HEAD = (
    '<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c>'
    '<c r="B1" t="inlineStr"><is><t>Elo</t></is></c><c r="C1" t="inlineStr"><is><t>Club</t></is></c></row>'
)


def formula(name: str, rating: str, club: str = "") -> bytes:
    """A workbook with one player whose cells are given as XML."""
    return with_sheet(f'{HEAD}<row r="2">{name}{rating}{club}</row>')


TEXT = '<c r="A2" t="inlineStr"><is><t>Anna</t></is></c>'


def test_typed_cells_are_read_as_they_show():
    data = workbook(
        [
            ["Name", "Country", "WBGF", "Rating", "Seed", "Paid"],
            ["Anna Berg", "GER", 1234, 1543.27, 1, True],
            ["Bo Lind", None, "007", 1.543, 2.0, False],
        ]
    )
    first, second = read_list(data, "list.xlsx").rows
    assert (first.name, first.country, first.federation_id) == ("Anna Berg", "DEU", "1234")
    assert (first.rating, first.seed, first.paid) == (Decimal("1543.27"), 1, True)
    assert (second.federation_id, second.rating, second.seed, second.paid) == (
        "007",
        Decimal("1.54"),
        2,
        False,
    )


def test_lines_have_the_numbers_that_the_spreadsheet_shows():
    listing = read_list(
        workbook([["Spring Cup"], [], ["Name", "Elo"], [], ["Anna", 1500], [None, 3], ["Bo", "abc"]])
    )
    assert [(line.number, line.name) for line in listing.rows] == [(5, "Anna"), (7, "Bo")]
    assert [trouble.line for trouble in listing.problems] == [6, 7]


def test_a_bare_column_of_names_is_enough():
    assert names(read_list(workbook([["1. Anna"], [None], ["Berg, Bo"], ["گلی کریمی"]]))) == [
        "Anna",
        "Bo Berg",
        "گلی کریمی",
    ]


def test_a_formula_gives_the_result_kept_in_the_file():
    listing = read_list(
        formula(
            '<c r="A2" t="str"><f>UPPER("anna")</f><v>ANNA</v></c>',
            '<c r="B2"><f>1500+43</f><v>1543</v></c>',
            '<c r="C2" t="str"><f>IF(1,"","x")</f><v></v></c>',
        )
    )
    assert [(line.name, line.rating, line.club) for line in listing.rows] == [("ANNA", Decimal(1543), "")]
    assert listing.problems == ()


def test_a_formula_without_a_result_is_reported():
    listing = read_list(workbook([["Name", "Elo"], ["Anna", "=1500+43"], ["Bo", 1500]]))
    assert [(line.name, line.rating) for line in listing.rows] == [("Anna", None), ("Bo", Decimal(1500))]
    assert only_trouble(listing).sentence == (
        "Line 2: the formula under “Elo” has no result, so the cell is ignored. Write the value itself, "
        "or save the file again."
    )


def test_a_formula_without_a_result_is_no_name():
    assert codes(read_list(workbook([["Name", "Elo"], ['="An"&"na"', 1500]]))) == ["name-without-result"]


def test_a_formula_in_an_unused_column_is_ignored():
    listing = read_list(workbook([["Name", "Nr"], ["Anna", "=ROW()-1"], ["Bo", "=ROW()-1"]]))
    assert names(listing) == ["Anna", "Bo"]
    assert listing.problems == ()


def test_an_error_cell_is_reported():
    assert codes(read_list(formula(TEXT, '<c r="B2" t="e"><f>NA()</f><v>#N/A</v></c>'))) == ["no-result"]


def test_a_sheet_that_states_the_wrong_size_is_read_whole():
    page = sheet_xml(f'{HEAD}<row r="2">{TEXT}</row>').replace(
        b"<sheetData>", b'<dimension ref="A1"/><sheetData>'
    )
    assert names(read_list(repacked(workbook([["x"]]), {"xl/worksheets/sheet1.xml": page}))) == ["Anna"]


def test_the_first_shown_sheet_with_anything_on_it_is_read():
    book = Workbook()
    hidden, players, notes = book.active, book.create_sheet("Players"), book.create_sheet("Notes")
    assert hidden is not None
    hidden.sheet_state = "hidden"
    hidden.append(["Name", "Old"])
    book.create_sheet("Nothing", 0)
    players.append(["Name"])
    players.append(["Anna"])
    notes.append(["bring clocks"])
    listing = read_list(saved(book))
    assert names(listing) == ["Anna"]
    assert (
        only_trouble(listing).sentence == "Only the sheet “Players” was read. Put all players on one sheet."
    )


def test_an_empty_workbook_is_an_empty_list():
    assert codes(read_list(workbook([]))) == ["empty"]


def test_a_row_at_the_far_end_of_the_sheet_costs_nothing():
    far = '<row r="1048576"><c r="A1048576" t="inlineStr"><is><t>Zoe</t></is></c></row>'
    assert names(read_list(with_sheet(f'{HEAD}<row r="2">{TEXT}</row>{far}'))) == ["Anna"]


def test_more_lines_than_a_list_may_have_are_refused():
    assert codes(read_list(workbook([["Name"], *([f"Player {n}"] for n in range(2_001))]))) == [
        "too-many-lines"
    ]


def test_macros_are_ignored():
    data = repacked(workbook([["Name"], ["Anna"]]), {"xl/vbaProject.bin": b"\0\1"})
    assert names(read_list(data, "list.xlsm")) == ["Anna"]


def test_links_to_other_files_are_not_followed():
    data = workbook([["Name"], ["Anna"]])
    with zipfile.ZipFile(io.BytesIO(data)) as folder:
        book, relations = folder.read("xl/workbook.xml"), folder.read("xl/_rels/workbook.xml.rels")
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    reference = f'<externalReferences><externalReference xmlns:r="{kind}" r:id="rId99"/></externalReferences>'
    link = f'<Relationship Id="rId99" Type="{kind}/externalLink" Target="externalLinks/gone.xml"/>'
    linked = repacked(
        data,
        {
            "xl/workbook.xml": book.replace(b"</sheets>", b"</sheets>" + reference.encode()),
            "xl/_rels/workbook.xml.rels": relations.replace(b"</Rel", link.encode() + b"</Rel"),
        },
    )
    assert names(read_list(linked)) == ["Anna"]


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY c "&b;&b;&b;">]>',
        '<!DOCTYPE w [<!ENTITY c SYSTEM "file:///etc/passwd">]>',
    ],
)
def test_a_workbook_that_declares_entities_is_refused(declaration):
    rows = f'{HEAD}<row r="2"><c r="A2" t="inlineStr"><is><t>&c;</t></is></c></row>'
    assert codes(read_list(with_sheet(rows, declaration))) == ["broken-workbook"]


def test_furigana_above_a_name_is_not_part_of_it():
    cell = '<c r="A2" t="inlineStr"><is><t>山田 太郎</t><rPh sb="0" eb="2"><t>ヤマダ</t></rPh></is></c>'
    assert names(read_list(with_sheet(f'{HEAD}<row r="2">{cell}</row>'))) == ["山田 太郎"]


def test_a_line_break_inside_a_cell_is_a_blank():
    assert names(read_list(workbook([["Name", "Elo"], ["Anna\nBerg_x000D_", 1500]]))) == ["Anna Berg"]


def test_a_cell_of_millions_of_letters_is_a_line_too_long():
    cell = f'<c r="A2" t="inlineStr"><is><t>{"x" * 29_000_000}</t></is></c>'
    listing = read_list(
        with_sheet(f'{HEAD}<row r="2">{cell}</row><row r="3">{TEXT.replace("A2", "A3")}</row>')
    )
    assert (names(listing), codes(listing)) == (["Anna"], ["line-too-long"])


def test_a_row_is_no_longer_than_a_line_of_text():
    listing = read_list(workbook([["Name", "Club"], ["Anna", "x" * LONGEST_LINE], ["Bo", "Club"]]))
    assert (names(listing), codes(listing)) == (["Bo"], ["line-too-long"])
    assert only_trouble(listing).line == 2
