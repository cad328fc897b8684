"""Downloads of entries, standings, results and brackets. Hidden until the draw is released, like the pages."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.exports.export_tables import Table, entries_table, results_table, standings_table
from tournament.exports.picture import bracket_svg
from tournament.live.channels import event_channel
from tournament.models import Tournament
from tournament.pages.brackets.addresses import key_at
from tournament.queries.brackets.bracket_list import bracket_ids
from tournament.queries.brackets.labels import bracket_slug
from tournament.runtime import rate_limiter
from tournament.runtime.errors import NotFound
from tournament.web.conditional import vary_by_channels
from tournament.web.downloads import attachment, table_response
from tournament.web.error_pages import render_refusals
from tournament.web.page_rate_limits import FILE_DOWNLOADS, client_network, too_many_requests
from tournament.web.request import actor_of


def rate_limited(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Limits downloads per network, because a file takes more time than a page."""

    @wraps(view)
    def limited_view(request: HttpRequest, /, *args: str, **kwargs: str) -> HttpResponse:
        seconds = rate_limiter.seconds_to_wait((FILE_DOWNLOADS, client_network(request)))
        return too_many_requests(request, seconds) if seconds else view(request, *args, **kwargs)

    return limited_view


@require_safe
@rate_limited
@render_refusals
def standings_export(request: HttpRequest, event: str, tournament: str, kind: str) -> HttpResponse:
    return _file(_visible_tournament(request, event, tournament), "standings", standings_table, kind)


@require_safe
@rate_limited
@render_refusals
def results_export(request: HttpRequest, event: str, tournament: str, kind: str) -> HttpResponse:
    return _file(_visible_tournament(request, event, tournament), "results", results_table, kind)


@never_cache
@require_safe
@rate_limited
@render_refusals
def entries_export(request: HttpRequest, event: str, tournament: str, kind: str) -> HttpResponse:
    """For the desk only, because the list has registered names and payments."""
    tournament_row = permissions.tournament_for(actor_of(request), event, tournament, Capability.DESK)
    return _table_file(tournament_row, "entries", entries_table, kind)


@require_safe
@rate_limited
@render_refusals
def bracket_svg_export(request: HttpRequest, event: str, tournament: str, bracket: str = "") -> HttpResponse:
    tournament_row = _visible_tournament(request, event, tournament)
    key = key_at(tournament_row, bracket)
    name = f"{tournament_row.slug}-{bracket_slug(key) if bracket else 'bracket'}.svg"
    return _shared(tournament_row, attachment(bracket_svg(tournament_row, key), "image/svg+xml", name))


def _visible_tournament(request: HttpRequest, event: str, tournament: str) -> Tournament:
    actor = actor_of(request)
    tournament_row = permissions.tournament_for(actor, event, tournament)
    if not permissions.may_see_draw(actor, tournament_row):
        raise NotFound
    return tournament_row


def _file(
    tournament: Tournament, content_name: str, table: Callable[[Tournament], Table], kind: str
) -> HttpResponse:
    return _shared(tournament, _table_file(tournament, content_name, table, kind))


def _table_file(
    tournament: Tournament, content_name: str, table: Callable[[Tournament], Table], kind: str
) -> HttpResponse:
    return table_response(lambda: table(tournament), f"{tournament.slug}-{content_name}", kind)


def _shared(tournament: Tournament, response: HttpResponse) -> HttpResponse:
    """Lets caches keep a file that every visitor gets, until the tournament changes."""
    response["Cache-Control"] = "private, no-cache"
    return vary_by_channels(response, [event_channel(tournament.event_id), *bracket_ids(tournament)])
