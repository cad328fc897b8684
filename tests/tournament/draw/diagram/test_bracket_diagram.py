"""Bracket diagrams: everything is on the sheet, nothing overlaps, and lines meet their boxes."""

from itertools import pairwise
from typing import Any

from hypothesis import given, settings

from tests.tournament.draw.drawing import ALL_SIZES, any_graphs, drop_out_bracket
from tournament.draw.diagram.bracket_diagram import Box, BracketDiagram, Scale, draw_bracket
from tournament.draw.graph import Graph, Outcome, Seat
from tournament.draw.recipes import single_elimination


def assert_nothing_overlaps(picture: BracketDiagram[Any]) -> None:
    for _, column in sorted(by_column(picture).items()):
        for upper, lower in pairwise(sorted(column, key=lambda box: box.y)):
            assert upper.y + upper.height <= lower.y + 1e-6
    for left, right in pairwise(picture.columns):
        assert left.x + left.width < right.x


def by_column(picture: BracketDiagram[Any]) -> dict[float, list[Box[Any]]]:
    columns: dict[float, list[Box[Any]]] = {}
    for box in picture.boxes:
        columns.setdefault(box.x, []).append(box)
    return columns


def assert_everything_is_on_the_sheet(picture: BracketDiagram[Any]) -> None:
    points = [point for connector in picture.connectors for point in connector.points]
    points += [(box.x, box.y) for box in picture.boxes]
    points += [(box.x + box.width, box.y + box.height) for box in picture.boxes]
    assert all(0 <= x <= picture.width and 0 <= y <= picture.height for x, y in points)


@settings(max_examples=40)
@given(ALL_SIZES)
def test_a_knock_out_of_any_size_is_drawn_clearly(entries: int) -> None:
    graph = single_elimination(entries)
    picture = draw_bracket(graph)
    assert [box.key for box in picture.boxes] == [pairing.key for pairing in graph]
    assert len(picture.connectors) == len(graph) - 1
    assert_nothing_overlaps(picture)
    assert_everything_is_on_the_sheet(picture)


@settings(max_examples=50)
@given(any_graphs())
def test_a_bracket_of_any_shape_is_drawn_clearly(graph: Graph[Any, str]) -> None:
    picture = draw_bracket(graph)
    assert len(picture.boxes) == len(graph)
    assert all(connector.points[0][0] < connector.points[-1][0] for connector in picture.connectors)
    assert_nothing_overlaps(picture)
    assert_everything_is_on_the_sheet(picture)


def test_a_match_stands_midway_between_those_that_feed_it() -> None:
    graph = single_elimination(32)
    boxes = {box.key: box for box in draw_bracket(graph).boxes}
    for pairing in graph:
        if pairing.round > 1:
            upper, lower = (boxes["main", pairing.round - 1, 2 * pairing.line - up] for up in (1, 0))
            assert boxes[pairing.key].y == (upper.y + lower.y) / 2


def test_a_line_runs_from_the_pairing_to_the_seat_of_its_winner_in_right_angles() -> None:
    picture = draw_bracket(single_elimination(8))
    boxes = {box.key: box for box in picture.boxes}
    for connector in picture.connectors:
        _, _, line = connector.source
        seat = Seat.LEFT if line % 2 else Seat.RIGHT
        assert connector.points[0] == boxes[connector.source].outlet
        assert connector.points[-1] == boxes[connector.target].inlet(seat)
        assert all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(connector.points))
        assert connector.outcome is Outcome.WINNER


def test_the_left_seat_is_the_upper_half_of_its_box() -> None:
    (box,) = draw_bracket(single_elimination(2)).boxes
    assert box.y < box.inlet(Seat.LEFT)[1] < box.outlet[1] < box.inlet(Seat.RIGHT)[1] < box.y + box.height


def test_single_rounds_can_be_drawn() -> None:
    picture = draw_bracket(single_elimination(64), rounds=range(4, 7))
    assert [column.round for column in picture.columns] == [4, 5, 6]
    assert [len(column) for column in by_column(picture).values()] == [4, 2, 1]
    assert_nothing_overlaps(picture)


def test_only_the_requested_bracket_is_drawn() -> None:
    picture = draw_bracket(drop_out_bracket(), "lower")
    assert [box.key for box in picture.boxes] == ["L1", "L2"]
    assert [(c.source, c.target) for c in picture.connectors] == [("L1", "L2")]


def test_sizes_are_those_of_the_scale() -> None:
    small = Scale(box_width=90, box_height=30, column_gap=10, row_gap=6, heading=20, margin=4)
    picture = draw_bracket(single_elimination(4), scale=small)
    assert {(box.width, box.height) for box in picture.boxes} == {(90, 30)}
    assert (picture.width, picture.height) == (4 + 90 + 10 + 90 + 4, 4 + 20 + 3 + 30 + 6 + 30 + 4)


def test_a_bracket_without_pairings_is_an_empty_picture() -> None:
    picture = draw_bracket(single_elimination(4), "consolation")
    assert (picture.boxes, picture.columns, picture.connectors) == ((), (), ())
