"""Hedges of matches: one player proposes what the winner gives the loser, and the other accepts.

Only these two players and people with the capability for money see a hedge. It is posted with the prizes.
"""

import uuid
from collections.abc import Sequence

from django.utils import timezone
from django.utils.translation import get_language

from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.brackets.advancing import LockedTournament
from tournament.fees.amounts import Amount, format_amount
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Entry, Hedge, Pairing
from tournament.money.hedged_prizes import amount_paid_by, open_hedges
from tournament.money.settling import lock_undecided, promised_amounts, publish_proposal, shared_stakes
from tournament.money.stakes import Stakes
from tournament.refusals.results import (
    HEDGE_ABOVE_PRIZE,
    HEDGE_AGREED,
    HEDGE_EMPTY,
    HEDGE_OUTDATED,
    NO_HEDGE,
    NOTHING_TO_HEDGE,
    OWN_PROPOSAL,
    PLAYERS_UNKNOWN,
)
from tournament.runtime.errors import Refused


def hedge_limits(pairing: Pairing, stakes: Stakes | None, own: uuid.UUID | None = None) -> tuple[int, int]:
    """The most that the left and the right player can give after winning, in minor units.

    That is what the winner is certain of from this match, less what the same player promised to others. `own`: counts
    only the promises of this entry, because those of its opponent are private.
    """
    if stakes is None:
        return 0, 0
    promised = promised_amounts(pairing)
    limits = (
        stakes.first - (promised[entry] if own in (None, entry) else 0)
        for entry in (pairing.left_id, pairing.right_id)
        if entry
    )
    left, right = (max(limit, 0) for limit in limits)
    return left, right


def propose(pairing: Pairing, amounts: tuple[int, int], actor: Actor) -> Hedge:
    """Stores a player's proposal, which replaces an open one. `amounts`: what the left and the right player give.

    Raises Refused for a decided match, for more than `hedge_limits` of this player, and if a hedge is agreed.
    """
    with advancing.lock_tournament(pairing.round.bracket.tournament_id) as locked:
        locked_pairing = lock_undecided(locked, pairing)
        entry, left, right = actor.entry, pairing.left, pairing.right
        if entry is None or left is None or right is None:
            raise Refused(PLAYERS_UNKNOWN)
        rows = open_hedges(pairing)
        if rows.filter(accepted_at__isnull=False).exists():
            raise Refused(HEDGE_AGREED)
        currency = _check(pairing, amounts, entry)
        rows.update(closed_at=timezone.now())
        hedge = Hedge.objects.create(
            pairing=pairing,
            left=left,
            right=right,
            currency=currency,
            left_minor=amounts[0],
            right_minor=amounts[1],
            proposed_by=entry,
            proposed_at=timezone.now(),
        )
        _write_journal(locked, hedge, "propose hedge", actor)
        publish_proposal(locked, locked_pairing)
        return hedge


def accept(pairing: Pairing, hedge_id: uuid.UUID, actor: Actor) -> None:
    """Accepts the opponent's proposal. Raises Refused for one's own, and for more than a player can give now."""
    with advancing.lock_tournament(pairing.round.bracket.tournament_id) as locked:
        locked_pairing = lock_undecided(locked, pairing)
        hedge, player = _open_hedge(pairing, hedge_id), _player(actor)
        if player.pk == hedge.proposed_by_id:
            raise Refused(OWN_PROPOSAL)
        if hedge.accepted_at is None:
            amounts = [amount_paid_by(hedge, entry) for entry in (pairing.left_id, pairing.right_id) if entry]
            if _check(pairing, amounts, player) != hedge.currency:
                raise Refused(NO_HEDGE)
            if any(minor > most for minor, most in zip(amounts, _limits(pairing), strict=True)):
                raise Refused(HEDGE_OUTDATED)
            hedge.accepted_at = timezone.now()
            hedge.save(update_fields=["accepted_at"])
            _write_journal(locked, hedge, "agree hedge", actor)
            publish_proposal(locked, locked_pairing)


def close(pairing: Pairing, hedge_id: uuid.UUID, actor: Actor) -> bool:
    """Withdraws or declines a proposal. Cancels an accepted hedge once both players asked for it.

    Returns True if the hedge is closed. Raises Refused for a decided match, and if the hedge is closed already.
    """
    with advancing.lock_tournament(pairing.round.bracket.tournament_id) as locked:
        locked_pairing = lock_undecided(locked, pairing)
        hedge, player = _open_hedge(pairing, hedge_id), _player(actor)
        if hedge.accepted_at is not None and hedge.cancel_asked_by_id in (None, player.pk):
            hedge.cancel_asked_by = player
            hedge.save(update_fields=["cancel_asked_by"])
            publish_proposal(locked, locked_pairing)
            return False
        hedge.closed_at = timezone.now()
        hedge.save(update_fields=["closed_at"])
        _write_journal(locked, hedge, "close hedge", actor)
        publish_proposal(locked, locked_pairing)
        return True


def _player(actor: Actor) -> Entry:
    if actor.entry is None:
        raise Refused(PLAYERS_UNKNOWN)
    return actor.entry


def _open_hedge(pairing: Pairing, hedge_id: uuid.UUID) -> Hedge:
    hedge = open_hedges(pairing).filter(pk=hedge_id).first()
    if hedge is None:
        raise Refused(NO_HEDGE)
    return hedge


def _limits(pairing: Pairing) -> tuple[int, int]:
    return hedge_limits(pairing, shared_stakes(pairing))


def _check(pairing: Pairing, amounts: Sequence[int], player: Entry) -> str:
    """Returns the currency of the prizes. Raises Refused for more than `hedge_limits` of this player."""
    stakes = shared_stakes(pairing)
    if stakes is None:
        raise Refused(NOTHING_TO_HEDGE)
    if min(amounts) < 0 or not any(amounts):
        raise Refused(HEDGE_EMPTY)
    limits = hedge_limits(pairing, stakes, player.pk)
    for entry, minor, limit in zip((pairing.left, pairing.right), amounts, limits, strict=True):
        if minor > limit and entry is not None:
            most = format_amount(Amount(limit, stakes.currency), get_language() or "en")
            raise Refused(HEDGE_ABOVE_PRIZE, name=entry.name, amount=most)
    return stakes.currency


def _write_journal(locked: LockedTournament, hedge: Hedge, verb: str, actor: Actor) -> None:
    amounts = {
        str(hedge.left_id): str(Amount(hedge.left_minor, hedge.currency)),
        str(hedge.right_id): str(Amount(hedge.right_minor, hedge.currency)),
    }
    after = {"entries": amounts}
    journal.write(locked.tournament, actor, JournalEntry(verb, "pairing", hedge.pairing_id, after=after))
