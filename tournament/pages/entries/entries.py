"""The entry list: adds players; searched, filtered and sorted by its columns."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.access.permissions import Capability
from tournament.brackets import advancing
from tournament.entries import registration
from tournament.entries.closed_entries import are_closed
from tournament.entries.same_person import other_tournaments
from tournament.live.channels import event_channel
from tournament.models import Entry
from tournament.pages.director.actions import page, submit
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.draws.forms import ReasonForm
from tournament.pages.entries.forms import EntryForm
from tournament.pages.entries.same_person import people_to_choose
from tournament.queries.entries.copy_sources import has_copy_source
from tournament.queries.entries.entry_list import (
    FILTERS,
    ORDERS,
    entry_list,
    find_entry_for_desk,
    pool_filters,
)
from tournament.queries.events.overview import count_entries
from tournament.runtime.errors import NotFound

LINES_PER_PAGE = 100
ORDER_SESSION_KEY = "entries-order"
COLUMNS = {
    "seed": gettext_lazy("Seed"),
    "name": gettext_lazy("Name"),
    "country": gettext_lazy("Country"),
    "club": gettext_lazy("Club"),
    "rating": gettext_lazy("Rating"),
    "pools": gettext_lazy("Side pools"),
    "phone": gettext_lazy("Phone"),
    "arrived": gettext_lazy("Arrived"),
    "paid": gettext_lazy("Paid"),
}
ORDER_LABELS = {**COLUMNS, "entered": gettext_lazy("Time of entry")}
CLASSES = {
    "seed": "num",
    "country": "entry-table__fact",
    "club": "entry-table__fact",
    "rating": "num entry-table__fact",
    "pools": "entry-table__fact",
    "phone": "entry-table__phone",
}
"""The styles of columns: facts are below the name on a small screen, and paper has no phones."""
FILTER_LABELS = {
    "all": gettext_lazy("All"),
    "not-arrived": gettext_lazy("Not arrived"),
    "unpaid": gettext_lazy("Not paid"),
    "no-phone": gettext_lazy("Without a phone"),
    "withdrawn": gettext_lazy("Withdrawn"),
}


@page("GET", "POST")
def entries(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """GET shows the list; POST enters one player and focuses the field of the next name."""
    context = tournament_context(request, event, tournament, Capability.DESK)
    form = EntryForm(request.POST or None, tournament=context.tournament)
    if request.method == "POST":
        done = submit(form, lambda: registration.enter(context.tournament.pk, form.details(), context.actor))
        if done is not None:
            if other_tournaments(done.value.player_id, context.tournament):
                return redirect(f"{request.path}?entered={done.value.pk}#known")
            messages.success(request, _("{name} has been entered.").format(name=done.value.name))
            return redirect(f"{request.path}#id_name")
    return _render_list(request, context, form)


def _known_person(request: HttpRequest, context: TournamentContext) -> tuple[Entry, list[str]] | None:
    """The entry that was just added for a player of other tournaments (`?entered=`), and their names."""
    try:
        entry = find_entry_for_desk(context.tournament, UUID(request.GET.get("entered", "")))
    except (ValueError, NotFound):
        return None
    names = other_tournaments(entry.player_id, context.tournament)
    return (entry, names) if names else None


def _render_list(request: HttpRequest, context: TournamentContext, form: EntryForm) -> HttpResponse:
    pools = pool_filters(context.tournament)
    order, chosen_filter, words = _list_options(request, {*FILTERS, *pools})
    orders = {name: label for name, label in ORDER_LABELS.items() if pools or name != "pools"}
    lines = entry_list(context.tournament, order, chosen_filter, words)
    counts = count_entries(context.tournament)
    total = counts.entered + counts.withdrawn
    count_text = ngettext("{count} entry shown", "{count} entries shown", len(lines)).format(count=len(lines))
    return context.render(
        request,
        "entries.html",
        "entries",
        form=form,
        people=people_to_choose(form),
        known=_known_person(request, context),
        lines=Paginator(lines, LINES_PER_PAGE).get_page(request.GET.get("page")),
        counts=counts,
        is_empty=total == 0,
        is_whole=total <= LINES_PER_PAGE,
        how_many=count_text,
        is_drawn=advancing.current_draw(context.tournament) is not None,
        is_closed=are_closed(context.tournament),
        chosen={"order": order, "wanted": chosen_filter, "words": words},
        here_too=urlencode({"show": chosen_filter, "order": order, "words": words}),
        columns=_columns(orders, order, chosen_filter, words),
        orders=orders,
        filters=_filters({**FILTER_LABELS, **pools}, chosen_filter, order, words),
        absent=counts.entered - counts.arrived,
        reason_form=ReasonForm(),
        event_channel=event_channel(context.event.pk),
        can_copy=partial(has_copy_source, context.actor, context.tournament),
    )


@dataclass(frozen=True, slots=True)
class Column:
    """The heading of a sortable column. `direction` is the value of `aria-sort`; `query` sorts by the column."""

    label: str
    query: str
    direction: str
    classes: str


def _columns(orders: Collection[str], order: str, chosen_filter: str, words: str) -> list[Column]:
    def column(name: str, label: Promise) -> Column:
        is_chosen = order.removeprefix("-") == name
        direction = "" if not is_chosen else "descending" if order.startswith("-") else "ascending"
        target = f"-{name}" if direction == "ascending" else name
        query = urlencode({"show": chosen_filter, "order": target, "words": words})
        return Column(str(label), query, direction, CLASSES.get(name, ""))

    return [column(name, label) for name, label in COLUMNS.items() if name in orders]


@dataclass(frozen=True, slots=True)
class Filter:
    value: str
    label: str
    query: str
    is_chosen: bool


def _filters(labels: Mapping[str, Promise | str], chosen_filter: str, order: str, words: str) -> list[Filter]:
    return [
        Filter(
            value,
            str(label),
            urlencode({"show": value, "order": order, "words": words}),
            value == chosen_filter,
        )
        for value, label in labels.items()
    ]


def _list_options(request: HttpRequest, filters: Collection[str]) -> tuple[str, str, str]:
    """Returns order, filter and search words. The session stores the order."""
    requested_order = request.GET.get("order", "")
    if (
        requested_order.removeprefix("-") in ORDERS
        and request.session.get(ORDER_SESSION_KEY) != requested_order
    ):
        request.session[ORDER_SESSION_KEY] = requested_order
    order = request.session.get(ORDER_SESSION_KEY, "name")
    chosen_filter = request.GET.get("show", "all")
    return order, chosen_filter if chosen_filter in filters else "all", request.GET.get("words", "")[:100]
