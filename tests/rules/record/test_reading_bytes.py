"""Bytes of any kind at the door: encodings, line ends, what is no record at all, and whatever chance brings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.record.model import Format, Record
from rules.record.reading import MOST_BYTES, read
from rules.record.writing import write
from tests.rules.record.samples import PLAIN, codes, without_lines

NAMED = PLAIN.replace("Ana Left", "Zoë Çelik").replace("Bo Right", "Jürgen")
NAMES = ("Zoë Çelik", "Jürgen")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_names_come_out_right_in_every_encoding(encoding):
    record = read(NAMED.encode(encoding))
    assert record.names == NAMES
    assert not record.problems


def test_a_file_cut_in_the_middle_of_a_letter_is_still_utf_8():
    text = NAMED + "; ë"
    record = read(text.encode()[:-1])
    assert record.names == NAMES


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_lines_end_as_on_any_system(end):
    record = read(PLAIN.replace("\n", end).encode())
    assert [without_lines(game) for game in record.games] == _plain_games()
    assert not record.problems


def test_line_ends_may_be_mixed():
    half = len(PLAIN) // 2
    record = read((PLAIN[:half].replace("\n", "\r\n") + PLAIN[half:]).encode())
    assert [without_lines(game) for game in record.games] == _plain_games()


def test_hard_blanks_of_a_web_page_are_blanks():
    record = read(PLAIN.replace("  ", "\u00a0 ").encode())
    assert [without_lines(game) for game in record.games] == _plain_games()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "nothing_to_read"),
        (b"  \r\n\t ", "nothing_to_read"),
        (b"\xef\xbb\xbf", "nothing_to_read"),
        (b"Dear director, here is our match.", "not_a_record"),
        (b"\x00\x01\x02\xff\xfe", "not_a_record"),
        (b"\x89PNG\r\n\x1a\n" + bytes(200), "not_a_record"),
        (b"<html><body>404</body></html>", "not_a_record"),
        (bytes(MOST_BYTES + 1), "file_too_large"),
    ],
)
def test_other_files_are_no_record(data, code):
    record = read(data)
    assert (record.format, record.entries, codes(record)) == (Format.UNKNOWN, (), [code])


def test_the_name_of_a_file_proves_nothing():
    assert read(PLAIN.encode(), "match.sgf").format is Format.MAT
    assert read(b"hello", "match.mat").format is Format.UNKNOWN


def test_one_function_reads_every_format():
    smart_game = b"(;FF[4]GM[6]PW[Ana]PB[Bo];W[31hedb];B[42])"
    assert read(smart_game).format is Format.SGF
    assert read(write(read(smart_game), Format.JSON).encode()).format is Format.JSON
    assert read(write(read(smart_game), Format.MAT).encode()).format is Format.MAT


def test_control_signs_in_names_and_headers_become_blanks():
    record = read(PLAIN.replace("Ana Left", "A\0\x7fB").replace("2026.04.01", "a\x1bb").encode())
    assert record.names == ("A  B", "Bo Right")
    assert record.tags == (("EventDate", "a b"),)


def test_the_file_name_decides_if_the_content_does_not():
    text = b" Game\n Ana : 0         Bo : 0\n 31: 8/5 6/5       42: 8/4 6/4\n"
    assert read(text).format is Format.UNKNOWN
    assert read(text, "final.MAT").names == ("Ana", "Bo")
    assert len(read(text, "C:\\final.txt").games[0].actions) == 2


@given(st.binary(max_size=400))
def test_no_bytes_break_the_reading(data):
    assert isinstance(read(data), Record)


@given(st.binary(max_size=200), st.integers(0, len(PLAIN)))
def test_no_bytes_within_a_record_break_the_reading(data, place):
    sample = PLAIN.encode()
    assert isinstance(read(sample[:place] + data + sample[place:]), Record)


@given(st.text(alphabet='0123456789/:()*=>;[]" \t\nGameWinsTakBD?x', max_size=300))
def test_no_text_in_a_game_breaks_the_reading(text):
    assert read(f" 7 point match\n Game 1\n A : 0        B : 0\n{text}".encode()).format is Format.MAT


@given(st.integers(0, len(PLAIN)))
def test_a_record_cut_off_anywhere_is_read_up_to_there(place):
    games = read(PLAIN[:place].encode()).games
    for game, whole in zip(games, _plain_games(), strict=False):
        assert without_lines(game).actions[:-2] == whole.actions[: max(0, len(game.actions) - 2)]


def _plain_games() -> list:
    return [without_lines(game) for game in read(PLAIN.encode()).games]
