"""The page of two players who want to settle their match: prizes, chances, the fair split and an open proposal."""

from dataclasses import dataclass

from tournament.fees.amounts import Amount
from tournament.models import Entry, Pairing, Settlement
from tournament.money.stakes import Stakes, fair_share, stakes_of
from tournament.money.win_chances import chance_of_left


@dataclass(frozen=True, slots=True)
class SettlementSide:
    """One of the two players. `fair` is None if no prizes depend on the match."""

    entry: Entry
    percent: int
    fair: Amount | None


@dataclass(frozen=True, slots=True)
class SettlementPage:
    """`favorite` is the side with the higher chance, the left one if both are equal."""

    stakes: Stakes | None
    sides: tuple[SettlementSide, SettlementSide]
    proposal: Settlement | None

    @property
    def favorite(self) -> SettlementSide:
        return self.sides[self.sides[1].percent > self.sides[0].percent]

    @property
    def prizes(self) -> tuple[Amount, Amount] | None:
        """First and second prize."""
        if self.stakes is None:
            return None
        return (
            Amount(self.stakes.first, self.stakes.currency),
            Amount(self.stakes.second, self.stakes.currency),
        )


def load_settlement_page(pairing: Pairing) -> SettlementPage | None:
    """The pairing is loaded with its match, round and both players; None while a player is unknown."""
    left, right = pairing.left, pairing.right
    if left is None or right is None:
        return None
    stakes = stakes_of(pairing)
    chance = chance_of_left(left, right, pairing.match, pairing.round.length)
    percent = round(100 * chance)
    fair = None if stakes is None else fair_share(stakes, chance)
    rest = None if stakes is None or fair is None else stakes.total - fair
    return SettlementPage(
        stakes,
        (_side(left, percent, fair, stakes), _side(right, 100 - percent, rest, stakes)),
        open_proposal(pairing),
    )


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
