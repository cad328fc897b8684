"""Diagrams: well-formed for any position, described in words, safe in any page."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given

from rules.board.moves import Move
from rules.board.position import Position
from rules.diagram import DiagramStyle, svg
from rules.ruleset import Ruleset
from rules.score import Score, Side
from tests.rules.board.positions import DICE, positions
from tests.rules.board.test_plays import side

REVIEWED = Path(__file__).parent / "data" / "pictures"
PICTURES = {
    "opening": (
        Position.start(),
        {
            "dice": (3, 1),
            "names": ("Anna & sons", ""),
            "score": Score.at(3, 11, 25, Ruleset()),
            "play": (Move(8, 5), Move(6, 5)),
        },
    ),
    "end": (
        Position(side(p6=3, p5=2, p4=7, bar=2), side(p1=8, p3=2, bar=1)),
        {
            "on_roll": Side.RIGHT,
            "dice": (6, 2),
            "cube": 128,
            "owner": Side.RIGHT,
            "play": (Move(25, 23), Move(6, 0), Move(24, 13), Move(13, 12), Move(4, 2)),
            "style": DiagramStyle(bottom_side=Side.LEFT, name="end", is_standalone=False),
        },
    ),
    "double": (Position(side(p6=15), side(p24=15)), {"cube": 16_384, "owner": Side.LEFT, "dice": (5, 4)}),
}
SVG = "{http://www.w3.org/2000/svg}"


def drawn(position=None, **options):
    return ElementTree.fromstring(svg(position or Position.start(), **options))


def words(picture, tag):
    return picture.find(f"{SVG}{tag}").text


def circles(picture):
    """The checkers by their fill: (white, black)."""
    fills = [circle.get("fill") for circle in picture.iter(f"{SVG}circle") if float(circle.get("r")) > 10]
    return sum("white" in fill for fill in fills), sum("black" in fill for fill in fills)


def texts(picture):
    return [text.text for text in picture.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_are_unchanged(name):
    """After a change of the drawing, review the new pictures in light and dark before storing them."""
    position, options = PICTURES[name]
    assert svg(position, **options) == (REVIEWED / f"{name}.svg").read_text().rstrip()


def test_the_opening_position_has_all_its_checkers():
    assert circles(drawn()) == (15, 15)


def test_the_picture_says_in_words_what_it_shows():
    picture = drawn(dice=(3, 1), names=("Anna", "Bea"))
    assert words(picture, "title") == "White (Anna) to play 3 and 1"
    description = words(picture, "desc")
    assert (
        "White (Anna) has 2 on the 24-point, 5 on the 13-point, 3 on the 8-point, 5 on the 6-point; 167 pips."
        in description
    )
    assert "Black (Bea) has 2 on the 24-point" in description
    assert description.endswith("The cube is at 1 in the centre.")


def test_the_description_names_the_bar_borne_off_checkers_and_a_turned_cube():
    position = Position(side(p6=7, bar=2), side(p1=3))
    picture = drawn(position, on_roll=Side.RIGHT, cube=4, owner=Side.LEFT)
    assert words(picture, "title") == "Black on roll"
    assert "Black has 2 on the bar, 7 on the 6-point, 6 off; 92 pips." in words(picture, "desc")
    assert "White has 3 on the 1-point, 12 off; 3 pips." in words(picture, "desc")
    assert words(picture, "desc").endswith("The cube is at 4, owned by White.")
    assert {"7", "2", "6", "12", "4", "off"} <= set(texts(picture))


def test_the_picture_is_named_for_readers_of_screens():
    picture = drawn(style=DiagramStyle(name="third"))
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
    assert "N" * 500 in words(picture, "title")


@pytest.mark.parametrize("dice", [(1, 2), (3, 4), (5, 6)])
def test_each_die_shows_its_dots(dice):
    dots = [circle for circle in drawn(dice=dice).iter(f"{SVG}circle") if circle.get("r") == "2.6"]
    assert len(dots) == sum(dice)


def arrows(picture):
    """Where each arrow begins, and where its point is: ((x, y), (x, y))."""
    paths = list(picture.iter(f"{SVG}path"))
    lines = [(line, paths[at + 1]) for at, line in enumerate(paths) if line.get("class") == "arrow"]
    return [(first_spot(line), first_spot(tip)) for line, tip in lines]


def first_spot(path):
    return tuple(map(float, re.match(r"M([\d.]+) ([\d.]+)", path.get("d")).groups()))


def checkers(picture):
    return [
        (float(circle.get("cx")), float(circle.get("cy")))
        for circle in picture.iter(f"{SVG}circle")
        if float(circle.get("r")) > 10
    ]


def test_an_arrow_goes_from_the_top_of_a_stack_to_the_place_where_the_checker_will_stand():
    before = drawn(play=(Move(8, 5), Move(6, 5)))
    assert [origin in checkers(before) for origin, _ in arrows(before)] == [True, True]
    after = drawn(Position(side(p24=2, p13=5, p8=2, p6=4, p5=2), Position.start().theirs))
    assert [target in checkers(after) for _, target in arrows(before)] == [True, True]
    assert {target for _, target in arrows(before)}.isdisjoint(checkers(before))
    assert words(before, "desc").endswith("Arrows show 8/5 6/5.")


def test_arrows_go_on_from_where_a_checker_landed():
    hops = arrows(drawn(play=(Move(24, 23), Move(23, 20))))
    assert hops[0][1] == hops[1][0]


def test_arrows_are_the_movers_from_whichever_chair_the_board_is_seen():
    play = (Move(24, 20),)
    own = arrows(drawn(on_roll=Side.RIGHT, play=play))
    across = arrows(drawn(on_roll=Side.RIGHT, play=play, style=DiagramStyle(bottom_side=Side.LEFT)))
    assert [(x, 400 - y) for x, y in own[0]] == list(across[0])


def test_an_arrow_leaves_the_numbers_on_the_bar_the_tray_and_a_high_stack_free():
    picture = drawn(Position(side(p6=8, bar=2), side(p1=3)), play=(Move(25, 20), Move(6, 0), Move(6, 4)))
    numbers = [
        (float(text.get("x")), float(text.get("y")))
        for text in picture.iter(f"{SVG}text")
        if text.text in ("2", "5", "8") and text.get("font-size") == "16"
    ]
    ends = [end for arrow in arrows(picture) for end in arrow]
    assert len(numbers) == 3
    assert min(abs(x - at_x) + abs(y - at_y) for x, y in numbers for at_x, at_y in ends) > 8


def test_an_arrow_from_a_high_stack_begins_at_its_inner_edge_on_either_half_of_the_board():
    position = Position(side(p6=8, p20=7), side(p1=3))
    below, above = (arrow[0][1] for arrow in arrows(drawn(position, play=(Move(6, 4), Move(20, 18)))))
    heights_of = {y for _, y in checkers(drawn(position))}
    assert below == min(y for y in heights_of if y > 200) - 14
    assert above == max(y for y in heights_of if y < 200) + 14


def test_the_score_is_drawn_beside_each_player_and_in_the_description():
    score = Score.at(3, 11, 25, Ruleset())
    picture = drawn(score=score, names=("Anna", ""))
    assert {"3 of 25", "11 of 25"} <= set(texts(picture))
    assert words(picture, "desc").endswith("White (Anna) has 3, Black has 11 of 25 points.")
    assert "4" in texts(drawn(score=Score(4, 0, None), style=DiagramStyle(bottom_side=Side.RIGHT)))


def test_the_picture_says_who_is_on_roll_without_dice_too():
    assert "White: 167 pips, on roll" in texts(drawn())
    assert "Black: 167 pips, on roll" in texts(drawn(on_roll=Side.RIGHT))


def test_a_picture_within_a_page_brings_no_style_of_its_own():
    """A policy with nonces would block the style sheet; the page sets the variables."""
    within = svg(Position.start(), style=DiagramStyle(is_standalone=False))
    assert "style" not in within
    assert "var(--diagram-white,#ffffff)" in within
    assert "--diagram-white:" in svg(Position.start())


def test_each_side_can_look_at_the_board_from_its_own_chair():
    mover = drawn(side_on_the_bar(), on_roll=Side.RIGHT)
    opposite = drawn(side_on_the_bar(), on_roll=Side.RIGHT, style=DiagramStyle(bottom_side=Side.LEFT))
    assert words(mover, "desc") == words(opposite, "desc")
    assert heights(mover) != heights(opposite)


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
    play = (Move(25, 20), Move(6, 0), Move(6, 0), Move(13, 7))
    names = ("A" * 80, "B" * 80)
    raw = svg(position, dice=dice, cube=2**20, owner=Side.RIGHT, names=names, play=play)
    assert len(raw) < 12_000
    picture = ElementTree.fromstring(raw)
    drawn_circles = sum(circles(picture))
    stacks = [count for part in position for count in part[1:25]]
    bars = sum(part[25] > 0 for part in position)
    off = sum(sum(part) < 15 for part in position)
    assert drawn_circles == sum(min(count, 5) for count in stacks) + bars + off
