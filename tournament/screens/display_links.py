"""Creates, changes and revokes the links of screens. A link opens the pages of one screen and nothing else.

The token is returned only when the link is created; the database stores its digest. The short code stays readable for
directors. It opens public data only, and a client that guesses codes meets the rate limit of wrong links.
"""

import secrets
import uuid
from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.accounts.links import new_token
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import DisplayLink, Event, Tournament
from tournament.refusals.screens import (
    NO_SUCH_TOURNAMENT,
    NOTHING_TO_SHOW,
    SECONDS_OUT_OF_RANGE,
    TOO_MANY_SCREENS,
)
from tournament.runtime import publish
from tournament.runtime.errors import NotFound, Refused
from tournament.runtime.event_lock import lock_event
from tournament.runtime.token_digest import digest
from tournament.screens.plan import LONGEST_SECONDS, SHORTEST_SECONDS, Plan

MOST_SCREENS = 20
LONGEST_TOKEN = 64
CODE_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without 0, 1, I and O, which are misread."""
CODE_LENGTH = 5


def display_by_token(token: str) -> DisplayLink:
    """Returns the link with its event, by its token or, in any case of letters, its code.

    Raises NotFound if it is revoked, or the event is closed or in the bin.
    """
    of_link = Q(code=token.upper()) if len(token) == CODE_LENGTH else Q(digest=digest(token))
    links = DisplayLink.objects.select_related("event").filter(
        of_link, revoked_at__isnull=True, event__closed_at__isnull=True, event__deleted_at=None
    )
    link = links.first() if len(token) <= LONGEST_TOKEN else None
    if link is None:
        raise NotFound
    return link


def display_of_event(event: Event, link_id: uuid.UUID) -> DisplayLink:
    """Raises NotFound if the link is revoked."""
    link = displays_of_event(event).filter(pk=link_id).first()
    if link is None:
        raise NotFound
    return link


def displays_of_event(event: Event) -> QuerySet[DisplayLink]:
    """Returns the links that are not revoked."""
    return DisplayLink.objects.filter(event=event, revoked_at__isnull=True)


def any_display_of_event(event: Event, link_id: uuid.UUID) -> DisplayLink:
    """Returns a link even if it is revoked. Raises NotFound."""
    link = DisplayLink.objects.filter(event=event, pk=link_id).first()
    if link is None:
        raise NotFound
    return link


@transaction.atomic
def create_display(event: Event, label: str, plan: Plan, actor: Actor) -> tuple[DisplayLink, str]:
    """Creates the link of a new screen. Returns it with its token, which cannot be read later."""
    lock_event(event.pk)
    if displays_of_event(event).count() >= MOST_SCREENS:
        raise Refused(TOO_MANY_SCREENS, most=MOST_SCREENS)
    _check_plan(event, plan)
    token = new_token()
    link = DisplayLink.objects.create(
        event=event,
        label=label,
        digest=digest(token),
        code=_free_code(),
        plan=plan.as_json(),
        made_at=timezone.now(),
    )
    journal.write(event, actor, JournalEntry("make screen", "screen", link.pk, after={"label": label}))
    return link, token


@transaction.atomic
def renew_display(link: DisplayLink, actor: Actor) -> str:
    """Gives the screen a new token, which it returns, and a new code. The old ones stop working."""
    token = new_token()
    link.digest, link.code = digest(token), _free_code()
    link.save(update_fields=["digest", "code"])
    journal.write(link.event, actor, JournalEntry("renew screen link", "screen", link.pk))
    publish_changes(link.pk)
    return token


@transaction.atomic
def change_display(link: DisplayLink, label: str, plan: Plan, actor: Actor) -> None:
    """Changes label and plan. The screen is updated at once."""
    _check_plan(link.event, plan)
    before = {"label": link.label, **link.plan}
    link.label, link.plan = label, plan.as_json()
    link.save(update_fields=["label", "plan"])
    after = {"label": label, **link.plan}
    journal.write(link.event, actor, JournalEntry("change screen", "screen", link.pk, before, after))
    publish_changes(link.pk)


@transaction.atomic
def revoke_display(link: DisplayLink, actor: Actor) -> None:
    """Revokes the link: the screen shows nothing more. Idempotent."""
    open_links = DisplayLink.objects.filter(pk=link.pk, revoked_at__isnull=True)
    if open_links.update(revoked_at=timezone.now()):
        journal.write(link.event, actor, JournalEntry("revoke screen", "screen", link.pk))
        publish_changes(link.pk)


def publish_all(event: Event) -> None:
    """After the commit, all screens of the event fetch their slides again."""
    publish_changes(*displays_of_event(event).values_list("pk", flat=True))


def publish_changes(*channels: uuid.UUID) -> None:
    """After the commit, screens that subscribe to these channels fetch their slides again."""
    transaction.on_commit(lambda: publish.publish_changes(dict.fromkeys(channels, 0)), robust=True)


def _free_code() -> str:
    """Returns a code that no screen has or had."""
    while True:
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        if not DisplayLink.objects.filter(code=code).exists():
            return code


def _check_plan(event: Event, plan: Plan) -> None:
    if not plan.seconds:
        raise Refused(NOTHING_TO_SHOW)
    if not all(SHORTEST_SECONDS <= seconds <= LONGEST_SECONDS for seconds in plan.seconds.values()):
        raise Refused(SECONDS_OUT_OF_RANGE, shortest=SHORTEST_SECONDS, longest=LONGEST_SECONDS)
    if not _belong_to_event(event, plan.tournaments):
        raise Refused(NO_SUCH_TOURNAMENT)


def _belong_to_event(event: Event, tournaments: Iterable[uuid.UUID]) -> bool:
    ids = set(tournaments)
    return Tournament.objects.filter(event=event, pk__in=ids).count() == len(ids)
