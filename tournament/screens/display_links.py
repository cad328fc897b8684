"""Lets screens look on: links that open the pages of one screen and nothing else, made, changed and revoked.

A token leaves this room once, when its link is made; only its digest is kept.
"""

import uuid
from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.accounts.links import new_token
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import DisplayLink, Event, Tournament
from tournament.runtime import publish
from tournament.runtime.errors import NotFound, Refused
from tournament.runtime.token_digest import digest
from tournament.screens.plan import LONGEST, SHORTEST, Plan

MOST_SCREENS = 20
LONGEST_TOKEN = 64


def open_display(token: str) -> DisplayLink:
    """The screen of this token with its event. Raises NotFound for one that is revoked or of a closed event."""
    links = DisplayLink.objects.select_related("event").filter(
        digest=digest(token), revoked_at__isnull=True, event__closed_at__isnull=True
    )
    found = links.first() if len(token) <= LONGEST_TOKEN else None
    if found is None:
        raise NotFound
    return found


def display_in(event: Event, link_id: uuid.UUID) -> DisplayLink:
    """A screen of this event that is not revoked; raises NotFound."""
    found = DisplayLink.objects.filter(event=event, pk=link_id, revoked_at__isnull=True).first()
    if found is None:
        raise NotFound
    return found


@transaction.atomic
def make_display(event: Event, label: str, plan: Plan, actor: Actor) -> tuple[DisplayLink, str]:
    """A link for one more screen. Returns it with its token, which is told only now."""
    Event.objects.select_for_update().get(pk=event.pk)
    if DisplayLink.objects.filter(event=event, revoked_at__isnull=True).count() >= MOST_SCREENS:
        raise Refused(
            "too-many-screens",
            "This event has {most} screens already. Revoke the link of one that is not in use.",
            most=MOST_SCREENS,
        )
    _check(event, plan)
    token = new_token()
    link = DisplayLink.objects.create(
        event=event, label=label, digest=digest(token), plan=plan.as_json(), made_at=timezone.now()
    )
    journal.write(event, actor, JournalEntry("make screen", "screen", link.pk, after={"label": label}))
    return link, token


@transaction.atomic
def change_display(link: DisplayLink, label: str, plan: Plan, actor: Actor) -> None:
    """Another name or another plan: the screen follows at once."""
    _check(link.event, plan)
    before = {"label": link.label, **link.plan}
    link.label, link.plan = label, plan.as_json()
    link.save(update_fields=["label", "plan"])
    after = {"label": label, **link.plan}
    journal.write(link.event, actor, JournalEntry("change screen", "screen", link.pk, before, after))
    tell(link.pk)


@transaction.atomic
def revoke_display(link: DisplayLink, actor: Actor) -> None:
    """The screen shows nothing more. Revoking again changes nothing."""
    open_links = DisplayLink.objects.filter(pk=link.pk, revoked_at__isnull=True)
    if open_links.update(revoked_at=timezone.now()):
        journal.write(link.event, actor, JournalEntry("revoke screen", "screen", link.pk))
        tell(link.pk)


def tell(*channels: uuid.UUID) -> None:
    """Screens that listen to these ids look again after the commit."""
    transaction.on_commit(lambda: publish.publish_changes(dict.fromkeys(channels, 0)), robust=True)


def _check(event: Event, plan: Plan) -> None:
    if not plan.seconds:
        raise Refused("nothing-to-show", "Choose at least one thing that the screen shows.")
    if not all(SHORTEST <= seconds <= LONGEST for seconds in plan.seconds.values()):
        raise Refused(
            "seconds-out-of-range",
            "Give each slide {shortest} to {longest} seconds.",
            shortest=SHORTEST,
            longest=LONGEST,
        )
    if not _are_of(event, plan.tournaments):
        raise Refused(
            "no-such-tournament", "A tournament on this list is not part of the event. Choose again."
        )


def _are_of(event: Event, tournaments: Iterable[uuid.UUID]) -> bool:
    wanted = set(tournaments)
    return Tournament.objects.filter(event=event, pk__in=wanted).count() == len(wanted)
