"""Channels of live pages. A bracket and a match each have a public and a private channel.

The id of an event is its public channel, for actions with effects that visitors see. Its `event_channel` has every
action.

While running scores are delayed or hidden, changes of a score card are published on the private channels only: to the
desk and to the phones of the match. Subscribers of the public channel do not even learn that a game has ended. Changes
of a hidden draw are published to the desk only.
"""

import uuid

from django.utils.crypto import salted_hmac

from tournament.access.score_visibility import is_score_private
from tournament.models import Pairing
from tournament.runtime import publish

# Stands for all events, on pages that list them.
ANY_EVENT = uuid.UUID(int=0)


def private_channel(channel: uuid.UUID) -> str:
    """The private channel of a bracket, match or event, beside the public one; of a player the only one."""
    return f"{publish.PRIVATE_PREFIX}{channel}"


def event_channel(event: uuid.UUID) -> uuid.UUID:
    """The channel on which every journal entry of an event is published. Its id cannot be guessed."""
    return uuid.UUID(bytes=salted_hmac("deeds", event.bytes, algorithm="sha256").digest()[:16])


def desk_channels(bracket_id: uuid.UUID) -> tuple[str, str]:
    """The channels that publish every change of a bracket, also of private scores and of a hidden draw."""
    return str(bracket_id), private_channel(bracket_id)


def private_channels(pairing: Pairing) -> tuple[str, ...]:
    """The private channels of the desk and of the match's two phones."""
    bracket = private_channel(pairing.round.bracket_id)
    return (bracket, private_channel(pairing.match_id)) if pairing.match_id else (bracket,)


def score_channels(pairing: Pairing, *, begins: bool = False) -> tuple[str, ...]:
    """The private channels of a change of a score card; empty if it is public, like the start of a match (`begins`)."""
    return () if begins or not is_score_private(pairing) else private_channels(pairing)


def publish_score(pairing: Pairing, *, begins: bool = False) -> None:
    """Publishes a change of a score card that raises no version of the bracket. See `LockedTournament.touch_match`."""
    audience = score_channels(pairing, begins=begins) or (str(pairing.round.bracket_id),)
    publish.publish_changes(dict.fromkeys(audience, 0))
