"""Builds the graph of a format: selects its recipe by the kind of the format."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from rules.translation import gettext_noop
from tournament.draw.formats.definition import Format, FormatError, Kind
from tournament.draw.graph import Graph, GraphError
from tournament.draw.recipes.drops import KnockoutFormat, NotationError, knockout, knockout_with_byes
from tournament.draw.recipes.knockout import Spot
from tournament.draw.recipes.round_robin import group_name, groups_then_play_off, round_robin

MAIN = "main"
LAYOUT_VERSION = 4
"""Increased when the same format and entries would be laid out differently. A closing names its version."""
_JACKPOT = re.compile("jackpot [1-9][0-9]{0,5}")


@dataclass(frozen=True, slots=True)
class Layout:
    """Pairings over positions 1, 2, 3 …, and the brackets that are ranked by records."""

    graph: Graph[Spot, int]
    record_brackets: frozenset[str] = frozenset()


def layout(chosen: Format, entries: int, empty: Collection[int] = ()) -> Layout:
    """Returns everything of this format that can be drawn before play.

    `empty` are the positions with byes if these are drawn; otherwise byes follow the last entry. Raises FormatError if
    this number of entries cannot play the format, GraphError outside 2 to 1,024 entries.
    """
    if empty and not chosen.has_sheet:
        raise FormatError(gettext_noop("Byes and lines are drawn in a knock-out only. Draw without them."))
    match chosen.kind:
        case Kind.ROUND_ROBIN:
            return Layout(round_robin(entries, chosen.rounds or None, chosen.meetings), frozenset({MAIN}))
        case Kind.GROUPS:
            graph = groups_then_play_off(
                entries, chosen.groups, chosen.qualifiers, chosen.rounds or None, chosen.meetings
            )
            return Layout(graph, frozenset(group_name(number) for number in range(1, chosen.groups + 1)))
        case Kind.KNOCKOUT | Kind.DOUBLE:
            settings = knockout_format(chosen)
            return Layout(
                knockout_with_byes(entries, settings, empty) if empty else knockout(entries, settings)
            )
    raise FormatError(gettext_noop("Rounds of this format are paired one by one from the records so far."))


def knockout_format(chosen: Format) -> KnockoutFormat:
    """Returns the knock-out settings of a format. Raises FormatError for brackets that cannot be combined."""
    is_double = chosen.kind == Kind.DOUBLE
    try:
        return KnockoutFormat(
            third_place=chosen.third_place and not is_double,
            consolation=chosen.consolation or None,
            dropping=None if is_double else chosen.dropping or None,
            double=is_double,
            reset=chosen.reset and is_double,
            last_chance=chosen.last_chance or None,
            last_chance_rounds=chosen.last_chance_rounds or None,
            keeps_byes=chosen.keeps_byes and not is_double,
        )
    except (GraphError, NotationError) as error:
        raise FormatError(error.template, **error.params) from error


def has_places(chosen: Format, bracket: str) -> bool:
    """Returns True if a bracket of this name has its own list of places, or may get one as a jackpot."""
    return bracket in ranked_brackets(chosen) or _JACKPOT.fullmatch(bracket) is not None


def ranked_brackets(chosen: Format) -> list[str]:
    """Returns the brackets with their own list of places.

    Brackets that are ranked together go by the name of the first.
    """
    if chosen.kind == Kind.GROUPS:
        return ["play-off", *(group_name(number) for number in range(1, chosen.groups + 1))]
    side_brackets = {
        "consolation": chosen.kind == Kind.KNOCKOUT and chosen.consolation,
        "last chance": chosen.kind in (Kind.KNOCKOUT, Kind.DOUBLE) and chosen.last_chance,
    }
    return [MAIN, *(name for name, is_played in side_brackets.items() if is_played)]
