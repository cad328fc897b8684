"""Refunds and waives what entries that withdrew were charged.

A withdrawal changes no money: the cash desk sees the refund by the tiers of the tournament's fees, and posts it.
Undoing the withdrawal charges the entry again.
"""

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.fees.amounts import Amount, apportion, sum_by_currency
from tournament.fees.charge_lines import EVENT_REGISTRATION, parse_charge_line
from tournament.fees.refunds import Charged, refund_amounts, tier_on
from tournament.fees.schedule import FeeSchedule
from tournament.ledger.accounts import AccountName, player_account
from tournament.ledger.balances import open_amounts
from tournament.ledger.charging import Lines, charge_players, charged_lines, schedule_of
from tournament.ledger.paid_marks import mark_paid_entries
from tournament.ledger.recording import NewDeed, TransferLine, lock_book, record
from tournament.live.journal import JournalEntry
from tournament.models import Deed, Entry, Event, LedgerTransaction
from tournament.refusals.money import CHARGE_HAS_CHANGED, REFUND_CHANGED, WAIVING_NEEDS_REASON
from tournament.runtime.errors import NotFound, Refused


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """An entry that withdrew, what it was charged, and its refund by the tier of that day.

    `event_registration`: what it was charged for the registration of the event, which no tier gives back.
    """

    entry: Entry
    day: date
    charged: Amount
    refund: Amount
    lines: tuple[TransferLine, ...]
    event_registration: tuple[Amount, ...] = ()

    @property
    def kept(self) -> Amount:
        return self.charged - self.refund

    @property
    def key(self) -> str:
        """The natural key of the refund: one for each withdrawal."""
        return f"withdrawal {self.entry.pk} {self.entry.withdrawn_at and self.entry.withdrawn_at.isoformat()}"


def withdrawal_today(entry: Entry) -> Withdrawal | None:
    """Returns the refund of the entry if it withdrew now; None without charges by fees of the tournament.

    Its tournament and event are loaded.
    """
    schedule = schedule_of(entry.tournament)
    if schedule is None:
        return None
    day = timezone.localdate(timezone=ZoneInfo(entry.tournament.event.time_zone))
    kept_pools = _kept_pools([entry])[entry.pk]
    withdrawal = _withdrawal(entry, schedule, day, charged_lines([entry])[entry.pk], kept_pools)
    return withdrawal if withdrawal.charged else None


def pending_withdrawals(event: Event) -> list[Withdrawal]:
    """Returns the withdrawals with a refund that is not posted."""
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
    return [row for row in withdrawals if row.refund and row.key not in posted]


def refund_withdrawal(event: Event, entry_id: uuid.UUID, expected: int, actor: Actor) -> None:
    """Posts the refund shown, in minor units. Raises NotFound for an entry that did not withdraw, Refused if the refund
    changed since or is posted already.
    """
    with lock_book(event.pk) as book:
        rows = _withdrawn_entries(event).filter(pk=entry_id)
        pending = _pending(event, rows)
        if not pending:
            raise Refused(CHARGE_HAS_CHANGED) if rows else NotFound
        (withdrawal,) = pending
        if withdrawal.refund.minor != expected:
            raise Refused(REFUND_CHANGED)
        deed = NewDeed(Deed.CHARGE, withdrawal.key, withdrawal.lines, entry_id)
        action = JournalEntry("charge", "entry", entry_id, after={"amount": str(-withdrawal.refund)})
        record(book, [deed], action, actor)
        mark_paid_entries(book, [withdrawal.entry.player_id])


@dataclass(frozen=True, slots=True)
class RemainingCharges:
    """The charges that an entry still has after its withdrawal, which the desk can waive: all, or the player's debt.

    `is_owed`: the player has a debt.
    """

    entry: Entry
    amounts: tuple[Amount, ...]
    lines: tuple[TransferLine, ...]
    is_owed: bool

    @property
    def revision(self) -> str:
        return ", ".join(map(str, self.amounts))


def remaining_charges(event: Event) -> list[RemainingCharges]:
    """Returns the entries that withdrew and are still charged, without those whose refund is not posted."""
    return _remaining_charges(event, _withdrawn_entries(event))


def _remaining_charges(event: Event, rows: QuerySet[Entry]) -> list[RemainingCharges]:
    pending = [withdrawal.entry.pk for withdrawal in _pending(event, rows)]
    entries = list(rows.exclude(pk__in=pending))
    charged = charged_lines(entries)
    owed = open_amounts(event.pk, {entry.player_id for entry in entries})
    charges = [_remaining(entry, charged[entry.pk], owed.get(entry.player_id, {})) for entry in entries]
    return [row for row in charges if row.amounts]


def waive_charges(event: Event, entry_id: uuid.UUID, revision: str, reason: str, actor: Actor) -> None:
    """Waives charges as shown. Another entry of the player may then be charged the fees of the event.

    Raises NotFound for an entry that did not withdraw, Refused without a reason and if the amount changed since or
    nothing is charged.
    """
    if not reason:
        raise Refused(WAIVING_NEEDS_REASON)
    with lock_book(event.pk) as book:
        rows = _withdrawn_entries(event).filter(pk=entry_id)
        charges = _remaining_charges(event, rows)
        if not charges:
            raise Refused(CHARGE_HAS_CHANGED) if rows else NotFound
        (remaining,) = charges
        if remaining.revision != revision:
            raise Refused(REFUND_CHANGED)
        number = LedgerTransaction.objects.filter(entry=entry_id).count()
        deed = NewDeed(Deed.CHARGE, f"take back {entry_id} {number}", remaining.lines, entry_id)
        after = {"amount": ", ".join(str(-amount) for amount in remaining.amounts)}
        record(book, [deed], JournalEntry("charge", "entry", entry_id, after=after, reason=reason), actor)
        mark_paid_entries(book, [remaining.entry.player_id])
        charge_players(event.pk, [remaining.entry.player_id], actor)


def _remaining(entry: Entry, charged: Lines, owed: Mapping[str, int]) -> RemainingCharges:
    debts = {currency: minor for currency, minor in owed.items() if minor > 0}
    amounts, transfers = list[Amount](), list[TransferLine]()
    for currency in dict.fromkeys(receiver.currency for _, receiver in charged):
        lines = [key for key, minor in charged.items() if key[1].currency == currency and minor > 0]
        total = sum(charged[key] for key in lines)
        waived = min(total, debts.get(currency, 0)) if debts else total
        if waived:
            parts = zip(lines, apportion(waived, [charged[key] for key in lines]), strict=True)
            amounts.append(Amount(waived, currency))
            transfers += [_transfer(entry, line, receiver, part) for (line, receiver), part in parts if part]
    return RemainingCharges(entry, tuple(amounts), tuple(transfers), bool(debts))


def _withdrawals(event: Event, entries: Sequence[Entry]) -> list[Withdrawal]:
    charged, kept_pools = charged_lines(entries), _kept_pools(entries)
    zone = ZoneInfo(event.time_zone)
    withdrawals = []
    for entry in entries:
        schedule = schedule_of(entry.tournament)
        if schedule is not None and schedule.refunds and entry.withdrawn_at is not None:
            day = entry.withdrawn_at.astimezone(zone).date()
            lines, pools = charged[entry.pk], kept_pools[entry.pk]
            withdrawals.append(_withdrawal(entry, schedule, day, lines, pools))
    return withdrawals


def _kept_pools(entries: Sequence[Entry]) -> dict[uuid.UUID, frozenset[str]]:
    """The side pools in which the player of each entry still plays with a re-entry: their fees are not given back."""
    schedules = {entry.tournament_id: schedule_of(entry.tournament) for entry in entries}
    kept = {pk: row.kept_pools for pk, row in schedules.items() if row is not None and row.kept_pools}
    players = {entry.player_id for entry in entries}
    rows = Entry.objects.filter(tournament__in=kept, player__in=players, withdrawn_at__isnull=True)
    in_order = rows.order_by("number").values_list("tournament", "player", "number")
    last = {(tournament, player): number for tournament, player, number in in_order}
    return {
        entry.pk: kept[entry.tournament_id]
        if last.get((entry.tournament_id, entry.player_id), 0) > entry.number
        else frozenset()
        for entry in entries
    }


def _withdrawal(
    entry: Entry, schedule: FeeSchedule, day: date, charged: Lines, kept_pools: Collection[str]
) -> Withdrawal:
    lines = [
        (line, receiver, Charged(minor, parse_charge_line(line).is_registration))
        for (line, receiver), minor in charged.items()
        if receiver.currency == schedule.currency
        and not parse_charge_line(line).is_once_in_an_event
        and parse_charge_line(line).pool not in kept_pools
        and minor > 0
    ]
    tier, charges = tier_on(schedule.refunds, day), [charge for *_, charge in lines]
    parts = refund_amounts(tier, charges) if tier else [0] * len(lines)
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
        tuple(
            sum_by_currency(
                Amount(minor, receiver.currency)
                for (line, receiver), minor in charged.items()
                if parse_charge_line(line).fee == EVENT_REGISTRATION and minor > 0
            )
        ),
    )


def _transfer(entry: Entry, line: str, receiver: AccountName, minor: int) -> TransferLine:
    payer = player_account(entry.player_id, receiver.currency)
    return TransferLine(f"{line} {receiver.currency}", payer, receiver, minor)
