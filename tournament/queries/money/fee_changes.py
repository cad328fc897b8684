"""Awarded prizes that change with the fees of a tournament. Reads only."""

from dataclasses import dataclass

from tournament.fees.amounts import Amount
from tournament.ledger.balances import paid_out_amounts
from tournament.models import Entry, Tournament
from tournament.money.agreed_prizes import current_settlements
from tournament.money.fees import FeeChange


@dataclass(frozen=True, slots=True)
class PrizeChange:
    """`paid`: what the player was paid out in the event. `is_settled`: the amount follows an agreement of players."""

    entry: Entry
    before: Amount
    after: Amount
    paid: Amount
    is_settled: bool


def prize_changes(tournament: Tournament, change: FeeChange) -> list[PrizeChange]:
    """The prizes that the change of fees would post, the highest first."""
    if not change.prizes:
        return []
    settled = {pk for row in current_settlements(tournament) for pk in (row.left_id, row.right_id)}
    paid = paid_out_amounts(tournament.event_id, {row.entry.player_id for row in change.prizes})
    changes = [
        PrizeChange(
            row.entry,
            row.amount_before,
            row.amount_after,
            Amount(paid.get((row.entry.player_id, row.currency), 0), row.currency),
            row.entry.pk in settled,
        )
        for row in change.prizes
    ]
    return sorted(changes, key=lambda row: (-row.after.minor, row.entry.registered_name))
