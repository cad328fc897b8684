"""Gives back what entries that withdrew were charged, by the tiers of their tournament's fees.

A withdrawal changes no money: the cash desk sees the refund, and posts it. Undoing the withdrawal
charges the entry again.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.fees.amounts import Amount, apportion
from tournament.fees.charge_lines import parse_charge_line
from tournament.fees.refunds import Charged, given_back, tier_on
from tournament.fees.schedule import FeeSchedule
from tournament.ledger.accounts import AccountName, player_account
from tournament.ledger.balances import open_amounts
from tournament.ledger.charging import Lines, charge_players, charged_lines, schedule_of
from tournament.ledger.paid_marks import mark_paid_entries
from tournament.ledger.recording import NewDeed, TransferLine, lock_book, record
from tournament.live.journal import JournalEntry
from tournament.models import Deed, Entry, Event, LedgerTransaction
from tournament.refusals.money import GIVEN_BACK_CHANGED, TAKING_BACK_NEEDS_REASON
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


def withdrawal_today(entry: Entry) -> Withdrawal | None:
    """Returns what the entry would get back if it withdrew now; None without charges by fees of the tournament.

    Its tournament and event are loaded.
    """
    schedule = schedule_of(entry.tournament)
    if schedule is None:
        return None
    day = timezone.localdate(timezone=ZoneInfo(entry.tournament.event.time_zone))
    withdrawal = _withdrawal(entry, schedule, day, charged_lines([entry])[entry.pk])
    return withdrawal if withdrawal.charged else None


def pending_withdrawals(event: Event) -> list[Withdrawal]:
    """Returns the withdrawals that give something back, and did not yet."""
    return _pending(event, _withdrawn_entries(event))


def _withdrawn_entries(event: Event) -> QuerySet[Entry]:
    rows = Entry.objects.filter(tournament__event=event, withdrawn_at__isnull=False)
    return rows.select_related("player", "tournament").order_by("withdrawn_at")


def _pending(event: Event, entries: QuerySet[Entry]) -> list[Withdrawal]:
    rows = list(entries.exclude(tournament__fees={}))
    if not rows:
        return []
    withdrawals = _withdrawals(event, rows)
    keys = LedgerTransaction.objects.filter(event=event, key__in=[row.key for row in withdrawals])
    posted = set(keys.values_list("key", flat=True))
    return [row for row in withdrawals if row.back and row.key not in posted]


def give_back(event: Event, entry_id: uuid.UUID, shown: int, actor: Actor) -> None:
    """Posts what was shown, in minor units. Raises NotFound if nothing is given back, Refused if it changed since."""
    with lock_book(event.pk) as book:
        pending = _pending(event, _withdrawn_entries(event).filter(pk=entry_id))
        if not pending:
            raise NotFound
        (withdrawal,) = pending
        if withdrawal.back.minor != shown:
            raise Refused(GIVEN_BACK_CHANGED)
        deed = NewDeed(Deed.CHARGE, withdrawal.key, withdrawal.lines, entry_id)
        action = JournalEntry("charge", "entry", entry_id, after={"amount": str(-withdrawal.back)})
        record(book, [deed], action, actor)
        mark_paid_entries(book, [withdrawal.entry.player_id])


@dataclass(frozen=True, slots=True)
class KeptCharges:
    """The charges that an entry still has after its withdrawal: all, or the debt of its player, can be taken back."""

    entry: Entry
    back: tuple[Amount, ...]
    lines: tuple[TransferLine, ...]

    @property
    def shown(self) -> str:
        return ", ".join(map(str, self.back))


def kept_charges(event: Event) -> list[KeptCharges]:
    """Returns the entries that withdrew and are still charged, without those that their tier gives something back."""
    return _kept_charges(event, _withdrawn_entries(event))


def _kept_charges(event: Event, rows: QuerySet[Entry]) -> list[KeptCharges]:
    pending = [withdrawal.entry.pk for withdrawal in _pending(event, rows)]
    entries = list(rows.exclude(pk__in=pending))
    charged = charged_lines(entries)
    owed = open_amounts(event.pk, {entry.player_id for entry in entries})
    charges = [_kept(entry, charged[entry.pk], owed.get(entry.player_id, {})) for entry in entries]
    return [row for row in charges if row.back]


def take_back(event: Event, entry_id: uuid.UUID, shown: str, reason: str, actor: Actor) -> None:
    """Takes charges back as shown. Another entry of the player may then be charged the fees of the event.

    Raises NotFound if nothing is left to take back, Refused without a reason or if the amount changed since.
    """
    if not reason:
        raise Refused(TAKING_BACK_NEEDS_REASON)
    with lock_book(event.pk) as book:
        charges = _kept_charges(event, _withdrawn_entries(event).filter(pk=entry_id))
        if not charges:
            raise NotFound
        (kept,) = charges
        if kept.shown != shown:
            raise Refused(GIVEN_BACK_CHANGED)
        number = LedgerTransaction.objects.filter(entry=entry_id).count()
        deed = NewDeed(Deed.CHARGE, f"take back {entry_id} {number}", kept.lines, entry_id)
        after = {"amount": ", ".join(str(-amount) for amount in kept.back)}
        record(book, [deed], JournalEntry("charge", "entry", entry_id, after=after, reason=reason), actor)
        mark_paid_entries(book, [kept.entry.player_id])
        charge_players(event.pk, [kept.entry.player_id], actor)


def _kept(entry: Entry, charged: Lines, owed: Mapping[str, int]) -> KeptCharges:
    debts = {currency: minor for currency, minor in owed.items() if minor > 0}
    backs, transfers = list[Amount](), list[TransferLine]()
    for currency in dict.fromkeys(receiver.currency for _, receiver in charged):
        lines = [key for key, minor in charged.items() if key[1].currency == currency and minor > 0]
        total = sum(charged[key] for key in lines)
        back = min(total, debts.get(currency, 0)) if debts else total
        if back:
            parts = zip(lines, apportion(back, [charged[key] for key in lines]), strict=True)
            backs.append(Amount(back, currency))
            transfers += [_transfer(entry, line, receiver, part) for (line, receiver), part in parts if part]
    return KeptCharges(entry, tuple(backs), tuple(transfers))


def _withdrawals(event: Event, entries: Sequence[Entry]) -> list[Withdrawal]:
    charged = charged_lines(entries)
    zone = ZoneInfo(event.time_zone)
    withdrawals = []
    for entry in entries:
        schedule = schedule_of(entry.tournament)
        if schedule is not None and schedule.refunds and entry.withdrawn_at is not None:
            day = entry.withdrawn_at.astimezone(zone).date()
            withdrawals.append(_withdrawal(entry, schedule, day, charged[entry.pk]))
    return withdrawals


def _withdrawal(entry: Entry, schedule: FeeSchedule, day: date, charged: Lines) -> Withdrawal:
    lines = [
        (line, receiver, Charged(minor, parse_charge_line(line).is_registration))
        for (line, receiver), minor in charged.items()
        if receiver.currency == schedule.currency
        and not parse_charge_line(line).is_once_in_an_event
        and minor > 0
    ]
    tier, charges = tier_on(schedule.refunds, day), [charge for *_, charge in lines]
    parts = given_back(tier, charges) if tier else [0] * len(lines)
    return Withdrawal(
        entry,
        day,
        Amount(sum(charge.minor for charge in charges), schedule.currency),
        Amount(sum(parts), schedule.currency),
        tuple(
            _transfer(entry, line, receiver, part)
            for (line, receiver, _), part in zip(lines, parts, strict=True)
            if part
        ),
    )


def _transfer(entry: Entry, line: str, receiver: AccountName, minor: int) -> TransferLine:
    payer = player_account(entry.player_id, receiver.currency)
    return TransferLine(f"{line} {receiver.currency}", payer, receiver, minor)
