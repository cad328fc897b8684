"""Search, pagination and folding of long lists on pages, by query parameters.

The session remembers a reader who wants to see all of a list.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest

from tournament.runtime.name_search import has_words, split_words

Line = TypeVar("Line")
LINES = 80
LONGEST_NAME = 60
ALL, FIRST = CHOICES = ("all", "first")


@dataclass(frozen=True, slots=True)
class ListPage(Generic[Line]):
    """One page of a list. `is_whole`: the page has all lines, so a script can search without the server.

    `page_parameter`: the query parameter of the page number, for pages with two lists.
    """

    page: "Page[Line]"
    name: str
    is_whole: bool
    page_parameter: str = "page"


def search_list(
    request: HttpRequest,
    lines: Sequence[Line] | QuerySet[Any, Line],
    words_of: Callable[[Line], str],
    page_parameter: str = "page",
    lines_per_page: int = LINES,
) -> ListPage[Line]:
    """Returns the requested page of the lines that contain every word of `?find=`.

    Without a search, a query set is read for this page only.
    """
    name = name_query(request)
    words = split_words(name)
    matches = [line for line in lines if has_words(words_of(line), words)] if words else lines
    page = Paginator(matches, lines_per_page).get_page(request.GET.get(page_parameter))
    is_whole = (len(lines) if words else page.paginator.count) <= lines_per_page
    return ListPage(page, name, is_whole, page_parameter)


def name_query(request: HttpRequest) -> str:
    """Returns the search text of `?find=`."""
    return request.GET.get("find", "").strip()[:LONGEST_NAME]


def wants_all(request: HttpRequest, parameter: str, session_key: str) -> bool:
    """True if the reader wants all of a list: as said by `?parameter=`, else as remembered in the session."""
    choice = request.GET.get(parameter, "")
    if choice in CHOICES and request.session.get(session_key, FIRST) != choice:
        request.session[session_key] = choice
    return bool(request.session.get(session_key, FIRST) == ALL)
