"""The secret of a verifiable draw: made before entries close, bound to the entries when they do.

The order of the steps is the proof: secret, entries, dice. `drawing` takes the last one.
"""

import secrets
import uuid

from django.utils import timezone

from tournament import drawing, journal, lot, progression
from tournament.actors import Actor
from tournament.draw import commitment as committing
from tournament.errors import Refused
from tournament.journal import Deed
from tournament.lot import Asked
from tournament.models import Commitment


def commit(tournament_id: uuid.UUID, actor: Actor) -> Commitment:
    """Makes a secret and shows its hash; the one that waits already, where there is one."""
    with progression.changing(tournament_id) as changes:
        waiting = lot.open_commitment(changes.tournament)
        if waiting is not None:
            return waiting
        secret = secrets.token_hex(32)
        made = Commitment.objects.create(
            tournament=changes.tournament,
            secret=secret,
            secret_hash=committing.secret_hash(secret),
            made_at=timezone.now(),
            made_by=actor.user,
        )
        deed = Deed("commit to secret", "commitment", made.pk, after={"secret_hash": made.secret_hash})
        journal.write(changes.tournament, actor, deed)
        changes.touch_all()
        return made


def close_entries(tournament_id: uuid.UUID, asked: Asked, actor: Actor) -> Commitment:
    """Fixes who is in and by which rules it will be drawn; the dice are thrown after that. Again: fixes anew.

    Raises Refused without a secret, and where entries or rules cannot be drawn.
    """
    with progression.changing(tournament_id) as changes:
        waiting = lot.open_commitment(changes.tournament)
        if waiting is None:
            raise Refused(
                "no-secret", "Make the secret first, so that its hash is known before entries close."
            )
        those = lot.entrants(drawing.drawable(changes), asked.method)
        lot.draw(asked, those, "trial")
        waiting.rules = lot.rules_kept(asked, those)
        waiting.entries_hash = lot.entries_hash(asked, those)
        waiting.closed_at = timezone.now()
        waiting.save(update_fields=["rules", "entries_hash", "closed_at"])
        deed = Deed("close entries", "commitment", waiting.pk, after={"entries_hash": waiting.entries_hash})
        journal.write(changes.tournament, actor, deed)
        changes.touch_all()
        return waiting


def give_up(tournament_id: uuid.UUID, reason: str, actor: Actor) -> None:
    """Draws without a secret after all, or with a new one; the reason is kept. Raises Refused without one."""
    if not reason.strip():
        raise Refused("reason-needed", "Give a reason for giving the secret up: it is kept in the journal.")
    with progression.changing(tournament_id) as changes:
        waiting = lot.open_commitment(changes.tournament)
        if waiting is None:
            return
        waiting.given_up_at = timezone.now()
        waiting.save(update_fields=["given_up_at"])
        deed = Deed(
            "give secret up", "commitment", waiting.pk, {"secret_hash": waiting.secret_hash}, reason=reason
        )
        journal.write(changes.tournament, actor, deed)
        changes.touch_all()
