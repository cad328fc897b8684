"""The page of two players who want to settle their match: prizes, chances, the fair split and an open proposal."""

from dataclasses import dataclass

from matches.keepers import Keeper
from tournament.fees.amounts import Amount
from tournament.ledger.labels import pot_label
from tournament.models import Entry, Pairing, Result, ResultKind, Settlement, Tournament
from tournament.money.agreed_prizes import last_agreement
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
class SettlementPage:
    """`favorite` is the side with the higher chance, the left one if both are equal.

    `agreement`: what the players agreed on before another result replaced it. `why_not`: why there are no prizes.
    """

    stakes: Stakes | None
    why_not: Unshared | None
    pots: tuple[PotLine, ...]
    sides: tuple[SettlementSide, SettlementSide]
    proposal: Settlement | None
    agreement: Settlement | None

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


def load_settlement_page(pairing: Pairing) -> SettlementPage | None:
    """The pairing is loaded with its match, round and both players; None while a player is unknown."""
    left, right = pairing.left, pairing.right
    if left is None or right is None:
        return None
    found = stakes_of(pairing)
    stakes, why_not = (None, found) if isinstance(found, Unshared) else (found, None)
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
    """A player's view of a settlement: the open proposal, or the amounts agreed, the player's own first."""

    proposal: Settlement | None
    agreed: tuple[Amount, Amount] | None = None
    may_undo: bool = False


def load_phone_settlement(pairing: Pairing, result: Result | None, keeper: Keeper) -> PhoneSettlement:
    if result is None or result.kind != ResultKind.SETTLED:
        return PhoneSettlement(open_proposal(pairing))
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
