"""The desk as one request shows it: its matches filtered and sorted by the address or the session, and their ETag."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from tournament.models import Event
from tournament.pages.director.context import Permissions
from tournament.queries.brackets.labels import bracket_title, round_title
from tournament.queries.desk.desk import DeskLine, DeskPage
from tournament.queries.desk.match_filter import (
    ALL,
    DESCENDING,
    OPEN,
    SORT_KEYS,
    STATES,
    MatchFilter,
    brackets_of,
    rounds_of,
)
from tournament.queries.desk.match_search import Candidate, list_candidates
from tournament.queries.desk.urgent import UrgentKind
from tournament.web.lists import name_query, wants_all

AT_FIRST = 120
"""Matches of a desk with more of them, unless the reader wants all."""
WHOLE_DESK_KEY, FILTER_KEY = "desk-whole", "desk-filter"
REMEMBERED = ("tournament", "bracket", "round", "state", "sort")
LONGEST_VALUE = 80
STATE_LABELS: Mapping[str, Promise] = {
    OPEN: _("Open matches"),
    "ready": _("To be played"),
    "called": _("Called, not begun"),
    "playing": _("Playing"),
    "reported": _("Reported"),
    "disputed": _("Disputed"),
    "waiting": _("Waiting for players"),
    "decided": _("Decided"),
    ALL: _("All matches"),
}
COLUMN_LABELS: Mapping[str, Promise] = {
    "number": _("No."),
    "tournament": _("Tournament"),
    "round": _("Round"),
    "players": _("Players"),
    "table": _("Table"),
    "state": _("State"),
    "since": _("Since"),
}


class Column(NamedTuple):
    """`order` is the value of `aria-sort`; `address` sorts by this column, or turns the order round."""

    name: str
    label: Promise
    order: str
    address: str


@dataclass(frozen=True)
class DeskView:
    """`is_whole`: the reader wants every match of a long list. `path` is the address of the page."""

    desk: DeskPage
    match_filter: MatchFilter
    is_whole: bool
    path: str
    permissions: Permissions

    @cached_property
    def matches(self) -> list[DeskLine]:
        """Every match that the filter lets through, in its order."""
        return self.match_filter.apply(self.desk.lines)

    @property
    def listed(self) -> Sequence[DeskLine]:
        return self.matches if self.is_whole else self.matches[:AT_FIRST]

    @property
    def is_long(self) -> bool:
        return len(self.matches) > AT_FIRST

    @property
    def first(self) -> int:
        return AT_FIRST

    @property
    def has_tournaments(self) -> bool:
        """True if the matches are of several tournaments."""
        return len(self.desk.tournaments) > 1

    @property
    def elsewhere(self) -> int:
        """Urgent items of other tournaments."""
        return self.desk.urgent_in_event - len(self.desk.urgent)

    @cached_property
    def open_players(self) -> list[Candidate]:
        return list_candidates(self.desk.open_lines)

    @cached_property
    def has_matches_waiting_elsewhere(self) -> bool:
        """True if matches of tournaments that this page does not list wait for a table."""
        waiting_here = sum(line.state == "ready" for line in self.desk.lines)
        items = [urgent.item for urgent in self.desk.urgent]
        return any(item.kind is UrgentKind.TABLE and item.number > waiting_here for item in items)

    @cached_property
    def columns(self) -> list[Column]:
        names = [name for name in COLUMN_LABELS if name != "tournament" or self.has_tournaments]
        return [self._column(name) for name in names]

    def _column(self, name: str) -> Column:
        is_current = self.match_filter.column == name
        turned = is_current and not self.match_filter.is_descending
        sort = f"{DESCENDING}{name}" if turned else name
        order = ("descending" if self.match_filter.is_descending else "ascending") if is_current else "none"
        return Column(name, COLUMN_LABELS[name], order, self.address(sort=sort))

    def address(self, **changes: str) -> str:
        """The query of this page with another filter."""
        values = asdict(replace(self.match_filter, **changes))
        return f"?{urlencode({name: value for name, value in values.items() if value})}"

    @cached_property
    def choices(self) -> Mapping[str, list[tuple[str, str | Promise]]]:
        """The values of each select of the filter with their labels."""
        of_tournament = [
            line for line in self.desk.lines if self.match_filter.tournament in ("", line.tournament.slug)
        ]
        of_bracket = [line for line in of_tournament if self.match_filter.bracket in ("", line.bracket)]
        return {
            "tournament": [(row.slug, row.name) for row in self.desk.tournaments],
            "bracket": [(key, bracket_title(key)) for key in brackets_of(of_tournament)],
            "round": [(code, round_title(code)) for code in rounds_of(of_bracket)],
            "state": list(STATE_LABELS.items()),
        }

    @property
    def is_filtered(self) -> bool:
        return replace(self.match_filter, sort="state") != MatchFilter()

    @property
    def order_key(self) -> str:
        """Changes with the order of the matches, so that a live page replaces the whole list."""
        return _digest([(line.state, line.pairing.id) for line in self.listed])[:12]

    @property
    def etag(self) -> str:
        """Identifies everything that the live part shows."""
        desk = self.desk
        content = (
            [*self.listed, *self.columns],
            (len(self.matches), desk.urgent, desk.urgent_in_event, desk.decided, desk.over, desk.channels),
            [(row.line.pairing.called, row.own.name, row.key) for row in self.open_players],
            (desk.broker_is_away, desk.is_late, desk.unmoved, desk.has_tables, self.match_filter),
        )
        return f'W/"{_digest(content)[:32]}-{get_language()}"'


def desk_view(
    request: HttpRequest, desk: DeskPage, event: Event, permissions: Permissions, path: str
) -> DeskView:
    """Returns the view that the address requests. Without a filter in the address, the session's filter applies."""
    return DeskView(
        desk,
        _possible(_requested_filter(request, event), desk),
        wants_all(request, "columns", WHOLE_DESK_KEY),
        path,
        permissions,
    )


def _requested_filter(request: HttpRequest, event: Event) -> MatchFilter:
    sent = {name: request.GET[name][:LONGEST_VALUE] for name in REMEMBERED if name in request.GET}
    remembered = request.session.get(FILTER_KEY, {})
    if sent:
        changed = {"event": str(event.pk), **sent}
        if changed != remembered:
            request.session[FILTER_KEY] = changed
    elif remembered.get("event") == str(event.pk):
        sent = {name: remembered[name] for name in REMEMBERED if name in remembered}
    return MatchFilter(**sent, find=name_query(request))


def _possible(wanted: MatchFilter, desk: DeskPage) -> MatchFilter:
    """Drops the values that this desk does not have."""
    slugs = [row.slug for row in desk.tournaments] if len(desk.tournaments) > 1 else []
    tournament = wanted.tournament if wanted.tournament in slugs else ""
    lines = [line for line in desk.lines if tournament in ("", line.tournament.slug)]
    return replace(
        wanted,
        tournament=tournament,
        bracket=wanted.bracket if wanted.bracket in brackets_of(lines) else "",
        round=wanted.round if wanted.round in rounds_of(lines) else "",
        state=wanted.state if wanted.state in (*STATES, ALL) else OPEN,
        sort=wanted.sort if wanted.column in SORT_KEYS else "state",
    )


def _digest(content: object) -> str:
    return hashlib.sha256(repr(content).encode()).hexdigest()
