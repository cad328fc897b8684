"""Creates, approves and revokes credentials: personal links of players, sign-in links and API tokens of directors.

A token is returned once, when it is created; the database stores its digest only.
"""

import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import DatabaseError, transaction
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.accounts import activity
from tournament.live import journal, subscriptions
from tournament.live.journal import JournalEntry
from tournament.models import (
    AccountEventKind,
    ApiToken,
    Bracket,
    Entry,
    Event,
    PersonalLink,
    Scope,
    SignInLink,
)
from tournament.refusals.accounts import NO_ROLE_IN_EVENT, SIGN_IN_LINK_USED, TOKEN_TOO_LONG
from tournament.runtime import publish
from tournament.runtime.errors import Refused
from tournament.runtime.token_digest import digest

SIGN_IN_LINK_LIFETIME = timedelta(hours=24)
MAX_WAITING_LINKS = 12
DEFAULT_TOKEN_DAYS, MAX_TOKEN_DAYS = 90, 365
USE_INTERVAL = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class TokenPlan:
    """Scope and lifetime of an API token. `event` None means all events of its user."""

    scope: str = Scope.FULL
    days: int = DEFAULT_TOKEN_DAYS
    event: Event | None = None


DEFAULT_TOKEN = TokenPlan()


def new_token() -> str:
    """Returns 128 random bits, safe in an address."""
    return secrets.token_urlsafe(16)


@transaction.atomic
def make_link(entry: Entry, actor: Actor) -> str:
    """Creates an approved personal link for the entry. Returns its token."""
    token = new_token()
    link = PersonalLink.objects.create(
        entry=entry, digest=digest(token), made_at=timezone.now(), approved_at=timezone.now()
    )
    journal.write(
        entry.tournament, actor, JournalEntry("give link", "entry", entry.pk, after={"link": link.pk})
    )
    return token


def make_links(entries: list[Entry], actor: Actor) -> dict[Entry, str]:
    """Creates an approved personal link for each entry, for printed slips. Returns the tokens."""
    now = timezone.now()
    tokens = {entry: new_token() for entry in entries}
    with transaction.atomic():
        PersonalLink.objects.bulk_create(
            PersonalLink(entry=entry, digest=digest(token), made_at=now, approved_at=now)
            for entry, token in tokens.items()
        )
        if entries:
            journal_entry = JournalEntry(
                "give links", "tournament", entries[0].tournament_id, after={"entries": len(entries)}
            )
            journal.write(entries[0].tournament, actor, journal_entry)
    return tokens


@transaction.atomic
def request_link(entry: Entry) -> str:
    """Creates a link that waits for approval, for a phone at the wall poster. Returns its token.

    Revokes the oldest waiting links beyond the limit, so that nobody can block a name.
    """
    Entry.objects.select_for_update().get(pk=entry.pk)
    waiting = PersonalLink.objects.filter(entry=entry, approved_at__isnull=True, revoked_at__isnull=True)
    oldest = waiting.order_by("-pk").values_list("pk", flat=True)[MAX_WAITING_LINKS - 1 :]
    PersonalLink.objects.filter(pk__in=list(oldest)).update(revoked_at=timezone.now())
    token = new_token()
    PersonalLink.objects.create(entry=entry, digest=digest(token), made_at=timezone.now())
    brackets = list(Bracket.objects.filter(tournament_id=entry.tournament_id).values_list("pk", flat=True))
    transaction.on_commit(lambda: publish.publish_changes(dict.fromkeys(brackets, 0)), robust=True)
    return token


def record_connection(links: Iterable[PersonalLink]) -> None:
    """Records the first time that a phone opens these links."""
    new = [link.pk for link in links if link.connected_at is None]
    if new:
        PersonalLink.objects.filter(pk__in=new, connected_at__isnull=True).update(connected_at=timezone.now())


@transaction.atomic
def approve(link: PersonalLink, actor: Actor) -> None:
    """Approves a waiting link. Idempotent."""
    changed = PersonalLink.objects.filter(
        pk=link.pk, approved_at__isnull=True, revoked_at__isnull=True
    ).update(approved_at=timezone.now())
    if changed:
        journal_entry = JournalEntry("approve link", "entry", link.entry_id, after={"link": link.pk})
        journal.write(link.entry.tournament, actor, journal_entry)


@transaction.atomic
def revoke(link: PersonalLink, actor: Actor) -> None:
    """Revokes a link, or rejects a waiting one. Idempotent."""
    if PersonalLink.objects.filter(pk=link.pk, revoked_at__isnull=True).update(revoked_at=timezone.now()):
        journal_entry = JournalEntry("revoke link", "entry", link.entry_id, after={"link": link.pk})
        journal.write(link.entry.tournament, actor, journal_entry)
        subscriptions.close_streams_of_links([link])


@transaction.atomic
def reissue(entry: Entry, actor: Actor) -> str:
    """Revokes every link of the entry's player in the tournament and creates a new one. Returns its token."""
    links = PersonalLink.objects.filter(entry__player=entry.player_id, entry__tournament=entry.tournament_id)
    subscriptions.close_streams_of_links(links.filter(revoked_at__isnull=True))
    links.filter(revoked_at__isnull=True).update(revoked_at=timezone.now())
    return make_link(entry, actor)


def make_sign_in_link(user: User) -> str:
    """Creates a one-time sign-in link for a director and revokes earlier ones. Returns its path."""
    token = new_token()
    with transaction.atomic():
        SignInLink.objects.filter(user=user, used_at__isnull=True).update(used_at=timezone.now())
        SignInLink.objects.create(
            user=user, digest=digest(token), expires_at=timezone.now() + SIGN_IN_LINK_LIFETIME
        )
    return f"/sign-in/{token}/"


def use_sign_in_link(token: str) -> User:
    """Uses up the link and returns its user. Raises Refused if it is used, expired or unknown."""
    now = timezone.now()
    rows = SignInLink.objects.filter(digest=digest(token), used_at__isnull=True, expires_at__gt=now)
    link = rows.select_related("user").first()
    if link is None or not link.user.is_active or not rows.update(used_at=now):
        raise Refused(SIGN_IN_LINK_USED)
    return link.user


@transaction.atomic
def make_api_token(user: User, label: str, plan: TokenPlan = DEFAULT_TOKEN) -> str:
    """Creates and returns a token for a program that acts as this user.

    Raises Refused for more than MAX_TOKEN_DAYS, and for an event in which the user has no role.
    """
    if not 1 <= plan.days <= MAX_TOKEN_DAYS:
        raise Refused(TOKEN_TOO_LONG, days=MAX_TOKEN_DAYS)
    if plan.event is not None and not plan.event.memberships.filter(user=user).exists():
        raise Refused(NO_ROLE_IN_EVENT)
    token, now = new_token(), timezone.now()
    ApiToken.objects.create(
        user=user,
        label=label[:60],
        digest=digest(token),
        scope=plan.scope,
        event=plan.event,
        made_at=now,
        expires_at=now + timedelta(days=plan.days),
    )
    activity.record(user, AccountEventKind.TOKEN_MADE, event=plan.event, detail=label)
    return token


def record_use(token: ApiToken) -> None:
    """Records that a token is in use, at most once per USE_INTERVAL. Ignores a database that cannot write."""
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at > USE_INTERVAL:
        with suppress(DatabaseError):
            ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)


@transaction.atomic
def revoke_api_token(token: ApiToken, by: User | None = None) -> None:
    """Revokes the token and closes its streams. Idempotent."""
    if ApiToken.objects.filter(pk=token.pk, revoked_at__isnull=True).update(revoked_at=timezone.now()):
        activity.record(token.user, AccountEventKind.TOKEN_REVOKED, by=by, detail=token.label)
        subscriptions.close_streams_of_user(token.user)
