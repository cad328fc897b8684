"""A tree is drawn so that no lines cross, no pairings overlap, and a single feeder leads straight on."""

import re
from itertools import pairwise

import pytest

from tests.tournament import stories
from tournament.draw.formats import Format, Kind
from tournament.pages.brackets.tree_layout import SLOT, Column, tree_columns
from tournament.queries.brackets.bracket import bracket_views

pytestmark = pytest.mark.django_db

LINE = re.compile(r"M0 (\d+)H\d+V(\d+)H60")
PROGRESSIVE = Format(consolation="progressive", last_chance="progressive")


def tops(column: Column) -> dict[int, int]:
    """The top of each pairing as the gaps place it."""
    placed, bottom = {}, 0
    for place in column.places:
        top = bottom + sum(int(gap.removeprefix("gap-")) for gap in place.gaps.split())
        placed[place.pairing.id] = top
        bottom = top + SLOT
    return placed


@pytest.mark.parametrize("entries", [5, 13])
@pytest.mark.parametrize("format_", [PROGRESSIVE, Format(Kind.DOUBLE), Format(third_place=True)])
def test_lines_never_cross_and_single_feeders_lead_straight_on(entries, format_):
    made = stories.released(stories.director(), entries, format=format_)
    for view in bracket_views(made):
        columns = tree_columns(view.rounds)
        for column, following in pairwise(columns):
            if column.is_joined:
                continue
            here, there = tops(column), tops(following)
            assert max([*here.values(), 0]) + SLOT <= column.height
            ways = [
                (here[place.pairing.id], there[place.pairing.onward])
                for place in column.places
                if place.pairing.onward in there
            ]
            assert ways == sorted(ways)
            drawn = [(int(first), int(last)) for first, last in LINE.findall(column.lines)]
            assert sorted(drawn) == [(first + SLOT // 2, last + SLOT // 2) for first, last in ways]
            targets = [target for _, target in ways]
            assert all(first == last for first, last in ways if targets.count(last) == 1)


def test_a_regular_tree_needs_no_places():
    made = stories.released(stories.director(), 16)
    [view] = bracket_views(made)
    columns = tree_columns(view.rounds)
    assert [column.is_joined for column in columns] == [True, True, True, False]
    assert all(place.gaps == "" for column in columns for place in column.places)
