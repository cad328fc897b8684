"""Long lists on small pages: a name to look for, a page of lines at a time, all of them or the first.

Reads the address, and remembers in the session whether somebody wants all of a list.
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
    """What of a list is on this page. `is_whole`: all of it is, so that a script may look for names by itself.

    `page_parameter`: what the address calls the page's number, where there are two lists.
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
) -> ListPage[Line]:
    """The lines in which every word of `?find=` occurs, the `?page=` (or another word) of them that is asked for.

    Of rows no more are read than are shown, unless a name is looked for.
    """
    name = name_query(request)
    wanted = split_words(name)
    fitting = [line for line in lines if has_words(words_of(line), wanted)] if wanted else lines
    page = Paginator(fitting, LINES).get_page(request.GET.get(page_parameter))
    is_whole = (len(lines) if wanted else page.paginator.count) <= LINES
    return ListPage(page, name, is_whole, page_parameter)


def name_query(request: HttpRequest) -> str:
    """What `?find=` page_parameter for."""
    return request.GET.get("find", "").strip()[:LONGEST_NAME]


def wants_all(request: HttpRequest, parameter: str, kept_as: str) -> bool:
    """Whether `?parameter=` page_parameter for all of a list, and not only the first; remembered in the session."""
    asked = request.GET.get(parameter, "")
    if asked in CHOICES and request.session.get(kept_as, FIRST) != asked:
        request.session[kept_as] = asked
    return bool(request.session.get(kept_as, FIRST) == ALL)
