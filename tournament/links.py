"""Makes, approves and revokes ways in: personal links of players, sign-in links and API tokens of directors.

A token leaves this room once, when it is made; only its digest is kept.
"""

import secrets
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tournament import hearing, journal, live
from tournament.access import digest
from tournament.actors import Actor
from tournament.errors import Refused
from tournament.journal import Deed
from tournament.models import ApiToken, Bracket, Entry, PersonalLink, SignInLink

SIGN_IN_LASTS = timedelta(hours=24)
MOST_LINKS = 12


def new_token() -> str:
    """128 random bits, safe in an address."""
    return secrets.token_urlsafe(16)


@transaction.atomic
def give_link(entry: Entry, actor: Actor) -> str:
    """A new personal link for the entry, open at once. Returns its token."""
    token = new_token()
    link = PersonalLink.objects.create(
        entry=entry, digest=digest(token), made_at=timezone.now(), approved_at=timezone.now()
    )
    journal.write(entry.tournament, actor, Deed("give link", "entry", entry.pk, after={"link": link.pk}))
    return token


def give_links(entries: list[Entry], actor: Actor) -> dict[Entry, str]:
    """A new personal link for each entry, in one transaction: for printing slips. Returns the tokens."""
    now = timezone.now()
    tokens = {entry: new_token() for entry in entries}
    with transaction.atomic():
        PersonalLink.objects.bulk_create(
            PersonalLink(entry=entry, digest=digest(token), made_at=now, approved_at=now)
            for entry, token in tokens.items()
        )
        if entries:
            deed = Deed("give links", "tournament", entries[0].tournament_id, after={"entries": len(entries)})
            journal.write(entries[0].tournament, actor, deed)
    return tokens


@transaction.atomic
def ask_for_link(entry: Entry) -> str:
    """Someone at the wall poster says they are this entry: a link that waits for the desk, which is told.

    Returns its token.
    """
    waiting = PersonalLink.objects.filter(entry=entry, approved_at__isnull=True, revoked_at__isnull=True)
    if waiting.count() >= MOST_LINKS:
        raise Refused("too-many-waiting", "Too many phones wait for this name. Ask at the desk.")
    token = new_token()
    PersonalLink.objects.create(entry=entry, digest=digest(token), made_at=timezone.now())
    brackets = list(Bracket.objects.filter(tournament_id=entry.tournament_id).values_list("pk", flat=True))
    transaction.on_commit(lambda: live.announce(dict.fromkeys(brackets, 0)), robust=True)
    return token


@transaction.atomic
def approve(link: PersonalLink, actor: Actor) -> None:
    """The desk lets the phone in. Approving again changes nothing."""
    changed = PersonalLink.objects.filter(
        pk=link.pk, approved_at__isnull=True, revoked_at__isnull=True
    ).update(approved_at=timezone.now())
    if changed:
        deed = Deed("approve link", "entry", link.entry_id, after={"link": link.pk})
        journal.write(link.entry.tournament, actor, deed)


@transaction.atomic
def revoke(link: PersonalLink, actor: Actor) -> None:
    """Shuts one phone out, or turns it down at the poster. Revoking again changes nothing."""
    if PersonalLink.objects.filter(pk=link.pk, revoked_at__isnull=True).update(revoked_at=timezone.now()):
        deed = Deed("revoke link", "entry", link.entry_id, after={"link": link.pk})
        journal.write(link.entry.tournament, actor, deed)
        hearing.hang_up_on_links([link])


@transaction.atomic
def reissue(entry: Entry, actor: Actor) -> str:
    """Revokes every link of the entry's player in the tournament and gives a new one. Returns its token."""
    known = PersonalLink.objects.filter(entry__player=entry.player_id, entry__tournament=entry.tournament_id)
    hearing.hang_up_on_links(known.filter(revoked_at__isnull=True))
    known.filter(revoked_at__isnull=True).update(revoked_at=timezone.now())
    return give_link(entry, actor)


def make_sign_in_link(user: User) -> str:
    """A one-time sign-in link for a director, as a path. Links given before are void."""
    token = new_token()
    with transaction.atomic():
        SignInLink.objects.filter(user=user, used_at__isnull=True).update(used_at=timezone.now())
        SignInLink.objects.create(user=user, digest=digest(token), expires_at=timezone.now() + SIGN_IN_LASTS)
    return f"/sign-in/{token}/"


def use_sign_in_link(token: str) -> User:
    """The user whom this link lets in, once. Raises Refused when it is used, expired or unknown."""
    now = timezone.now()
    fresh = SignInLink.objects.filter(digest=digest(token), used_at__isnull=True, expires_at__gt=now)
    link = fresh.select_related("user").first()
    if link is None or not link.user.is_active or not fresh.update(used_at=now):
        raise Refused(
            "sign-in-link-used",
            "This link was used before or is too old. Run “python3 manage.py director” for a new one.",
        )
    return link.user


def make_api_token(user: User, label: str) -> str:
    """A token for a program that acts as this user. Returns it; only its digest is kept."""
    token = new_token()
    ApiToken.objects.create(user=user, label=label[:60], digest=digest(token), made_at=timezone.now())
    return token


def revoke_api_token(token: ApiToken) -> None:
    """Shuts out the program that has it. Revoking again changes nothing."""
    if ApiToken.objects.filter(pk=token.pk, revoked_at__isnull=True).update(revoked_at=timezone.now()):
        hearing.hang_up_on_user(token.user)
