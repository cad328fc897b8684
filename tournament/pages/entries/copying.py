"""Copies players of another tournament into the entry list, by tick boxes."""

from collections.abc import Collection
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy, ngettext

from tournament.access.permissions import Capability
from tournament.entries import copying
from tournament.entries.closed_entries import are_closed
from tournament.entries.copying import CopyLine
from tournament.models import Tournament
from tournament.pages.director.actions import attempt, page
from tournament.pages.director.context import tournament_context
from tournament.queries.entries.copy_sources import copy_sources
from tournament.runtime.errors import NotFound

SELECTIONS = {
    "all": gettext_lazy("All"),
    "arrived": gettext_lazy("Those present"),
    "none": gettext_lazy("Nobody"),
}


@page("GET", "POST")
def entries_copy(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """GET shows the players of a chosen tournament; POST copies the ticked ones."""
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    sources = copy_sources(context.actor, context.tournament)
    source = _chosen_source(sources, request.POST.get("from") or request.GET.get("from", ""))
    if request.method == "POST":
        if source is None:
            raise NotFound
        ticked = _ticked_entries(source, set(request.POST.getlist("entry")))
        done = attempt(
            request, lambda: copying.copy_entries(context.tournament.pk, source, ticked, context.actor)
        )
        if done is not None:
            count = done.value.count
            text = ngettext("{count} player copied.", "{count} players copied.", count).format(count=count)
            undo = reverse("entries-copy-undo", args=[*context.slugs, done.value.id])
            messages.success(request, text, extra_tags=undo)
            return redirect("entries", *context.slugs)
    lines = copying.plan_copy(context.tournament, source) if source else []
    selection = request.GET.get("select", "all")
    return context.render(
        request,
        "entries_copy.html",
        "entries",
        sources=sources,
        source=source,
        lines=[(line, _is_ticked(line, selection)) for line in lines],
        free=sum(not line.is_entered for line in lines),
        selection=selection,
        selections=SELECTIONS,
        is_closed=are_closed(context.tournament),
    )


@page("POST")
def entries_copy_undo(request: HttpRequest, event: str, tournament: str, batch: UUID) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    done = attempt(request, lambda: copying.undo_copy(context.tournament, batch, context.actor))
    if done is not None:
        text = ngettext("{count} copied player removed.", "{count} copied players removed.", done.value)
        messages.success(request, text.format(count=done.value))
    return redirect("entries", *context.slugs)


def _chosen_source(sources: list[Tournament], key: str) -> Tournament | None:
    """Returns the tournament with this id. Without an id, the only one that there is."""
    if not key and len(sources) == 1:
        return sources[0]
    return next((source for source in sources if str(source.pk) == key), None)


def _is_ticked(line: CopyLine, selection: str) -> bool:
    if line.is_entered or line.entry.is_withdrawn or selection == "none":
        return False
    return selection != "arrived" or line.entry.checked_in_at is not None


def _ticked_entries(source: Tournament, values: Collection[str]) -> list[UUID]:
    return [pk for pk in source.entries.values_list("pk", flat=True) if str(pk) in values]
