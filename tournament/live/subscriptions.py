"""Who may follow a channel of those inside, what lets them, and that it does so no longer.

A stream is asked for once, when it opens, so what ends afterwards (a link, a token, a role, a session) has to be said
aloud: every web process then hangs up on whoever came in by it. Whoever still may comes back and is asked anew.
"""

import uuid
from collections.abc import Collection, Iterable, Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from tournament.access.actors import Actor
from tournament.access.permissions import CAPABILITIES, Capability, roles_by_event
from tournament.live.channels import PRIVATE_PREFIX, event_channel, private_channel
from tournament.models import Bracket, Pairing, PersonalLink
from tournament.runtime import publish


def credentials(actors: Iterable[Actor]) -> list[str]:
    """What lets these actors of one asker in: their accounts and their links."""
    return list(dict.fromkeys(way for actor in actors for way in _credentials_of(actor)))


def allowed_channels(actors: Sequence[Actor], names: Iterable[str]) -> list[str]:
    """The channels behind those of these names that are for these actors of one asker.

    A match is for its players and the desk, a bracket for the desk, an event for all who have a role in it.
    """
    ids = {one for name in names if (one := _channel_id(name)) is not None}
    roles = {event: role for actor in actors for event, role in roles_by_event(actor).items()}
    desks = [event for event, role in roles.items() if Capability.DESK in CAPABILITIES[role]]
    own = [actor.entry.pk for actor in actors if actor.entry is not None]
    at_desk = Q(round__bracket__tournament__event__in=desks)
    matches = Pairing.objects.filter(at_desk | Q(left__in=own) | Q(right__in=own), match__in=ids)
    brackets = Bracket.objects.filter(pk__in=ids, tournament__event__in=desks)
    found: Collection[uuid.UUID | None] = {
        *matches.values_list("match_id", flat=True),
        *brackets.values_list("pk", flat=True),
    }
    return [
        *(private_channel(one) for one in ids if one in found),
        *(str(event_channel(one)) for one in ids if one in roles),
    ]


def close_streams_of_user(user: User) -> None:
    """Once the transaction stands, whoever listens as this user is asked anew whether they may."""
    _publish_revocations([_user_credential(user)])


def close_streams_of_links(links: Iterable[PersonalLink]) -> None:
    """Once the transaction stands, whoever listens by one of these links is asked anew whether they may."""
    _publish_revocations([_link_credential(link) for link in links])


def _publish_revocations(ended: Sequence[str]) -> None:
    transaction.on_commit(lambda: publish.publish_revocations(ended), robust=True)


def _credentials_of(actor: Actor) -> Iterable[str]:
    if actor.user is not None:
        yield _user_credential(actor.user)
    if actor.link is not None:
        yield _link_credential(actor.link)


def _user_credential(user: User) -> str:
    return f"user:{user.pk}"


def _link_credential(link: PersonalLink) -> str:
    return f"link:{link.pk}"


def _channel_id(name: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(name.removeprefix(PRIVATE_PREFIX))
    except ValueError:
        return None
