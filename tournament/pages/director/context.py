"""The context of a director's page: the actor, the event or tournament, and the actor's permissions.

Reads only, except that the session remembers the last tournament.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.ledger.labels import BookLabels
from tournament.live.channels import desk_channels, private_channel
from tournament.models import Event, Tournament
from tournament.pages.director.actions import status_of
from tournament.queries.brackets.bracket_list import bracket_ids
from tournament.queries.desk.urgent import count_urgent
from tournament.queries.next_steps import find_next_step
from tournament.web.request import actor_of

ORIGIN_SESSION_KEY = "origin"


@dataclass(frozen=True, slots=True)
class Permissions:
    """Permissions that decide what a page offers. Each action checks its permission again."""

    desk: bool
    direct: bool
    own: bool
    calls: bool
    money: bool


@dataclass(frozen=True, slots=True)
class DirectorContext:
    """An event and an actor with a role in it."""

    actor: Actor
    event: Event
    permissions: Permissions

    def render(self, request: HttpRequest, template: str, tab: str, **variables: Any) -> HttpResponse:
        """Renders the page in the time zone of the event. The status is 422 if `form` has errors."""
        form = variables.get("form")
        status = status_of(form) if isinstance(form, BaseForm) else 200
        with timezone.override(self.event.time_zone):
            find_origin = partial(_find_origin, request, self.actor, self.event)
            variables = {**self.template_context(tab), "find_origin": find_origin, **variables}
            return render(request, f"director/{template}", variables, status=status)

    def template_context(self, tab: str) -> Mapping[str, Any]:
        return {
            "event": self.event,
            "permissions": self.permissions,
            "urgent_count": urgent_count(self.event, self.permissions),
            "current_tab": tab,
            "live_channels": partial(staff_channels, self.event),
            "book_labels": BookLabels(self.event.pk),
        }


@dataclass(frozen=True, slots=True)
class TournamentContext(DirectorContext):
    """A tournament and an actor with a role in its event."""

    tournament: Tournament

    def render(self, request: HttpRequest, template: str, tab: str, **variables: Any) -> HttpResponse:
        """As for an event. The event's pages then lead back to this tournament if they led back to another one."""
        remembered = request.session.get(ORIGIN_SESSION_KEY, "")
        if remembered and remembered != str(self.tournament.pk) and not request.headers.get("X-Live"):
            request.session[ORIGIN_SESSION_KEY] = str(self.tournament.pk)
        return DirectorContext.render(self, request, template, tab, **variables)

    def template_context(self, tab: str) -> Mapping[str, Any]:
        return {
            **DirectorContext.template_context(self, tab),
            "tournament": self.tournament,
            "next_step": partial(find_next_step, self.tournament),
            "live_channels": partial(staff_channels, self.event, self.tournament),
        }

    @property
    def slugs(self) -> tuple[str, str]:
        return self.event.slug, self.tournament.slug


def _find_origin(request: HttpRequest, actor: Actor, event: Event) -> Tournament | None:
    """The tournament whose pages led to the event's: named by `from` in the address, then remembered in the session."""
    slug, remembered = request.GET.get("from", ""), request.session.get(ORIGIN_SESSION_KEY, "")
    if not slug and not remembered:
        return None
    tournaments = permissions.visible_tournaments(actor, event)
    origin = next(
        (row for row in tournaments if slug == row.slug or (not slug and remembered == str(row.pk))), None
    )
    if origin is not None and remembered != str(origin.pk):
        request.session[ORIGIN_SESSION_KEY] = str(origin.pk)
    return origin


def staff_context(request: HttpRequest, event: Event) -> Mapping[str, Any]:
    """Variables of the director's tabs on a public page; empty for visitors who do not work at the desk."""
    held = _permissions(actor_of(request), event)
    return {"permissions": held, "urgent_count": urgent_count(event, held)} if held.desk else {}


def staff_channels(event: Event, tournament: Tournament | None = None) -> list[str]:
    """The channels of the event's journal and, if a tournament is given, of all changes of its brackets."""
    names = [private_channel(event.pk)]
    if tournament is not None:
        for bracket in bracket_ids(tournament):
            names += desk_channels(bracket)
    return names


def urgent_count(event: Event, held: Permissions) -> Callable[[], int]:
    """The number of things that need the desk now; 0 for those who do not work there. Counted if a page shows it."""
    return cache(lambda: count_urgent(event, with_money=held.money) if held.desk else 0)


def event_context(request: HttpRequest, slug: str, capability: Capability) -> DirectorContext:
    """Raises NotFound or Denied like `permissions.event_for`."""
    actor = actor_of(request)
    event = permissions.event_for(actor, slug, capability)
    return DirectorContext(actor, event, _permissions(actor, event))


def tournament_context(
    request: HttpRequest, event: str, slug: str, capability: Capability
) -> TournamentContext:
    """Raises NotFound or Denied like `permissions.tournament_for`."""
    actor = actor_of(request)
    tournament = permissions.tournament_for(actor, event, slug, capability)
    return TournamentContext(actor, tournament.event, _permissions(actor, tournament.event), tournament)


def _permissions(actor: Actor, event: Event) -> Permissions:
    held = permissions.CAPABILITIES.get(permissions.role_in(event, actor), frozenset())
    return Permissions(
        desk=Capability.DESK in held,
        direct=Capability.DIRECT in held,
        own=Capability.OWN in held,
        calls=Capability.CALLS in held,
        money=Capability.MONEY in held,
    )
