"""The prizes that awarding a tournament or its auction would post, also after a change of fees. Reads only."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.fees.amounts import Amount
from tournament.ledger.balances import paid_out_amounts
from tournament.models import Calcutta, Entry, Player, Tournament
from tournament.money.agreed_prizes import current_settlements
from tournament.money.calcutta_awards import owner_changes
from tournament.money.due_awards import AwardChange


@dataclass(frozen=True, slots=True)
class PrizeChange:
    """`paid`: what the player was paid out in the event. `has_agreement`: players agreed on the amount."""

    person: Entry | Player
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
    return sorted(changes, key=_highest_first)


def owner_prize_changes(auction: Calcutta) -> list[PrizeChange]:
    """The changes of what the owners of the auction win, the highest amount first."""
    due = owner_changes(auction.tournament, auction)
    owners = [change.owner for change in due]
    players = Player.objects.in_bulk(owners)
    paid = paid_out_amounts(auction.tournament.event_id, owners)
    changes = [
        PrizeChange(
            players[row.owner],
            row.amount_before,
            row.amount_after,
            Amount(paid.get((row.owner, auction.currency), 0), auction.currency),
            has_agreement=False,
        )
        for row in due
    ]
    return sorted(changes, key=_highest_first)


def _highest_first(change: PrizeChange) -> tuple[int, str]:
    return -change.after.minor, change.person.registered_name
