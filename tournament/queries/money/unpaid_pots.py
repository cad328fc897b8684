"""The part of each pot that players were charged and did not pay yet. Reads only."""

import uuid
from collections import Counter, defaultdict
from dataclasses import dataclass

from tournament.fees.amounts import Amount
from tournament.ledger.labels import pot_label
from tournament.ledger.unpaid_charges import unpaid_charges
from tournament.models import AccountKind, Entry, LedgerAccount, Tournament
from tournament.queries.money.prize_steps import PrizeStep


@dataclass(frozen=True, slots=True)
class UnpaidPot:
    name: str
    amount: Amount
    players: int


def unpaid_pots(tournament: Tournament) -> list[UnpaidPot]:
    """The parts of the pots that entries still owe."""
    pots = LedgerAccount.objects.filter(tournament=tournament, kind=AccountKind.POT).in_bulk()
    players = set(Entry.objects.filter(tournament=tournament).values_list("player", flat=True))
    unpaid: dict[str, Counter[uuid.UUID]] = defaultdict(Counter)
    for row in unpaid_charges(tournament.event_id, players):
        if row.account in pots:
            unpaid[row.account][row.player] += row.minor
    return [
        UnpaidPot(
            pot_label(tournament, pots[pk].name), Amount(debtors.total(), pots[pk].currency), len(debtors)
        )
        for pk, debtors in unpaid.items()
    ]


def unpaid_pots_of(step: PrizeStep) -> list[UnpaidPot]:
    """None of an auction, because its owners pay the pot and not the entries."""
    return [] if step.is_auction else unpaid_pots(step.tournament)
