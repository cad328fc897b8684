"""The prizes that awarding a tournament would post, also after a change of its fees. Reads only."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.fees.amounts import Amount
from tournament.ledger.balances import paid_out_amounts
from tournament.models import Entry, Tournament
from tournament.money.agreed_prizes import current_settlements
from tournament.money.due_awards import AwardChange


@dataclass(frozen=True, slots=True)
class PrizeChange:
    """`paid`: what the player was paid out in the event. `has_agreement`: players agreed on the amount."""

    entry: Entry
    before: Amount
    after: Amount
    paid: Amount
    has_agreement: bool


def prize_changes(tournament: Tournament, due: Sequence[AwardChange]) -> list[PrizeChange]:
    """These changes of prizes, the highest prize first."""
    if not due:
        return []
    settled = {pk for row in current_settlements(tournament) for pk in (row.left_id, row.right_id)}
    paid = paid_out_amounts(tournament.event_id, {row.entry.player_id for row in due})
    changes = [
        PrizeChange(
            row.entry,
            row.amount_before,
            row.amount_after,
            Amount(paid.get((row.entry.player_id, row.currency), 0), row.currency),
            row.entry.pk in settled or row.is_hedged,
        )
        for row in due
    ]
    return sorted(changes, key=lambda row: (-row.after.minor, row.entry.registered_name))
