"""How much of a desk one page shows: all of it where few play, else what has waited longest, and whoever is looked for.

Reads the address, and what is remembered of whoever asks; touches no rows.
"""

import hashlib
from dataclasses import dataclass

from django.http import HttpRequest

from tournament.queries.desk.desk import DeskLine, DeskPage
from tournament.runtime.name_search import has_words, split_words
from tournament.web.lists import name_query, wants_all

AT_FIRST = 40
"""Matches in each column of a desk with more of them."""
LISTED = 64
"""So many matches can be looked through without looking for a name."""
WHOLE_KEPT = "desk-whole"


@dataclass(frozen=True, slots=True)
class DeskView:
    """`find` is what is looked for, `found` the first matches of that name or number, in any state."""

    desk: DeskPage
    is_whole: bool
    find: str
    found: tuple[DeskLine, ...]

    @property
    def finds_more(self) -> bool:
        """The first of many, perhaps of all."""
        return len(self.found) == LISTED

    @property
    def is_long(self) -> bool:
        return len(self.desk.lines) > LISTED

    @property
    def is_listed(self) -> bool:
        """Whether every match stands in a list below."""
        return self.is_whole or not self.is_long

    @property
    def cut(self) -> str:
        """Of each column, as the filter `slice` takes it."""
        return ":" if self.is_listed else f":{AT_FIRST}"

    @property
    def most(self) -> int:
        return len(self.desk.lines) + len(self.desk.phones) if self.is_listed else AT_FIRST

    @property
    def first(self) -> int:
        return AT_FIRST

    @property
    def etag(self) -> str:
        """A mark of everything that the live part says."""
        desk = self.desk
        columns = (desk.playing, desk.ready, desk.reported, desk.phones)
        said = (
            [(len(column), column[: self.most]) for column in columns],
            (desk.questions, desk.decided, desk.brackets, desk.waiting, desk.end),
            (desk.broker_is_away, desk.is_late, desk.unmoved, self.is_listed, self.found),
        )
        return hashlib.sha256(repr(said).encode()).hexdigest()[:32]


def view_of(request: HttpRequest, desk: DeskPage) -> DeskView:
    """As the address asks for; `?columns=` all or first is remembered."""
    find = name_query(request)
    return DeskView(desk, wants_all(request, "columns", WHOLE_KEPT), find, _found(desk, find))


def _found(desk: DeskPage, find: str) -> tuple[DeskLine, ...]:
    wanted, label = split_words(find), find.upper()
    if not wanted:
        return ()
    fitting = (line for line in desk.lines if line.pairing.called == label or has_words(line.players, wanted))
    return tuple(fitting)[:LISTED]
