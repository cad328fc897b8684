"""The page of two players who want to settle their match: prizes, chances, the fair split and an open proposal."""

import uuid
from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import F, Q

from matches.keepers import Keeper
from tournament.fees.amounts import Amount
from tournament.ledger.labels import pot_label
from tournament.models import Entry, Hedge, Pairing, Result, ResultKind, Settlement, Tournament
from tournament.money.agreed_prizes import last_agreement
from tournament.money.hedged_prizes import open_hedges
from tournament.money.hedging import hedge_limits
from tournament.money.settling import may_undo_acceptance
from tournament.money.stakes import Stakes, Unshared, fair_share, stakes_of
from tournament.money.win_chances import chance_of_left


@dataclass(frozen=True, slots=True)
class SettlementSide:
    """One of the two players. `fair` is None if no prizes depend on the match."""

    entry: Entry
    percent: int
    fair: Amount | None


@dataclass(frozen=True, slots=True)
class PotLine:
    """The prizes of the winner and of the other player from one pot."""

    name: str
    first: Amount
    second: Amount


@dataclass(frozen=True, slots=True)
class HedgeLine:
    """The amount that the winner of a match gives the loser by a hedge."""

    winner: Entry
    loser: Entry
    amount: Amount


def hedge_lines(hedge: Hedge) -> list[HedgeLine]:
    rows = ((hedge.left, hedge.right, hedge.left_minor), (hedge.right, hedge.left, hedge.right_minor))
    return [HedgeLine(winner, loser, Amount(minor, hedge.currency)) for winner, loser, minor in rows if minor]


@dataclass(frozen=True, slots=True)
class SettlementPage:
    """`favorite` is the side with the higher chance, the left one if both are equal.

    `agreement`: what the players agreed on before another result replaced it. `why_not`: why there are no prizes.
    `hedge`: proposed or accepted. `hedge_limits`: the most that each player can give after winning, in minor units,
    without the private promises of the opponent on a player's phone.
    """

    stakes: Stakes | None
    why_not: Unshared | None
    pots: tuple[PotLine, ...]
    sides: tuple[SettlementSide, SettlementSide]
    proposal: Settlement | None
    agreement: Settlement | None
    hedge: Hedge | None
    hedge_limits: tuple[int, int]

    @property
    def hedge_lines(self) -> list[HedgeLine]:
        return hedge_lines(self.hedge) if self.hedge else []

    @property
    def may_hedge(self) -> bool:
        return any(self.hedge_limits)

    @property
    def favorite(self) -> SettlementSide:
        return self.sides[self.sides[1].percent > self.sides[0].percent]

    @property
    def suggested(self) -> tuple[Amount | None, Amount | None]:
        """The amounts that were agreed before, if the prizes are the same, else the fair split."""
        row, stakes = self.agreement, self.stakes
        if row and stakes and row.currency == stakes.currency and row.total_minor == stakes.total:
            return amounts_of(row) or (None, None)
        return self.sides[0].fair, self.sides[1].fair


def load_settlement_page(pairing: Pairing, own: uuid.UUID | None = None) -> SettlementPage | None:
    """The pairing is loaded with its match, round and both players; None while a player is unknown.

    `own`: the entry of the phone that asks; None for the desk.
    """
    left, right = pairing.left, pairing.right
    if left is None or right is None:
        return None
    result = stakes_of(pairing)
    stakes, why_not = (None, result) if isinstance(result, Unshared) else (result, None)
    chance = chance_of_left(left, right, pairing.match, pairing.round.length)
    percent = round(100 * chance)
    fair = None if stakes is None else fair_share(stakes, chance)
    rest = None if stakes is None or fair is None else stakes.total - fair
    return SettlementPage(
        stakes,
        why_not,
        _pot_lines(pairing.round.bracket.tournament, stakes) if stakes else (),
        (_side(left, percent, fair, stakes), _side(right, 100 - percent, rest, stakes)),
        open_proposal(pairing),
        last_agreement(pairing),
        _open_hedge(pairing),
        hedge_limits(pairing, stakes, own),
    )


def _pot_lines(tournament: Tournament, stakes: Stakes) -> tuple[PotLine, ...]:
    return tuple(
        PotLine(
            pot_label(tournament, row.pot),
            Amount(row.first, stakes.currency),
            Amount(row.second, stakes.currency),
        )
        for row in stakes.pots
    )


@dataclass(frozen=True, slots=True)
class PhoneSettlement:
    """A player's view of a settlement: the open proposal, or the amounts agreed, the player's own first.

    `hedge`: proposed or accepted, while the match is open.
    """

    proposal: Settlement | None
    agreed: tuple[Amount, Amount] | None = None
    may_undo: bool = False
    hedge: Hedge | None = None


def load_phone_settlement(pairing: Pairing, result: Result | None, keeper: Keeper) -> PhoneSettlement:
    if result is None or result.kind != ResultKind.SETTLED:
        hedge = _open_hedge(pairing) if result is None else None
        return PhoneSettlement(open_proposal(pairing), hedge=hedge)
    agreement = last_agreement(pairing)
    agreed = amounts_of(agreement) if agreement else None
    match = pairing.match
    is_left = match is not None and (match.left == pairing.left_id) == (keeper is Keeper.LEFT)
    mine_first = agreed if agreed is None or is_left else agreed[::-1]
    tournament = pairing.round.bracket.tournament
    return PhoneSettlement(None, mine_first, may_undo_acceptance(result, keeper, tournament))


def open_proposal(pairing: Pairing) -> Settlement | None:
    """The proposal that waits for the other player."""
    rows = Settlement.objects.filter(pairing=pairing, left=pairing.left_id, right=pairing.right_id)
    open_rows = rows.filter(result__isnull=True, closed_at__isnull=True)
    return open_rows.select_related("winner__player", "proposed_by__player").first()


def matches_with_proposals(
    match_ids: Collection[uuid.UUID], players: Collection[uuid.UUID]
) -> set[uuid.UUID]:
    """The matches in which one of these entries has a settlement or hedge of the opponent to answer."""
    is_open = Q(
        Q(left__in=players) | Q(right__in=players),
        pairing__match__in=match_ids,
        left=F("pairing__left"),
        right=F("pairing__right"),
        closed_at__isnull=True,
    )
    settlements = Settlement.objects.filter(is_open, result__isnull=True)
    hedges = Hedge.objects.filter(is_open, accepted_at__isnull=True)
    return {
        match
        for rows in (settlements, hedges)
        for match in rows.exclude(proposed_by__in=players).values_list("pairing__match", flat=True)
    }


def _side(entry: Entry, percent: int, minor: int | None, stakes: Stakes | None) -> SettlementSide:
    fair = None if stakes is None or minor is None else Amount(minor, stakes.currency)
    return SettlementSide(entry, percent, fair)


def amounts_of(settlement: Settlement) -> tuple[Amount, Amount] | None:
    """The amounts of the left and the right player; None if no prizes depend on the match."""
    if not settlement.currency:
        return None
    return (
        Amount(settlement.left_minor, settlement.currency),
        Amount(settlement.right_minor, settlement.currency),
    )


def _open_hedge(pairing: Pairing) -> Hedge | None:
    return open_hedges(pairing).select_related("proposed_by__player").first()
