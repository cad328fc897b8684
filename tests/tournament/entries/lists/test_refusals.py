"""Files that are not entry lists: each is named with the next step, and nothing is read."""

import io
import zipfile

import pytest

from tests.tournament.entries.lists.lists import only_trouble, packed, repacked, workbook
from tournament.entries.lists import Severity, read_list

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600
ODS = {"mimetype": b"application/vnd.oasis.opendocument.spreadsheet", "content.xml": b"<x/>"}
STRICT = b'<workbook xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"/>'

FILES = {
    "empty": b"",
    "empty-blanks": b" \r\n\t\n;;;\n",
    "pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj",
    "picture-png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "picture-jpeg": b"\xff\xd8\xff\xe0\0\x10JFIF",
    "picture-gif": b"GIF89a\1\0\1\0",
    "picture-webp": b"RIFF\x24\0\0\0WEBPVP8 ",
    "picture-heic": b"\0\0\0\x18ftypheic\0\0\0\0",
    "web-page": b"\xef\xbb\xbf\r\n<!DOCTYPE html><html><body>Anna</body></html>",
    "web-page-table": b"<table><tr><td>Anna</td></tr></table>",
    "xml": b'<?xml version="1.0"?><players><player>Anna</player></players>',
    "json": b'[{"name": "Anna"}]',
    "rich-text": b"{\\rtf1\\ansi Anna}",
    "rich-text-docx": packed({"[Content_Types].xml": b"<Types/>", "word/document.xml": b"<w/>"}),
    "xls": OLE + "Workbook".encode("utf-16-le"),
    "locked": OLE + "EncryptedPackage".encode("utf-16-le"),
    "xlsb": packed({"[Content_Types].xml": b"<Types/>", "xl/workbook.bin": b"\x83\x01"}),
    "strict-workbook": packed({"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": STRICT}),
    "ods": packed(ODS),
    "numbers": packed({"Index/Document.iwa": b"\0"}),
    "archive": packed({"players.csv": b"Name\nAnna"}),
    "archive-gz": b"\x1f\x8b\x08\0\0\0\0\0",
    "not-text": bytes(range(256)) * 100,
    "broken-workbook": packed({"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": b"<oops"}),
    "broken-workbook-cut": workbook([["Name"], ["Anna"]])[:-200],
}


@pytest.mark.parametrize("kind", FILES)
def test_another_kind_of_file_is_named_in_the_refusal(kind):
    listing = read_list(FILES[kind])
    trouble = only_trouble(listing)
    assert (listing.rows, listing.columns) == ((), {})
    assert kind.startswith(trouble.code)
    assert (trouble.line, trouble.severity, listing.refusal) == (None, Severity.ERROR, trouble)
    assert trouble.sentence.endswith(".")


def test_a_pdf_says_what_to_do():
    assert only_trouble(read_list(FILES["pdf"])).sentence == (
        "This is a PDF. Save the list as XLSX or CSV, or copy the names and paste them."
    )


def test_a_file_with_a_workbook_name_and_other_content_is_damaged():
    assert only_trouble(read_list(b"Name\nAnna\n", "players.xlsx")).code == "broken-workbook"


@pytest.mark.parametrize(
    "rubbish", [b"\0\1\2\3" * 2_500_000, b"Anna;Berg\n" * 1_000_000, b"\xfe" * 10_000_000]
)
def test_ten_megabytes_of_rubbish_get_one_answer(rubbish):
    assert only_trouble(read_list(rubbish)).sentence == (
        "This file has 10 MB, and a list may have 5 MB. Save only the list of players and try again."
    )


@pytest.mark.parametrize(
    "rubbish", [b"a" * 4_000_000, b"\n" * 4_000_000, b"," * 4_000_000, b'"' * 4_000_000, b"\xa0;" * 2_000_000]
)
def test_four_megabytes_of_one_sign_get_a_few_answers_and_no_player(rubbish):
    listing = read_list(rubbish)
    assert listing.rows == ()
    assert 1 <= len(listing.problems) <= 2


def test_a_workbook_of_zeros_is_refused_by_what_it_states():
    data = repacked(workbook([["Name"], ["Anna"]]), {"xl/media/big.bin": b"\0" * 31_000_000})
    assert len(data) < 100_000
    assert only_trouble(read_list(data)).code == "swollen-workbook"


def test_a_workbook_that_states_more_than_it_holds_is_refused_unopened():
    data = repacked(workbook([["Name"], ["Anna"]]), {"xl/media/small.bin": b"\0" * 77_777})
    stated = data.replace((77_777).to_bytes(4, "little"), (31_000_000).to_bytes(4, "little"))
    assert only_trouble(read_list(stated)).code == "swollen-workbook"


def test_a_workbook_that_states_less_than_it_holds_is_refused():
    data = bytearray(repacked(workbook([["Name"], ["Anna"]]), {"xl/media/big.bin": b"\0" * 31_000_000}))
    at = data.find((31_000_000).to_bytes(4, "little"))
    while at >= 0:
        data[at : at + 4] = (1_000).to_bytes(4, "little")
        at = data.find((31_000_000).to_bytes(4, "little"))
    assert only_trouble(read_list(bytes(data))).code == "broken-workbook"


def test_a_workbook_of_endless_empty_elements_is_refused():
    sheet = b"<worksheet><sheetData>" + b"<row/>" * 500_000 + b"</sheetData></worksheet>"
    data = repacked(workbook([["Name"], ["Anna"]]), {"xl/worksheets/sheet1.xml": sheet})
    assert only_trouble(read_list(data)).code == "swollen-workbook"


def test_a_workbook_of_thousands_of_files_is_refused():
    files = {f"xl/media/{number}": b"" for number in range(1_001)}
    assert only_trouble(read_list(repacked(workbook([["Name"], ["Anna"]]), files))).code == "swollen-workbook"


@pytest.mark.parametrize("how", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_workbook_packed_as_no_spreadsheet_packs_is_refused_before_it_asks_for_gigabytes(how):
    room, sound = io.BytesIO(), workbook([["Name"], ["Anna"]])
    with zipfile.ZipFile(io.BytesIO(sound)) as old, zipfile.ZipFile(room, "w", how) as folder:
        for name in old.namelist():
            folder.writestr(name, old.read(name))
    assert only_trouble(read_list(room.getvalue())).code == "broken-workbook"
