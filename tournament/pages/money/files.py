"""Downloads of an event's money: transfers, accounts, players, statements, and the year of its organizer."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.exports.money_tables import MONEY_TABLES, year_table
from tournament.pages.exports import rate_limited
from tournament.queries.money.organizers import events_of_year, owns_organizer
from tournament.runtime.errors import NotFound
from tournament.web.downloads import table_response
from tournament.web.error_pages import render_refusals
from tournament.web.request import actor_of


@never_cache
@require_safe
@rate_limited
@render_refusals
def money_file(request: HttpRequest, event: str, table: str, kind: str) -> HttpResponse:
    row = permissions.event_for(actor_of(request), event, Capability.MONEY)
    if table not in MONEY_TABLES:
        raise NotFound
    return table_response(lambda: MONEY_TABLES[table](row), f"{row.slug}-{table}", kind)


@never_cache
@require_safe
@rate_limited
@render_refusals
def year_file(request: HttpRequest, event: str, kind: str) -> HttpResponse:
    """For the owner of the organizer only, because it shows the money of other events."""
    actor = actor_of(request)
    row = permissions.event_for(actor, event, Capability.OWN)
    if not owns_organizer(row, actor):
        raise NotFound
    year = row.starts_on.year
    return table_response(lambda: year_table(events_of_year(row, year, actor)), f"{year}-accounts", kind)
