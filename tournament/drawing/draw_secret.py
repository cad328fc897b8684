"""The secret of a verifiable draw: made before entries close, bound to the entries when they do.

The order of the steps is the proof: secret, entries, dice. `drawing` takes the last one. A closing that is taken back
stays published.
"""

import secrets
import uuid
from collections.abc import Sequence
from datetime import datetime

from django.utils import timezone

from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.brackets.advancing import LockedTournament
from tournament.draw.public_draw import commitment as committing
from tournament.draw.public_draw.closing import closing_hash
from tournament.draw.public_draw.public_chance import PublicChance
from tournament.drawing import draws, lot
from tournament.drawing.lot import Asked
from tournament.live import journal
from tournament.live.journal import Deed
from tournament.models import Commitment, Entry, Reopening, Tournament
from tournament.runtime.errors import Refused

USUAL = PublicChance()


def commit(tournament_id: uuid.UUID, actor: Actor) -> Commitment:
    """Makes a secret and shows its hash; the one that waits already, where there is one."""
    with advancing.lock_tournament(tournament_id) as locked:
        waiting = lot.open_commitment(locked.tournament)
        if waiting is not None:
            return waiting
        secret = secrets.token_hex(32)
        made = Commitment.objects.create(
            tournament=locked.tournament,
            secret=secret,
            secret_hash=committing.secret_hash(secret),
            made_at=timezone.now(),
            made_by=actor.user,
        )
        deed = Deed("commit to secret", "commitment", made.pk, after={"secret_hash": made.secret_hash})
        journal.write(locked.tournament, actor, deed)
        locked.touch_all()
        return made


def close_entries(
    tournament_id: uuid.UUID,
    asked: Asked,
    actor: Actor,
    public: PublicChance = USUAL,
    reason: str = "",
) -> Commitment:
    """Fixes entries, names, format, rules and how many dice count; the dice are thrown after that.

    Where entries are closed already, a reason is needed, and the earlier closing stays published. Raises Refused
    without a secret, and where entries or rules cannot be drawn.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        waiting = _waiting(locked)
        entries = draws.drawable(locked)
        if waiting.closed_at is not None:
            _reopen(locked, waiting, waiting.closed_at, reason, actor)
        _refuse_undrawable(locked.tournament, asked, entries)
        now = timezone.now()
        closing = lot.closing_of(waiting, asked, public, entries, now)
        waiting.rules = lot.kept_closing(closing, asked)
        waiting.entries_hash = closing_hash(waiting.rules["closing"])
        waiting.closed_at = now
        waiting.save(update_fields=["rules", "entries_hash", "closed_at"])
        deed = Deed("close entries", "commitment", waiting.pk, after={"entries_hash": waiting.entries_hash})
        journal.write(locked.tournament, actor, deed)
        locked.touch_all()
        return waiting


def reopen_entries(tournament_id: uuid.UUID, reason: str, actor: Actor) -> Commitment:
    """Takes the closing back, so that entries can change; it stays published with the reason.

    Raises Refused without a reason, and where entries are not closed.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        waiting = _waiting(locked)
        if waiting.closed_at is None:
            raise Refused("entries-open", "The entries are open: there is nothing to reopen.")
        _reopen(locked, waiting, waiting.closed_at, reason, actor)
        locked.touch_all()
        return waiting


def _waiting(locked: LockedTournament) -> Commitment:
    waiting = lot.open_commitment(locked.tournament)
    if waiting is None:
        raise Refused("no-secret", "Make the secret first, so that its hash is known before entries close.")
    return waiting


def _reopen(
    locked: LockedTournament, waiting: Commitment, closed_at: datetime, reason: str, actor: Actor
) -> None:
    if not reason.strip():
        raise Refused(
            "reason-needed",
            "Give a reason for reopening the entries: everybody sees it on the page of the draw.",
        )
    Reopening.objects.create(
        commitment=waiting,
        number=waiting.reopenings.count() + 1,
        entries_hash=waiting.entries_hash,
        closed_at=closed_at,
        reopened_at=timezone.now(),
        reopened_by=actor.user,
        reason=reason.strip(),
    )
    deed = Deed(
        "reopen entries", "commitment", waiting.pk, {"entries_hash": waiting.entries_hash}, reason=reason
    )
    waiting.rules, waiting.entries_hash, waiting.closed_at = {}, "", None
    waiting.save(update_fields=["rules", "entries_hash", "closed_at"])
    journal.write(locked.tournament, actor, deed)


def _refuse_undrawable(tournament: Tournament, asked: Asked, entries: Sequence[Entry]) -> None:
    """Raises Refused where rules or format cannot be drawn: better now than after the dice."""
    lot.refuse_without_a_sheet(tournament, asked.rules)
    those = lot.entrants(entries, asked.method)
    draws.layout_of(tournament, lot.draw(asked, those, "trial").order)


def give_up(tournament_id: uuid.UUID, reason: str, actor: Actor) -> None:
    """Draws without a secret after all, or with a new one; the reason is kept. Raises Refused without one."""
    if not reason.strip():
        raise Refused("reason-needed", "Give a reason for giving the secret up: it is kept in the journal.")
    with advancing.lock_tournament(tournament_id) as locked:
        waiting = lot.open_commitment(locked.tournament)
        if waiting is None:
            return
        waiting.given_up_at = timezone.now()
        waiting.save(update_fields=["given_up_at"])
        deed = Deed(
            "give secret up", "commitment", waiting.pk, {"secret_hash": waiting.secret_hash}, reason=reason
        )
        journal.write(locked.tournament, actor, deed)
        locked.touch_all()
