"""Decides who may subscribe to private channels, and closes streams whose session, link, token or role was revoked.

A stream is authorized once, when it opens. A later revocation is published to every web process, which closes the
streams that use the revoked credential. Clients reconnect and are authorized again.
"""

import uuid
from collections.abc import Collection, Iterable, Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from tournament.access.actors import Actor
from tournament.access.permissions import CAPABILITIES, Capability, roles_by_event
from tournament.live.channels import event_channel, private_channel
from tournament.models import Bracket, Pairing, PersonalLink
from tournament.runtime import publish


def credentials(actors: Iterable[Actor]) -> list[str]:
    """The credentials of these actors: their accounts and their links, without duplicates."""
    return list(dict.fromkeys(credential for actor in actors for credential in _credentials_of(actor)))


def allowed_channels(actors: Sequence[Actor], names: Iterable[str]) -> list[str]:
    """Returns the private channels among these names that the actors may subscribe to.

    Match channels: its players and the desk. Bracket channels: the desk. Event channels: every role in the event.
    Channels of a player, on which changes of the player's money are published: the player alone.
    """
    channel_ids = {channel_id for name in names if (channel_id := _channel_id(name)) is not None}
    roles = {event: role for actor in actors for event, role in roles_by_event(actor).items()}
    desk_events = [event for event, role in roles.items() if Capability.DESK in CAPABILITIES[role]]
    entries = [actor.entry.pk for actor in actors if actor.entry is not None]
    players = [actor.entry.player_id for actor in actors if actor.entry is not None]
    at_desk = Q(round__bracket__tournament__event__in=desk_events)
    matches = Pairing.objects.filter(
        at_desk | Q(left__in=entries) | Q(right__in=entries), match__in=channel_ids
    )
    brackets = Bracket.objects.filter(pk__in=channel_ids, tournament__event__in=desk_events)
    allowed: Collection[uuid.UUID | None] = {
        *matches.values_list("match_id", flat=True),
        *brackets.values_list("pk", flat=True),
        *players,
    }
    return [
        *(private_channel(channel_id) for channel_id in channel_ids if channel_id in allowed),
        *(str(event_channel(channel_id)) for channel_id in channel_ids if channel_id in roles),
    ]


def close_streams_of_user(user: User) -> None:
    """After the commit, closes the user's streams."""
    _publish_revocations([_user_credential(user)])


def close_streams_of_links(links: Iterable[PersonalLink]) -> None:
    """After the commit, closes the streams of these links."""
    _publish_revocations([_link_credential(link) for link in links])


def _publish_revocations(revoked: Sequence[str]) -> None:
    transaction.on_commit(lambda: publish.publish_revocations(revoked), robust=True)


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
        return uuid.UUID(name.removeprefix(publish.PRIVATE_PREFIX))
    except ValueError:
        return None
