"""Diagrams: whole and well-formed for any position, told in words, safe in any page."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given

from rules.board.moves import Move
from rules.board.position import Position
from rules.diagram import svg
from rules.score import Side
from tests.rules.board.positions import DICE, positions
from tests.rules.board.test_plays import side

SVG = "{http://www.w3.org/2000/svg}"


def drawn(position=None, **said):
    return ElementTree.fromstring(svg(position or Position.start(), **said))


def words(picture, tag):
    return picture.find(f"{SVG}{tag}").text


def circles(picture):
    """The checkers by their fill: (white, black)."""
    fills = [circle.get("fill") for circle in picture.iter(f"{SVG}circle") if float(circle.get("r")) > 10]
    return sum("white" in fill for fill in fills), sum("black" in fill for fill in fills)


def texts(picture):
    return [text.text for text in picture.iter(f"{SVG}text")]


def test_the_opening_position_has_all_its_checkers():
    assert circles(drawn()) == (15, 15)


def test_the_picture_says_in_words_what_it_shows():
    picture = drawn(dice=(3, 1), names=("Anna", "Bea"))
    assert words(picture, "title") == "White (Anna) to play 3 and 1"
    told = words(picture, "desc")
    assert (
        "White (Anna) has 2 on the 24-point, 5 on the 13-point, 3 on the 8-point, 5 on the 6-point; 167 pips."
        in told
    )
    assert "Black (Bea) has 2 on the 24-point" in told
    assert told.endswith("The cube is at 1 in the centre.")


def test_the_bar_what_is_off_and_a_turned_cube_are_told_too():
    position = Position(side(p6=7, bar=2), side(p1=3))
    picture = drawn(position, on_roll=Side.RIGHT, cube=4, owner=Side.LEFT)
    assert words(picture, "title") == "Black on roll"
    assert "Black has 2 on the bar, 7 on the 6-point, 6 off; 92 pips." in words(picture, "desc")
    assert "White has 3 on the 1-point, 12 off; 3 pips." in words(picture, "desc")
    assert words(picture, "desc").endswith("The cube is at 4, owned by White.")
    assert {"7", "2", "6", "12", "4", "off"} <= set(texts(picture))


def test_the_picture_is_named_for_readers_of_screens():
    picture = drawn(name="third")
    assert picture.get("role") == "img"
    assert picture.get("aria-labelledby") == "third-title third-words"
    ids = [element.get("id") for element in picture.iter() if element.get("id")]
    assert ids == ["third-title", "third-words"]


def test_a_cube_of_one_shows_its_64():
    assert "64" in texts(drawn())
    assert "64" not in texts(drawn(cube=2, owner=Side.LEFT))


def test_names_are_text_and_nothing_else():
    raw = svg(Position.start(), names=('<script>"&', "</svg>"))
    assert "<script>" not in raw
    assert raw.count("</svg>") == 1
    assert 'White (<script>"&)' in words(ElementTree.fromstring(raw), "title")


def test_a_name_without_end_is_cut():
    picture = drawn(names=("N" * 500, ""))
    assert max(map(len, texts(picture))) < 60


@pytest.mark.parametrize("dice", [(1, 2), (3, 4), (5, 6)])
def test_each_die_shows_its_dots(dice):
    dots = [circle for circle in drawn(dice=dice).iter(f"{SVG}circle") if circle.get("r") == "2.6"]
    assert len(dots) == sum(dice)


def test_a_play_is_drawn_as_an_arrow_a_move():
    picture = drawn(play=(Move(8, 5), Move(6, 5)))
    assert sum("stroke-dasharray" in path.attrib for path in picture.iter(f"{SVG}path")) == 2


def test_each_side_can_look_at_the_board_from_its_own_chair():
    mover = drawn(side_on_the_bar(), on_roll=Side.RIGHT)
    other = drawn(side_on_the_bar(), on_roll=Side.RIGHT, seen_by=Side.LEFT)
    assert words(mover, "desc") == words(other, "desc")
    assert heights(mover) != heights(other)


def side_on_the_bar():
    return Position(side(bar=1), side(p6=1))


def heights(picture):
    return [circle.get("cy") for circle in picture.iter(f"{SVG}circle")]


def test_nothing_is_fetched_and_nothing_runs():
    raw = svg(Position.start(), dice=(6, 5))
    assert re.findall(r"https?://[^\"]+", raw) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"<script|href|\bon\w+=|@import|url\(", raw)
    assert "prefers-color-scheme:dark" in raw


@given(positions(), DICE)
def test_any_position_is_drawn_in_full_and_stays_small(position, dice):
    raw = svg(position, dice=dice, cube=2**20, owner=Side.RIGHT, names=("A" * 80, "B" * 80))
    assert len(raw) < 14_000
    picture = ElementTree.fromstring(raw)
    shown = sum(circles(picture))
    stacks = [count for part in position for count in part[1:25]]
    bars = sum(part[25] > 0 for part in position)
    off = sum(sum(part) < 15 for part in position)
    assert shown == sum(min(count, 5) for count in stacks) + bars + off
