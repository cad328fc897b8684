"""Charges entries by the fee schedule of their tournament.

What an entry was charged is the sum of its transfers. Charging posts the difference to what it costs now, so doing it
twice changes nothing. The caller holds the lock on the tournament.
"""

import uuid
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from tournament.access.actors import Actor
from tournament.fees.amounts import Amount
from tournament.fees.schedule import Charge, Condition, EntryFacts, FeeSchedule, Target, charges_of
from tournament.fees.stored import parse_schedule
from tournament.ledger.accounts import AccountName, name_of, player_account, pot
from tournament.ledger.recording import NewDeed, TransferLine, lock_book, record
from tournament.ledger.settlement import mark_settled
from tournament.live.journal import JournalEntry
from tournament.models import AccountKind, Deed, Draw, Entry, LedgerTransaction, Tournament, Transfer

Lines = Counter[tuple[str, AccountName]]
"""Minor units by line and by the account that receives them."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What is posted so that an entry is charged what it costs."""

    entry: Entry
    lines: tuple[TransferLine, ...]

    @property
    def amounts(self) -> dict[str, int]:
        """What the player pays more, in minor units by currency."""
        amounts: Counter[str] = Counter()
        for line in self.lines:
            is_more = line.target.kind == AccountKind.PLAYER
            amounts[line.target.currency] += line.minor if is_more else -line.minor
        return dict(amounts)

    @property
    def listed_amounts(self) -> list[Amount]:
        return [Amount(minor, currency) for currency, minor in self.amounts.items()]


def schedule_of(tournament: Tournament) -> FeeSchedule | None:
    return parse_schedule(tournament.fees)


def charge_entries(tournament: Tournament, entries: Sequence[Entry], actor: Actor) -> list[Difference]:
    """Posts what these entries cost and were not charged yet. Does nothing without a fee schedule."""
    schedule = schedule_of(tournament)
    if schedule is None or not entries:
        return []
    return _post(tournament, entries, differences_of(tournament, schedule, entries), actor)


def take_back_charges(tournament: Tournament, entries: Sequence[Entry], actor: Actor) -> None:
    """Posts the opposite of what these entries were charged."""
    nothing = FeeSchedule("")
    _post(tournament, entries, differences_of(tournament, nothing, entries), actor)


def _post(
    tournament: Tournament, entries: Sequence[Entry], differences: Sequence[Difference], actor: Actor
) -> list[Difference]:
    with lock_book(tournament.event_id) as book:
        revisions = _numbers_of_transactions(entries)
        deeds = [
            NewDeed(
                Deed.CHARGE,
                f"charge {difference.entry.pk} {revisions[difference.entry.pk]}",
                difference.lines,
                difference.entry.pk,
            )
            for difference in differences
        ]
        if differences:
            record(book, deeds, _action(tournament, differences), actor)
        mark_settled(book, {entry.player_id for entry in entries})
    return list(differences)


def _action(tournament: Tournament, differences: Sequence[Difference]) -> JournalEntry:
    """One line about one entry, or about all of them together."""
    amounts: Counter[str] = Counter()
    for difference in differences:
        amounts.update(difference.amounts)
    after = {"amount": ", ".join(str(Amount(minor, currency)) for currency, minor in amounts.items())}
    if len(differences) == 1:
        return JournalEntry("charge", "entry", differences[0].entry.pk, after=after)
    return JournalEntry("charge", "tournament", tournament.pk, after=after | {"entries": len(differences)})


def differences_of(
    tournament: Tournament, schedule: FeeSchedule, entries: Sequence[Entry]
) -> list[Difference]:
    """What charging these entries by this schedule would post. The player of each entry is loaded."""
    charged = _charged(entries)
    drawn_at = _drawn_at(tournament)
    differences = []
    for entry in entries:
        is_late = drawn_at is not None and entry.entered_at > drawn_at
        due = _due(tournament, schedule, entry, is_late=is_late)
        lines = tuple(_lines(entry, due, charged[entry.pk]))
        if lines:
            differences.append(Difference(entry, lines))
    return differences


def facts_of(entry: Entry, *, is_late: bool) -> EntryFacts:
    conditions = frozenset(Condition(name) for name in entry.player.conditions)
    return EntryFacts(entry.number, conditions, frozenset(entry.pools), is_late)


def _due(tournament: Tournament, schedule: FeeSchedule, entry: Entry, *, is_late: bool) -> Lines:
    charges = charges_of(schedule, facts_of(entry, is_late=is_late))
    return Counter(
        {(charge.line, _receiver(tournament, schedule.currency, charge)): charge.minor for charge in charges}
    )


def _receiver(tournament: Tournament, currency: str, charge: Charge) -> AccountName:
    if charge.target is Target.POT:
        return pot(tournament.pk, charge.pot, currency)
    return AccountName(AccountKind(charge.target.value), currency)


def _lines(entry: Entry, due: Lines, charged: Lines) -> Iterator[TransferLine]:
    """The transfers from what was charged to what is due."""
    for line, receiver in dict.fromkeys([*due, *charged]):
        missing = due[line, receiver] - charged[line, receiver]
        payer = player_account(entry.player_id, receiver.currency)
        name = f"{line} {receiver.currency}"
        if missing > 0:
            yield TransferLine(name, receiver, payer, missing)
        elif missing < 0:
            yield TransferLine(name, payer, receiver, -missing)


def _charged(entries: Sequence[Entry]) -> dict[uuid.UUID | None, Lines]:
    """What each entry was charged, by the transfers of its transactions."""
    charged: dict[uuid.UUID | None, Lines] = defaultdict(Counter)
    transfers = Transfer.objects.filter(transaction__entry__in=entries)
    for transfer in transfers.select_related("transaction", "source", "target"):
        entry_id = transfer.transaction.entry_id
        line = transfer.line.rpartition(" ")[0]
        if transfer.target.kind == AccountKind.PLAYER:
            charged[entry_id][line, name_of(transfer.source)] += transfer.amount
        else:
            charged[entry_id][line, name_of(transfer.target)] -= transfer.amount
    return charged


def _drawn_at(tournament: Tournament) -> datetime | None:
    draws = Draw.objects.filter(tournament=tournament, replaced_at__isnull=True)
    return draws.values_list("made_at", flat=True).first()


def _numbers_of_transactions(entries: Sequence[Entry]) -> Counter[uuid.UUID]:
    rows = LedgerTransaction.objects.filter(entry__in=entries).order_by()
    return Counter(dict(rows.values_list("entry").annotate(Count("pk"))))
