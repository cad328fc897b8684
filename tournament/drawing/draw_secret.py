"""Commits to the secret of a verifiable draw, and closes and reopens the entries for it.

The order of the steps is the proof: secret, entries, dice. `draws` makes the draw once the dice are thrown. A closing
that was reopened stays published.
"""

import secrets
import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.brackets.advancing import LockedTournament
from tournament.draw.formats import Format
from tournament.draw.formats.layouts import LAYOUT_VERSION
from tournament.draw.public_draw import proof_version_2
from tournament.draw.public_draw.document import rules_from_json
from tournament.draw.public_draw.proof_version_1 import CommitmentError, secret_hash
from tournament.draw.public_draw.proof_version_2 import Closing, closing_hash
from tournament.draw.public_draw.proof_version_2 import Reopening as DrawReopening
from tournament.draw.public_draw.public_chance import PublicChance
from tournament.drawing import order
from tournament.drawing.order import DrawRules
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Commitment, Entry, Reopening, Tournament
from tournament.refusals.draws import (
    CLOSED_BY_EARLIER_VERSION,
    DICE_NOT_POSSIBLE,
    ENTRIES_CHANGED,
    ENTRIES_NOT_CLOSED,
    ENTRIES_OPEN_ALREADY,
    NO_SECRET,
    REOPENING_REASON_NEEDED,
    SECRET_REASON_NEEDED,
)
from tournament.runtime.errors import Refused

DEFAULT_CHANCE = PublicChance()


def open_commitment(tournament: Tournament) -> Commitment | None:
    """The secret that has no draw yet and was not given up."""
    return Commitment.objects.filter(
        tournament=tournament, draw__isnull=True, given_up_at__isnull=True
    ).first()


def commit_to_secret(tournament_id: uuid.UUID, actor: Actor) -> Commitment:
    """Makes a secret, whose hash is public at once. Idempotent: returns the open commitment if there is one."""
    with advancing.lock_tournament(tournament_id) as locked:
        commitment = open_commitment(locked.tournament)
        if commitment is not None:
            return commitment
        secret = secrets.token_hex(32)
        commitment = Commitment.objects.create(
            tournament=locked.tournament,
            secret=secret,
            secret_hash=secret_hash(secret),
            made_at=timezone.now(),
            made_by=actor.user,
        )
        after = {"secret_hash": commitment.secret_hash}
        _journal(locked, actor, JournalEntry("commit to secret", "commitment", commitment.pk, after=after))
        return commitment


def close_entries(
    tournament_id: uuid.UUID,
    rules: DrawRules,
    actor: Actor,
    public: PublicChance = DEFAULT_CHANCE,
    reason: str = "",
) -> Commitment:
    """Fixes entries, names, format, rules and the number of dice throws, before the dice are thrown.

    Closing again needs a reason, and the earlier closing stays published. Raises Refused without a secret, and if the
    entries or rules cannot be drawn.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        commitment = _require_commitment(locked.tournament)
        entries = order.entries_to_draw(locked.tournament)
        if commitment.closed_at is not None:
            _reopen(locked, commitment, commitment.closed_at, reason, actor)
        _refuse_undrawable(locked.tournament, rules, entries)
        now = timezone.now()
        commitment.rules = _stored_closing(_build_closing(commitment, rules, public, entries, now), rules)
        commitment.entries_hash = closing_hash(commitment.rules["closing"])
        commitment.closed_at = now
        commitment.save(update_fields=["rules", "entries_hash", "closed_at"])
        after = {"entries_hash": commitment.entries_hash}
        _journal(locked, actor, JournalEntry("close entries", "commitment", commitment.pk, after=after))
        return commitment


def reopen_entries(tournament_id: uuid.UUID, reason: str, actor: Actor) -> Commitment:
    """Reopens closed entries. The closing stays published with the reason.

    Raises Refused without a reason, and if the entries are not closed.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        commitment = _require_commitment(locked.tournament)
        if commitment.closed_at is None:
            raise Refused(ENTRIES_OPEN_ALREADY)
        _reopen(locked, commitment, commitment.closed_at, reason, actor)
        return commitment


def give_up_secret(tournament_id: uuid.UUID, reason: str, actor: Actor) -> None:
    """Gives up the open commitment, if there is one. Raises Refused without a reason."""
    if not reason.strip():
        raise Refused(SECRET_REASON_NEEDED)
    with advancing.lock_tournament(tournament_id) as locked:
        commitment = open_commitment(locked.tournament)
        if commitment is None:
            return
        commitment.given_up_at = timezone.now()
        commitment.save(update_fields=["given_up_at"])
        before = {"secret_hash": commitment.secret_hash}
        journal_entry = JournalEntry("give secret up", "commitment", commitment.pk, before, reason=reason)
        _journal(locked, actor, journal_entry)


def public_chance(rules: Mapping[str, Any]) -> PublicChance | None:
    """Returns the required dice throws, from the stored rules of a commitment or a draw; None before the entries
    close.
    """
    closing = rules.get("closing")
    return PublicChance.from_json(closing["public"]) if closing else None


def closed_rules(commitment: Commitment) -> DrawRules:
    rules = commitment.rules
    return DrawRules(rules["method"], rules_from_json(rules), rules.get("byes_reason", ""))


def refuse_changed_closing(commitment: Commitment, entries: Sequence[Entry]) -> None:
    """Raises Refused if entries, format or the version of the layouts differ from those that were closed."""
    if commitment.closed_at is None:
        raise Refused(ENTRIES_NOT_CLOSED)
    closing = commitment.rules.get("closing")
    if closing is None or closing.get("layout") != LAYOUT_VERSION:
        raise Refused(CLOSED_BY_EARLIER_VERSION)
    public = PublicChance.from_json(closing["public"])
    now = _build_closing(commitment, closed_rules(commitment), public, entries, commitment.closed_at)
    if closing_hash(now.as_json()) != commitment.entries_hash:
        raise Refused(ENTRIES_CHANGED)


def derive_seed(commitment: Commitment, typed_dice: str) -> tuple[str, str]:
    """The dice in canonical spelling, and the seed text. Raises Refused for dice that do not match the closing."""
    closing = commitment.rules["closing"]
    try:
        public = PublicChance.from_json(closing["public"]).canonical_text(typed_dice)
        return public, proof_version_2.seed_text(
            commitment.secret, public, commitment.entries_hash, closing["draw"]
        )
    except CommitmentError as error:
        raise Refused(DICE_NOT_POSSIBLE, reason=error) from error


def utc_timestamp(moment: datetime) -> str:
    """A time as documents publish it: in UTC, to the second."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _journal(locked: LockedTournament, actor: Actor, journal_entry: JournalEntry) -> None:
    journal.write(locked.tournament, actor, journal_entry)
    locked.touch_all()


def _require_commitment(tournament: Tournament) -> Commitment:
    commitment = open_commitment(tournament)
    if commitment is None:
        raise Refused(NO_SECRET)
    return commitment


def _reopen(
    locked: LockedTournament, commitment: Commitment, closed_at: datetime, reason: str, actor: Actor
) -> None:
    if not reason.strip():
        raise Refused(REOPENING_REASON_NEEDED)
    Reopening.objects.create(
        commitment=commitment,
        number=commitment.reopenings.count() + 1,
        entries_hash=commitment.entries_hash,
        closed_at=closed_at,
        reopened_at=timezone.now(),
        reopened_by=actor.user,
        reason=reason.strip(),
    )
    before = {"entries_hash": commitment.entries_hash}
    commitment.rules, commitment.entries_hash, commitment.closed_at = {}, "", None
    commitment.save(update_fields=["rules", "entries_hash", "closed_at"])
    _journal(
        locked, actor, JournalEntry("reopen entries", "commitment", commitment.pk, before, reason=reason)
    )


def _refuse_undrawable(tournament: Tournament, rules: DrawRules, entries: Sequence[Entry]) -> None:
    """Raises Refused if rules or format cannot be drawn. After the dice are thrown it would be too late."""
    order.refuse_rules_without_sheet(tournament, rules.rules)
    trial = order.draw_order(rules, order.list_entrants(entries, rules.method), "trial")
    order.tournament_layout(tournament, trial.order)


def _build_closing(
    commitment: Commitment,
    rules: DrawRules,
    public: PublicChance,
    entries: Sequence[Entry],
    closed_at: datetime,
) -> Closing:
    """Builds the document of closing the entries now, with the earlier closings of this secret."""
    tournament = commitment.tournament
    event = tournament.event
    return Closing(
        draw=order.next_draw_number(tournament),
        secret_hash=commitment.secret_hash,
        committed_at=utc_timestamp(commitment.made_at),
        closed_at=utc_timestamp(closed_at),
        public=public,
        format_json=Format.from_json(tournament.format).as_json(),
        layout=LAYOUT_VERSION,
        rules=rules.rules,
        byes_reason=order.published_text(event, rules.byes_reason),
        entrants=order.list_entrants(entries, rules.method),
        names={str(entry.pk): entry.name for entry in entries},
        reopenings=[
            DrawReopening(
                reopening.number,
                utc_timestamp(reopening.closed_at),
                reopening.entries_hash,
                utc_timestamp(reopening.reopened_at),
                order.published_text(event, reopening.reason),
            )
            for reopening in commitment.reopenings.order_by("number")
        ],
    )


def _stored_closing(closing: Closing, rules: DrawRules) -> dict[str, Any]:
    """Returns a stored closing: the hashed document, and the names."""
    stored = order.stored_rules(rules, closing.entrants)
    return stored | {"closing": closing.as_json(), "names": dict(closing.names)}
