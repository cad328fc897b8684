"""The same person in several tournaments: the choice between namesakes, and merging two players of an event."""

from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.access.permissions import Capability
from tournament.entries.lists.similar_names import SimilarNames
from tournament.models import Event
from tournament.money.player_merging import Merge, merge_players, preview_merge
from tournament.pages.director.actions import attempt, page
from tournament.pages.director.context import event_context
from tournament.pages.entries.changes import facts_of
from tournament.pages.entries.forms import EntryForm
from tournament.queries.entries.people import EventPlayer, first_entry, players_of_event
from tournament.runtime.errors import NotFound


@dataclass(frozen=True, slots=True)
class PersonChoice:
    """A player of the event who could be the person that is entered."""

    value: str
    name: str
    facts: tuple[str, ...]
    tournaments: tuple[str, ...]


def people_to_choose(form: EntryForm) -> list[PersonChoice]:
    return [
        PersonChoice(str(person.player_id), person.name, facts_of(person), person.elsewhere)
        for person in form.people()
    ]


@page("GET", "POST")
def merge_with(request: HttpRequest, event: str, player: UUID) -> HttpResponse:
    """GET lists the players that can be merged into this one, and with `?other=` shows what changes. POST merges."""
    context = event_context(request, event, Capability.DIRECT)
    people = players_of_event(context.event)
    if player not in people:
        raise NotFound
    player_row, other = people[player], people.get(_chosen(request))
    merge: Merge | None = None
    if request.method == "POST":
        if other is None:
            messages.error(request, _("The other player is gone. Check if the two are merged already."))
            return redirect(_page_of(context.event, player))
        digest = request.POST.get("confirmed", "")
        done = attempt(request, lambda: merge_players(context.event, player, other.pk, context.actor, digest))
        if done is not None:
            messages.success(request, _("{name} is one player now.").format(name=player_row.name))
            return redirect(_page_of(context.event, player))
        return redirect(f"{request.path}?other={other.pk}")
    if other is not None and other != player_row:
        done = attempt(request, lambda: preview_merge(context.event, player, other.pk, context.actor))
        merge = done.value if done is not None else None
    return context.render(
        request,
        "merge_players.html",
        "cash-desk",
        player=player_row,
        other=other if merge is not None else None,
        merge=merge,
        before=[(row, merge.before[row.pk]) for row in (player_row, other)] if merge and other else [],
        similar=_similar(people, player_row),
        in_same_tournament=_similar(people, player_row, in_same_tournament=True),
        others=[row for row in people.values() if not row.tournament_ids & player_row.tournament_ids],
        back=_page_of(context.event, player),
    )


def _chosen(request: HttpRequest) -> UUID:
    try:
        return UUID(request.POST.get("other") or request.GET.get("other", ""))
    except ValueError:
        return UUID(int=0)


def _similar(
    people: dict[UUID, EventPlayer], player: EventPlayer, *, in_same_tournament: bool = False
) -> list[EventPlayer]:
    """Other players with a similar name who are in none of the same tournaments, or in one of them."""
    others = [
        row
        for row in people.values()
        if row != player and bool(row.tournament_ids & player.tournament_ids) is in_same_tournament
    ]
    return SimilarNames([(row.name, row) for row in others]).find(player.name)


def _page_of(event: Event, player: UUID) -> str:
    """The page of the player's first entry."""
    entry = first_entry(player)
    if entry is None:
        return reverse("cash-desk", args=[event.slug])
    return reverse("entry-edit", args=[event.slug, entry.tournament.slug, entry.pk])
