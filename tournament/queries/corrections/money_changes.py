"""The changes of money by a correction: awarded prizes, and the claims and debts that follow. Reads only."""

import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tournament.brackets.storage import Sheet
from tournament.corrections import Preview
from tournament.fees.amounts import Amount
from tournament.ledger.balances import open_amounts, paid_out_amounts
from tournament.models import Calcutta, Entry, Player, ResultKind, Settlement, Tournament
from tournament.money.agreed_prizes import current_settlements, last_agreement
from tournament.money.calcutta_awards import owner_changes
from tournament.money.due_awards import DuePrizes, due_prizes, is_awarded, structure_of
from tournament.places.certain import FactsAndSeating
from tournament.queries.money.settlements import amounts_of

Row = tuple[Player, Entry | None, Amount, Amount]
"""A change: amounts before and after."""


@dataclass(frozen=True, slots=True)
class MoneyChange:
    """A player whose prize money would change: of an entry, or without one as an owner of the auction.

    `paid`: what the player was paid out. `balance`: what the player would owe after all of the changes; negative
    amounts are claims. It counts all that the player owes in the event. `is_last`: no later row is of this player in
    this currency, so that a page names the two once.
    """

    player: Player
    entry: Entry | None
    before: Amount
    after: Amount
    paid: Amount
    balance: Amount
    is_last: bool = True

    @property
    def name(self) -> str:
        return (self.entry or self.player).registered_name


def money_changes(preview: Preview) -> tuple[MoneyChange, ...]:
    """The highest prizes first, then the auction. Empty before any place with prize money is certain."""
    tournament, consequences = preview.pairing.round.bracket.tournament, preview.consequences
    facts = (consequences.facts, consequences.after)
    rows = [*_prize_rows(tournament, preview, facts), *_owner_rows(tournament, preview.sheet, facts)]
    changed: Counter[tuple[uuid.UUID, str]] = Counter()
    for player, _entry, before, after in rows:
        changed[player.pk, after.currency] += before.minor - after.minor
    players = {pk for pk, _currency in changed}
    owed, paid = open_amounts(tournament.event_id, players), paid_out_amounts(tournament.event_id, players)
    changes = (
        MoneyChange(
            player,
            entry,
            before,
            after,
            Amount(paid.get((player.pk, after.currency), 0), after.currency),
            Amount(
                owed.get(player.pk, {}).get(after.currency, 0) + changed[player.pk, after.currency],
                after.currency,
            ),
        )
        for player, entry, before, after in rows
    )
    ordered = sorted(changes, key=lambda row: (row.entry is None, -row.after.minor, row.name))
    last = {(row.player.pk, row.after.currency): number for number, row in enumerate(ordered)}
    return tuple(
        replace(row, is_last=last[row.player.pk, row.after.currency] == number)
        for number, row in enumerate(ordered)
    )


def _prize_rows(tournament: Tournament, preview: Preview, facts: FactsAndSeating) -> Iterator[Row]:
    if structure_of(tournament) is None:
        return
    now = due_prizes(tournament, sheet=preview.sheet)
    agreed = _settlements_after(preview)
    then = due_prizes(tournament, sheet=preview.sheet, facts=facts, settlements=agreed)
    for entry, before, after in _rows(tournament, now, then):
        yield entry.player, entry, before, after


def _owner_rows(tournament: Tournament, sheet: Sheet, facts: FactsAndSeating) -> Iterator[Row]:
    """The owners of the auction, once they were awarded."""
    calcutta = Calcutta.objects.filter(tournament=tournament).exclude(awards_stamp="").first()
    if calcutta is None:
        return
    changes = {row.owner: row for row in owner_changes(tournament, calcutta, sheet=sheet, facts=facts)}
    for player in Player.objects.filter(pk__in=changes):
        yield player, None, changes[player.pk].amount_before, changes[player.pk].amount_after


def agreed_again(preview: Preview) -> tuple[Amount, Amount] | None:
    """The amounts of the left and the right player by an earlier agreement that counts again as a settlement."""
    if preview.change.kind != ResultKind.SETTLED or (row := last_agreement(preview.pairing)) is None:
        return None
    return amounts_of(row)


def agreement_lost(preview: Preview) -> tuple[Amount, Amount] | None:
    """The amounts of the left and the right player by the settlement that the correction ends."""
    if preview.change.kind == ResultKind.SETTLED:
        return None
    tournament = preview.pairing.round.bracket.tournament
    rows = [row for row in current_settlements(tournament) if row.pairing_id == preview.pairing.pk]
    return amounts_of(rows[0]) if rows else None


def _settlements_after(preview: Preview) -> list[Settlement]:
    """The agreements that count after the correction: the last one of this match, if it is settled then."""
    pairing = preview.pairing
    others = [
        row for row in current_settlements(pairing.round.bracket.tournament) if row.pairing_id != pairing.pk
    ]
    agreement = last_agreement(pairing) if preview.change.kind == ResultKind.SETTLED else None
    return [*others, agreement] if agreement else others


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
