"""Gives back what entries that withdrew were charged, by the tiers of their tournament's fees.

A withdrawal changes no money by itself: the cash desk sees what is given back, and posts it. Undoing the withdrawal
charges the entry again.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from tournament.access.actors import Actor
from tournament.fees.amounts import Amount
from tournament.fees.refunds import Charged, given_back, tier_on
from tournament.ledger.accounts import AccountName, player_account
from tournament.ledger.charging import PAID_ONCE_IN_EVENT, charged_lines, schedule_of
from tournament.ledger.recording import NewDeed, TransferLine, lock_book, record
from tournament.ledger.settlement import mark_settled
from tournament.live.journal import JournalEntry
from tournament.models import Deed, Entry, Event, LedgerTransaction
from tournament.refusals.money import GIVEN_BACK_CHANGED
from tournament.runtime.errors import NotFound, Refused


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """An entry that withdrew, what it was charged, and what the tier of that day gives back."""

    entry: Entry
    day: date
    charged: Amount
    back: Amount
    lines: tuple[TransferLine, ...]

    @property
    def kept(self) -> Amount:
        return self.charged - self.back

    @property
    def key(self) -> str:
        """The natural key of giving back: once for each withdrawal."""
        return f"withdrawal {self.entry.pk} {self.entry.withdrawn_at and self.entry.withdrawn_at.isoformat()}"


def pending_withdrawals(event: Event) -> list[Withdrawal]:
    """Returns the withdrawals that give something back, and did not yet."""
    entries = Entry.objects.filter(tournament__event=event, withdrawn_at__isnull=False)
    rows = list(
        entries.exclude(tournament__fees={}).select_related("player", "tournament").order_by("withdrawn_at")
    )
    if not rows:
        return []
    withdrawals = _withdrawals(event, rows)
    keys = LedgerTransaction.objects.filter(event=event, key__in=[row.key for row in withdrawals])
    posted = set(keys.values_list("key", flat=True))
    return [row for row in withdrawals if row.back and row.key not in posted]


def give_back(event: Event, entry_id: uuid.UUID, shown: int, actor: Actor) -> None:
    """Posts what was shown, in minor units. Raises NotFound if nothing is given back, Refused if it changed since."""
    with lock_book(event.pk) as book:
        withdrawal = next((row for row in pending_withdrawals(event) if row.entry.pk == entry_id), None)
        if withdrawal is None:
            raise NotFound
        if withdrawal.back.minor != shown:
            raise Refused(GIVEN_BACK_CHANGED)
        deed = NewDeed(Deed.CHARGE, withdrawal.key, withdrawal.lines, entry_id)
        action = JournalEntry("charge", "entry", entry_id, after={"amount": str(-withdrawal.back)})
        record(book, [deed], action, actor)
        mark_settled(book, [withdrawal.entry.player_id])


def _withdrawals(event: Event, entries: Sequence[Entry]) -> list[Withdrawal]:
    charged = charged_lines(entries)
    zone = ZoneInfo(event.time_zone)
    withdrawals = []
    for entry in entries:
        schedule = schedule_of(entry.tournament)
        if schedule is None or not schedule.refunds or entry.withdrawn_at is None:
            continue
        day = entry.withdrawn_at.astimezone(zone).date()
        lines = [
            (line, receiver, minor)
            for (line, receiver), minor in charged[entry.pk].items()
            if receiver.currency == schedule.currency and line not in PAID_ONCE_IN_EVENT and minor > 0
        ]
        tier = tier_on(schedule.refunds, day)
        parts = given_back(tier, [_charged(line, minor) for line, _, minor in lines]) if tier else []
        transfers = tuple(
            _transfer(entry, line, receiver, part)
            for (line, receiver, _), part in zip(lines, parts, strict=False)
            if part
        )
        total, back = sum(minor for *_, minor in lines), sum(parts)
        withdrawals.append(
            Withdrawal(
                entry, day, Amount(total, schedule.currency), Amount(back, schedule.currency), transfers
            )
        )
    return withdrawals


def _charged(line: str, minor: int) -> Charged:
    return Charged(minor, line == "late" or line.endswith("registration"))


def _transfer(entry: Entry, line: str, receiver: AccountName, minor: int) -> TransferLine:
    payer = player_account(entry.player_id, receiver.currency)
    return TransferLine(f"{line} {receiver.currency}", payer, receiver, minor)
