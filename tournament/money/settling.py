"""Settlements of matches: two players agree on the winner and on their shares of the two prizes.

The posted result is of kind `settled`. The agreed amounts change the prizes of these two players only.
"""

import uuid
from collections import Counter
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import get_language

from matches import scorecard
from matches.keepers import Keeper
from tournament.access.actors import Actor
from tournament.brackets import advancing, storage
from tournament.brackets.advancing import LockedTournament
from tournament.fees.amounts import Amount, format_amount
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Pairing, Result, ResultKind, Settlement, Tournament
from tournament.money.agreed_prizes import agreed_differences, current_settlements, stored_pots
from tournament.money.awards import follows_changes, repost_awards
from tournament.money.calcutta_awards import are_owners_awarded
from tournament.money.hedged_prizes import current_hedges, promised_by_hedges
from tournament.money.stakes import Stakes, Unshared, stakes_of
from tournament.refusals.results import (
    ACCEPTANCE_FINAL,
    NO_PROPOSAL,
    OWN_PROPOSAL,
    SETTLEMENT_OUTDATED,
    SETTLEMENT_PROMISED,
    SETTLEMENT_SUM,
    WINNER_UNKNOWN,
)
from tournament.results import posting, stale_decisions
from tournament.results.awards import Award, ExpectedResult
from tournament.results.desk import UNDO_CONFIRMATION
from tournament.results.locking import LockedPairing, lock_match_of, lock_pairing
from tournament.results.posting import Posting
from tournament.runtime.errors import Refused


@dataclass(frozen=True, slots=True)
class Agreement:
    """The entry that advances as the winner, and minor units for the left and the right entry of the pairing.

    The amounts are None if no prizes depend on the match.
    """

    winner: uuid.UUID
    amounts: tuple[int, int] | None = None


def propose(pairing: Pairing, agreement: Agreement, actor: Actor) -> Settlement:
    """Stores a player's proposal, which replaces an open one. Raises Refused for a decided match or a wrong sum."""
    with advancing.lock_tournament(pairing.round.bracket.tournament_id) as locked:
        locked_pairing = lock_undecided(locked, pairing)
        Settlement.objects.filter(pairing=pairing, result__isnull=True, closed_at__isnull=True).update(
            closed_at=timezone.now()
        )
        settlement = _create(pairing, agreement, actor, None)
        _write_journal(locked, settlement, "propose settlement", actor)
        publish_proposal(locked, locked_pairing)
        return settlement


def close(pairing: Pairing, settlement_id: uuid.UUID, actor: Actor) -> None:
    """Withdraws or declines an open proposal. Raises Refused if it is not open."""
    with advancing.lock_tournament(pairing.round.bracket.tournament_id) as locked:
        locked_pairing = lock_pairing(locked, pairing)
        settlement = _open_settlement(pairing, settlement_id)
        settlement.closed_at = timezone.now()
        settlement.save(update_fields=["closed_at"])
        _write_journal(locked, settlement, "close settlement", actor)
        publish_proposal(locked, locked_pairing)


def confirm(pairing: Pairing, settlement_id: uuid.UUID, keeper: Keeper, actor: Actor) -> Result:
    """Posts the settlement that the opponent proposed. Raises Refused for one's own, or if the prizes changed."""
    with advancing.lock_tournament(pairing.round.bracket.tournament_id) as locked:
        locked_pairing = lock_undecided(locked, pairing)
        settlement = _open_settlement(pairing, settlement_id)
        if actor.entry is None or settlement.proposed_by_id == actor.entry.pk:
            raise Refused(OWN_PROPOSAL)
        stakes = shared_stakes(pairing)
        if stored_pots(settlement) != (stakes.pots if stakes else ()):
            raise Refused(SETTLEMENT_OUTDATED)
        amounts = settlement.left_minor, settlement.right_minor
        _refuse_promised(pairing, stakes, amounts, actor)
        if stakes and _missing(pairing, amounts):
            raise Refused(SETTLEMENT_OUTDATED)
        posted = Posting(ResultKind.SETTLED, settlement.winner_id, confirmed_by=keeper.value)
        settlement.result = posting.post(locked, locked_pairing, posted, actor)
        settlement.save(update_fields=["result"])
        _write_journal(locked, settlement, "agree settlement", actor)
        repost_awards(locked, actor, "")
        return settlement.result


def undo_acceptance(pairing: Pairing, keeper: Keeper, actor: Actor) -> None:
    """Retracts the settlement that this player accepted: the match continues.

    Raises Refused if the desk posted it, later than UNDO_CONFIRMATION, once prizes or owners of an auction are awarded,
    and like `posting.retract`.
    """
    with advancing.lock_tournament(pairing.round.bracket.tournament_id) as locked:
        locked_pairing, _match = lock_match_of(locked, pairing)
        result = posting.require_posted_result(locked_pairing)
        if not may_undo_acceptance(result, keeper, locked.tournament):
            raise Refused(ACCEPTANCE_FINAL)
        posting.retract(locked, locked_pairing, "", actor)


def may_undo_acceptance(result: Result, keeper: Keeper, tournament: Tournament) -> bool:
    is_own = result.kind == ResultKind.SETTLED and result.confirmed_by == keeper.value
    is_recent = timezone.now() - result.posted_at <= UNDO_CONFIRMATION
    return is_recent and is_own and not (follows_changes(tournament) or are_owners_awarded(tournament))


def settle_at_desk(
    pairing: Pairing,
    agreement: Agreement,
    reason: str,
    actor: Actor,
    *,
    expected: ExpectedResult | None = None,
) -> Result:
    """Posts what two players told the desk, or corrects the posted result to it. Raises Refused like `award`."""
    with advancing.lock_tournament(pairing.round.bracket.tournament_id) as locked:
        locked_pairing = lock_pairing(locked, pairing)
        award = Award(ResultKind.SETTLED, agreement.winner)
        result = posting.award(locked, locked_pairing, award, actor, reason, expected)
        settlement = _create(pairing, agreement, actor, result)
        _write_journal(locked, settlement, "agree settlement", actor)
        repost_awards(locked, actor, reason)
        return result


def lock_undecided(locked: LockedTournament, pairing: Pairing) -> LockedPairing:
    locked_pairing, _match = lock_match_of(locked, pairing)
    if locked_pairing.posted_result is not None:
        raise stale_decisions.posted_already(pairing, locked_pairing.posted_result)
    return locked_pairing


def _open_settlement(pairing: Pairing, settlement_id: uuid.UUID) -> Settlement:
    rows = Settlement.objects.filter(pairing=pairing, left=pairing.left_id, right=pairing.right_id)
    settlement = rows.filter(pk=settlement_id, result__isnull=True, closed_at__isnull=True).first()
    if settlement is None:
        raise Refused(NO_PROPOSAL)
    return settlement


def _create(pairing: Pairing, agreement: Agreement, actor: Actor, result: Result | None) -> Settlement:
    left_id, right_id = pairing.left_id, pairing.right_id
    if left_id is None or right_id is None or agreement.winner not in (left_id, right_id):
        raise Refused(WINNER_UNKNOWN)
    stakes = shared_stakes(pairing)
    left, right = _checked_amounts(pairing, stakes, agreement, actor)
    return Settlement.objects.create(
        pairing=pairing,
        left_id=left_id,
        right_id=right_id,
        winner_id=agreement.winner,
        currency=stakes.currency if stakes else "",
        first_minor=stakes.first if stakes else 0,
        second_minor=stakes.second if stakes else 0,
        left_minor=left,
        right_minor=right,
        pots=[[pot.pot, pot.first, pot.second] for pot in stakes.pots] if stakes else [],
        proposed_by=actor.entry,
        proposed_at=timezone.now(),
        result=result,
    )


def _checked_amounts(
    pairing: Pairing, stakes: Stakes | None, agreement: Agreement, actor: Actor
) -> tuple[int, int]:
    """The amounts of an agreement. Raises Refused unless both together are the prizes that the match decides."""
    left, right = agreement.amounts or (0, 0)
    total = stakes.total if stakes else 0
    if left + right != total or left < 0 or right < 0:
        raise Refused(SETTLEMENT_SUM, total=_written(total, stakes))
    _refuse_promised(pairing, stakes, (left, right), actor)
    return left, right


def _refuse_promised(pairing: Pairing, stakes: Stakes | None, amounts: tuple[int, int], actor: Actor) -> None:
    """Raises Refused if a player gets less than what the same player promised to others.

    For a player it checks only the own amount: the refusal names the promises, and those of the opponent are private.
    """
    missing = _missing(pairing, amounts) if stakes else {}
    for entry in (pairing.left, pairing.right):
        if entry is not None and entry.pk in missing and actor.entry in (None, entry):
            raise Refused(SETTLEMENT_PROMISED, name=entry.name, amount=_written(missing[entry.pk], stakes))


def _missing(pairing: Pairing, amounts: tuple[int, int]) -> dict[uuid.UUID, int]:
    """The promised minor units of each player who gets less than that."""
    promised = promised_amounts(pairing)
    rows = zip((pairing.left_id, pairing.right_id), amounts, strict=True)
    return {entry: promised[entry] for entry, minor in rows if entry and minor < promised[entry]}


def _written(minor: int, stakes: Stakes | None) -> str:
    return format_amount(Amount(minor, stakes.currency), get_language() or "en") if stakes else "0"


def promised_amounts(pairing: Pairing) -> Counter[uuid.UUID]:
    """The minor units that each entry gives away by settlements and hedges of other matches."""
    tournament: Tournament = pairing.round.bracket.tournament
    others = [row for row in current_settlements(tournament) if row.pairing_id != pairing.pk]
    hedges = [row for row in current_hedges(tournament) if row.pairing_id != pairing.pk]
    if not others and not hedges:
        return Counter()
    decisions = storage.read(tournament).facts.decisions
    settled = {row.pairing_id for row in others}
    return -agreed_differences(others, decisions) + promised_by_hedges(hedges, decisions, settled)


def shared_stakes(pairing: Pairing) -> Stakes | None:
    stakes = stakes_of(pairing)
    return None if isinstance(stakes, Unshared) else stakes


def publish_proposal(locked: LockedTournament, locked_pairing: LockedPairing) -> None:
    """The opponent's page shows the proposal at once."""
    if locked_pairing.match is not None:
        scorecard.note_call(locked_pairing.match.match)
        locked.touch_match(locked_pairing.pairing)


def _write_journal(locked: LockedTournament, settlement: Settlement, verb: str, actor: Actor) -> None:
    amounts = {
        str(settlement.left_id): str(Amount(settlement.left_minor, settlement.currency)),
        str(settlement.right_id): str(Amount(settlement.right_minor, settlement.currency)),
    }
    after = {"winner": str(settlement.winner_id), **({"entries": amounts} if settlement.currency else {})}
    journal.write(locked.tournament, actor, JournalEntry(verb, "pairing", settlement.pairing_id, after=after))
