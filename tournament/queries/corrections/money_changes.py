"""The changes of money by a correction: awarded prizes, and the claims and debts that follow. Reads only."""

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.db.models import Sum

from tournament.corrections import Preview
from tournament.fees.amounts import Amount
from tournament.ledger.balances import open_amounts
from tournament.models import Deed, Entry, ResultKind, Tournament, Transfer
from tournament.money.due_awards import DuePrizes, due_prizes, is_awarded, structure_of


@dataclass(frozen=True, slots=True)
class MoneyChange:
    """An entry whose prize money would change. `paid`: what its player was paid out.

    `balance`: what the player would owe; negative amounts are claims. It counts all that the player owes in the event.
    """

    entry: Entry
    before: Amount
    after: Amount
    paid: Amount
    balance: Amount


def money_changes(preview: Preview) -> tuple[MoneyChange, ...]:
    """By name. Empty without a prize structure, and before any place with prize money is certain."""
    tournament, consequences = preview.pairing.round.bracket.tournament, preview.consequences
    if structure_of(tournament) is None:
        return ()
    now = due_prizes(tournament, sheet=preview.sheet)
    then = due_prizes(
        tournament,
        sheet=preview.sheet,
        facts=(consequences.facts, consequences.after),
        unsettled=None if preview.change.kind == ResultKind.SETTLED else preview.pairing.pk,
    )
    rows = list(_rows(tournament, now, then))
    players = {entry.player_id for entry, _before, _after in rows}
    owed, paid = open_amounts(tournament.event_id, players), _paid_out(tournament, players, then.currency)
    changes = (
        MoneyChange(
            entry,
            before,
            after,
            Amount(paid.get(entry.player_id, 0), then.currency),
            Amount(
                owed.get(entry.player_id, {}).get(then.currency, 0) + before.minor - after.minor,
                then.currency,
            ),
        )
        for entry, before, after in rows
    )
    return tuple(sorted(changes, key=lambda change: (-change.after.minor, change.entry.name)))


def _rows(tournament: Tournament, now: DuePrizes, then: DuePrizes) -> Iterator[tuple[Entry, Amount, Amount]]:
    """Entries with their prizes before and after. What was not awarded yet counts as soon as it is due."""
    nothing = Amount(0, then.currency)
    if is_awarded(tournament):
        for change in then.changes:
            if change.currency == then.currency:
                yield change.entry, change.amount_before, change.amount_after
        return
    before, after = (
        {change.entry.pk: change for change in due.changes if change.currency == then.currency}
        for due in (now, then)
    )
    for pk, change in (before | after).items():
        amounts = [side[pk].amount_after if pk in side else nothing for side in (before, after)]
        if amounts[0] != amounts[1]:
            yield change.entry, amounts[0], amounts[1]


def _paid_out(tournament: Tournament, players: set[uuid.UUID], currency: str) -> Mapping[uuid.UUID, int]:
    rows = Transfer.objects.filter(
        transaction__event=tournament.event_id,
        transaction__deed=Deed.PAYOUT,
        transaction__reversed_by__isnull=True,
        target__player__in=players,
        target__currency=currency,
    )
    return {
        pk: minor
        for pk, minor in rows.order_by().values_list("target__player").annotate(Sum("amount"))
        if pk is not None
    }
