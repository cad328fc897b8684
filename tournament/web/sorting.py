"""Sorting of tables on pages by a column, with `?sort=column`, or `?sort=-column` for the reverse order."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.http import HttpRequest

Line = TypeVar("Line")
Keys = Mapping[str, Callable[[Line], Any]]
SEARCH = ("find",)


@dataclass(frozen=True, slots=True)
class Heading:
    """The link in the heading of a column. `direction` is the value of `aria-sort`, empty for other columns."""

    query: str
    direction: str


@dataclass(frozen=True, slots=True)
class TableOrder:
    """The order of a table. `headings` are by column; `value` is the parameter, empty for the order of the page."""

    value: str
    headings: Mapping[str, Heading]


def sort_table(
    request: HttpRequest,
    lines: Iterable[Line],
    keys: "Keys[Line]",
    largest_first: Collection[str] = (),
    kept: Collection[str] = SEARCH,
) -> tuple[list[Line], TableOrder]:
    """Returns the lines in the requested order, or as they are. Equal lines keep their order.

    `largest_first`: the columns whose first click sorts in the reverse order. `kept`: query parameters that remain in
    another order.
    """
    kept_query = {name: value for name in kept if (value := request.GET.get(name, ""))}
    requested = request.GET.get("sort", "")
    column, is_reversed = requested.removeprefix("-"), requested.startswith("-")
    order = TableOrder(
        requested if column in keys else "",
        {
            name: _heading(
                kept_query, name, requested if column == name else "", largest_first=name in largest_first
            )
            for name in keys
        },
    )
    if column not in keys:
        return list(lines), order
    return sorted(lines, key=keys[column], reverse=is_reversed), order


def _heading(kept: Mapping[str, str], column: str, requested: str, *, largest_first: bool) -> Heading:
    """A second click on a heading reverses the order."""
    first, second = (f"-{column}", column) if largest_first else (column, f"-{column}")
    query = {"sort": second if requested == first else first, **kept}
    direction = ("descending" if requested.startswith("-") else "ascending") if requested else ""
    return Heading(urlencode(query), direction)
