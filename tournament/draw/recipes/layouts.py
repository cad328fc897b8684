"""From a format to its graph: which recipe draws it. The only place where a format's kind is looked at to draw it."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.draw.formats import Format, FormatError
from tournament.draw.graph import Graph
from tournament.draw.recipes.knockout import Spot, single_elimination


@dataclass(frozen=True, slots=True)
class Layout:
    """Pairings over positions 1, 2, 3 ..., and which of their brackets are ranked by records."""

    graph: Graph[Spot, int]
    tables: frozenset[str] = frozenset()


def layout(chosen: Format, entries: int) -> Layout:
    """Everything of this format that can be drawn before anything is played.

    Raises FormatError where so many entries cannot play it, GraphError outside 2 to 1,024 entries.
    """
    if chosen.is_growing:
        raise FormatError("Its rounds are paired one by one from the records so far.")
    return Layout(single_elimination(entries))
