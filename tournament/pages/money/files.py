"""Downloads of an event's money: transfers, accounts, players, and the year of its organizer."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.exports.export_tables import Table
from tournament.exports.money_tables import accounts_table, players_table, transfers_table, year_table
from tournament.exports.table_writers import FILE_KINDS
from tournament.models import Event
from tournament.pages.exports import attachment, rate_limited
from tournament.queries.money.organizers import events_of_year
from tournament.runtime.errors import NotFound
from tournament.web.error_pages import render_refusals
from tournament.web.request import actor_of

TABLES: dict[str, Callable[[Event], Table]] = {
    "transfers": transfers_table,
    "accounts": accounts_table,
    "players": players_table,
}


@never_cache
@require_safe
@rate_limited
@render_refusals
def money_file(request: HttpRequest, event: str, table: str, kind: str) -> HttpResponse:
    row = permissions.event_for(actor_of(request), event, Capability.MONEY)
    if table not in TABLES:
        raise NotFound
    return _file(TABLES[table](row), f"{row.slug}-{table}", kind)


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
    return _file(year_table(events_of_year(row, year, actor)), f"{year}-accounts", kind)


def owns_organizer(event: Event, actor: Actor) -> bool:
    return (
        event.organizer is not None and actor.user is not None and event.organizer.owner_id == actor.user.pk
    )


def _file(table: Table, name: str, kind: str) -> HttpResponse:
    if kind not in FILE_KINDS:
        raise NotFound
    file_kind = FILE_KINDS[kind]
    return attachment(file_kind.render(table), file_kind.media_type, f"{name}.{kind}")
