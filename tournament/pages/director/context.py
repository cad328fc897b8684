"""Where a director's page is: who asks, in which event or tournament, and what they may do there. Reads only."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.models import Event, Tournament
from tournament.pages.director.actions import status_of
from tournament.web.request import actor_of


@dataclass(frozen=True, slots=True)
class Can:
    """What a page offers; whether it may be done is asked again where it is done."""

    desk: bool
    direct: bool
    own: bool
    calls: bool


@dataclass(frozen=True, slots=True)
class Place:
    """An event, as seen by somebody who has a role in it."""

    actor: Actor
    event: Event
    can: Can

    def shown(self, request: HttpRequest, template: str, here: str, **more: Any) -> HttpResponse:
        """The page, with the clocks of the event; 422 when its form says what is wrong. `here` names its tab."""
        form = more.get("form")
        status = status_of(form) if isinstance(form, BaseForm) else 200
        with timezone.override(self.event.time_zone):
            return render(request, f"director/{template}", {**self.context(here), **more}, status=status)

    def context(self, here: str) -> Mapping[str, Any]:
        return {"event": self.event, "can": self.can, "here": here}


@dataclass(frozen=True, slots=True)
class TournamentPlace(Place):
    """One tournament of an event, likewise."""

    tournament: Tournament

    def context(self, here: str) -> Mapping[str, Any]:
        return {"event": self.event, "tournament": self.tournament, "can": self.can, "here": here}

    @property
    def slugs(self) -> tuple[str, str]:
        return self.event.slug, self.tournament.slug


def at_event(request: HttpRequest, slug: str, capability: Capability) -> Place:
    """Raises NotFound and Denied as `access` does."""
    actor = actor_of(request)
    event = permissions.event_for(actor, slug, capability)
    return Place(actor, event, _can(actor, event))


def at_tournament(request: HttpRequest, event: str, slug: str, capability: Capability) -> TournamentPlace:
    """Raises NotFound and Denied as `access` does."""
    actor = actor_of(request)
    tournament = permissions.tournament_for(actor, event, slug, capability)
    return TournamentPlace(actor, tournament.event, _can(actor, tournament.event), tournament)


def _can(actor: Actor, event: Event) -> Can:
    held = permissions.CAPABILITIES.get(permissions.role_in(event, actor), frozenset())
    return Can(
        desk=Capability.DESK in held,
        direct=Capability.DIRECT in held,
        own=Capability.OWN in held,
        calls=Capability.CALLS in held,
    )
