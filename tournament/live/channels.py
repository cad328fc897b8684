"""Who is told that something was written in a match: all who look on where running scores are seen at once, elsewhere
the desk and the match's own phones alone.

Beside the public channel of a bracket or a match stands another: whoever follows the public one while scores are
hidden, or late, does not even learn that a game has ended. Who may follow that other one is asked when a stream opens.
"""

import uuid

from django.utils.crypto import salted_hmac

from matches.models import MatchState
from tournament.models import Pairing
from tournament.runtime import publish

PRIVATE_PREFIX = "inside-"
# Whoever lists events is told of the deeds in all of them.
ANY_EVENT = uuid.UUID(int=0)


def private_channel(channel: uuid.UUID) -> str:
    """The channel of those inside, beside that of a bracket or a match; of an event that on which deeds are told."""
    return f"{PRIVATE_PREFIX}{channel}"


def event_channel(event: uuid.UUID) -> uuid.UUID:
    """The channel on which each deed in an event is told. Nobody can guess it; it is shown to screens of the hall."""
    return uuid.UUID(bytes=salted_hmac("deeds", event.bytes, algorithm="sha256").digest()[:16])


def scores_are_private(pairing: Pairing) -> bool:
    """Whether only those inside may know what is written in this match now."""
    if pairing.round.bracket.tournament.score_delay == 0:
        return False
    return pairing.match is None or pairing.match.state != MatchState.POSTED


def private_channels(pairing: Pairing) -> tuple[str, ...]:
    """Those of the desk and of the match's two phones."""
    own = (private_channel(pairing.match_id),) if pairing.match_id else ()
    return (private_channel(pairing.round.bracket_id), *own)


def publish_score(pairing: Pairing, *, begins: bool = False) -> None:
    """Announces what was written; that a match `begins` everybody may know."""
    if begins or not scores_are_private(pairing):
        publish.publish_score(pairing.round.bracket_id)
    else:
        publish.publish_changes(dict.fromkeys(private_channels(pairing), 0))
