"""From a format to its graph: which recipe draws it. The only place where a format's kind is looked at to draw it."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from tournament.draw.formats.definition import Format, FormatError, Kind
from tournament.draw.graph import Graph, GraphError
from tournament.draw.recipes.drops import KnockoutFormat, NotationError, knockout, knockout_with_byes
from tournament.draw.recipes.knockout import Spot
from tournament.draw.recipes.round_robin import group_name, groups_then_play_off, round_robin

MAIN = "main"
LAYOUT_VERSION = 3
"""Raised when the same format and entries would be laid out otherwise: a closing names the version it was made for."""
_JACKPOT = re.compile("jackpot [1-9][0-9]{0,5}")


@dataclass(frozen=True, slots=True)
class Layout:
    """Pairings over positions 1, 2, 3 ..., and which of their brackets are ranked by records."""

    graph: Graph[Spot, int]
    record_brackets: frozenset[str] = frozenset()


def layout(chosen: Format, entries: int, empty: Collection[int] = ()) -> Layout:
    """Everything of this format that can be drawn before anything is played.

    `empty` are the positions with byes where these are drawn; otherwise they stand behind the last entry.
    Raises FormatError where so many entries cannot play it, GraphError outside 2 to 1,024 entries.
    """
    if empty and not chosen.has_sheet:
        raise FormatError("Byes and lines are drawn in a knock-out only. Draw without them.")
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
    raise FormatError("Its rounds are paired one by one from the records so far.")


def knockout_format(chosen: Format) -> KnockoutFormat:
    """The knock-out that a format describes. Raises FormatError for brackets that do not go together."""
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
        )
    except (GraphError, NotationError) as error:
        raise FormatError(str(error)) from error


def has_places(chosen: Format, bracket: str) -> bool:
    """Whether a bracket of this name has a list of places of its own in such a tournament, or may come to have one."""
    return bracket in ranked_brackets(chosen) or _JACKPOT.fullmatch(bracket) is not None


def ranked_brackets(chosen: Format) -> list[str]:
    """Brackets with a list of places of their own; those that are ranked together by the name of the first."""
    if chosen.kind == Kind.GROUPS:
        return ["play-off", *(group_name(number) for number in range(1, chosen.groups + 1))]
    side_brackets = {
        "consolation": chosen.kind == Kind.KNOCKOUT and chosen.consolation,
        "last chance": chosen.kind in (Kind.KNOCKOUT, Kind.DOUBLE) and chosen.last_chance,
    }
    return [MAIN, *(name for name, is_played in side_brackets.items() if is_played)]
