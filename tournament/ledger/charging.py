"""Charges entries by the fees of their tournament and of their event.

What an entry was charged is the sum of its transfers. Charging posts the difference to what it costs now, so doing it
twice changes nothing. Fees, entries and transfers are read while the book of the event is locked.
"""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.db.models import Count, QuerySet

from tournament.access.actors import Actor
from tournament.fees.amounts import Amount, exponent_of, fits_currency, sum_by_currency
from tournament.fees.charge_lines import parse_charge_line
from tournament.fees.schedule import (
    JACKPOT_POT,
    Charge,
    Condition,
    EntryFacts,
    EventFees,
    FeeSchedule,
    Target,
    charges_of,
    event_charges,
)
from tournament.fees.stored import parse_event_fees, parse_schedule
from tournament.ledger.accounts import AccountName, name_of, player_account, pot_account
from tournament.ledger.balances import IS_CHARGE
from tournament.ledger.paid_marks import mark_paid_entries
from tournament.ledger.recording import Book, NewDeed, TransferLine, lock_book, record
from tournament.live.journal import JournalEntry
from tournament.models import (
    AccountKind,
    CalcuttaLot,
    Deed,
    Draw,
    Entry,
    Event,
    JackpotSeat,
    LedgerTransaction,
    Tournament,
    Transfer,
)
from tournament.refusals.money import PRICE_HAS_DECIMALS
from tournament.runtime.errors import Refused
from tournament.runtime.event_lock import lock_event

Lines = Counter[tuple[str, AccountName]]
"""Minor units by line and by the account that receives them."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The transfers that bring the charges of an entry to its price."""

    entry: Entry
    lines: tuple[TransferLine, ...]

    @property
    def amounts(self) -> list[Amount]:
        """The additional charge of the player in each currency."""
        return sum_by_currency(
            Amount(
                line.minor if line.target.kind == AccountKind.PLAYER else -line.minor, line.target.currency
            )
            for line in self.lines
        )


@dataclass(frozen=True, slots=True)
class EventPrices:
    """The fees of an event and of each of its tournaments that has some, by its id."""

    event: EventFees | None
    tournaments: Mapping[uuid.UUID, FeeSchedule]
    zone: ZoneInfo

    def __bool__(self) -> bool:
        return self.event is not None or bool(self.tournaments)

    @property
    def pool_names(self) -> dict[tuple[uuid.UUID | None, str], str]:
        """The names of side pools by tournament and key."""
        return {
            (tournament_id, key): name
            for tournament_id, schedule in self.tournaments.items()
            for key, name in schedule.pool_names.items()
        }

    def with_schedule(self, tournament_id: uuid.UUID, schedule: FeeSchedule) -> EventPrices:
        return replace(self, tournaments={**self.tournaments, tournament_id: schedule})


def schedule_of(tournament: Tournament) -> FeeSchedule | None:
    return parse_schedule(tournament.fees)


def prices_of(event_id: uuid.UUID) -> EventPrices:
    rows = Tournament.with_deleted.filter(event=event_id).exclude(fees={}).values_list("pk", "fees")
    schedules = {pk: parse_schedule(fees) for pk, fees in rows}
    fees, time_zone = Event.with_deleted.values_list("fees", "time_zone").get(pk=event_id)
    return EventPrices(
        parse_event_fees(fees),
        {pk: schedule for pk, schedule in schedules.items() if schedule is not None},
        ZoneInfo(time_zone),
    )


def reentry_price(entry: Entry) -> Amount | None:
    """The price of the next entry of this player without side pools; None if the tournament has no fees."""
    schedule = schedule_of(entry.tournament)
    if schedule is None:
        return None
    facts = EntryFacts(entry.number + 1, _conditions_of(entry))
    return Amount(sum(charge.minor for charge in charges_of(schedule, facts)), schedule.currency)


def late_price(tournament: Tournament) -> Amount | None:
    """The usual price of a new entry after the draw, without side pools and fees of the event; None without fees."""
    schedule = schedule_of(tournament)
    if schedule is None:
        return None
    charges = charges_of(schedule, EntryFacts(is_late=True))
    return Amount(sum(charge.minor for charge in charges), schedule.currency)


def event_registration(event: Event) -> Amount | None:
    """The usual price that each player pays once in the event; None without one."""
    fees = parse_event_fees(event.fees)
    return Amount(fees.registration.price, fees.currency) if fees and fees.registration.price else None


def lock_fees(tournament: Tournament) -> None:
    """Locks the book of a locked tournament, and reads the fees of its event again.

    Deeds that charge call it before they write rows of entries or players: a till writes those rows under this lock.
    """
    tournament.event = lock_event(tournament.event_id)


def chargeable_entries(event_id: uuid.UUID) -> QuerySet[Entry]:
    """The entries of an event that pay by its fees. Entries that withdrew, and removed players, keep their charges."""
    rows = Entry.objects.filter(tournament__event=event_id, tournament__deleted_at__isnull=True)
    rows = rows.filter(withdrawn_at__isnull=True, player__removed_at__isnull=True)
    return rows.select_related("player").order_by("entered_at", "pk")


def charge_players(event_id: uuid.UUID, players: Collection[uuid.UUID], actor: Actor) -> list[Difference]:
    """Posts what the entries of these players cost and were not charged yet."""
    with lock_book(event_id) as book:
        prices = prices_of(event_id)
        entries = list(chargeable_entries(event_id).filter(player__in=players))
        if not prices and not LedgerTransaction.objects.filter(entry__in=entries, deed=Deed.CHARGE).exists():
            return []
        return _post(book, differences_of(prices, entries), players, actor)


def cancel_charges(entries: Sequence[Entry], actor: Actor) -> None:
    """Posts the opposite of what these entries of one event were charged. Their players are loaded."""
    if not entries:
        return
    with lock_book(entries[0].player.event_id) as book:
        charged = charged_lines(entries)
        differences = [
            Difference(entry, lines)
            for entry in entries
            if (lines := tuple(_lines(entry, Counter(), charged[entry.pk])))
        ]
        if differences:
            _post(book, differences, [entry.player_id for entry in entries], actor)


def move_charges(book: Book, entries: Sequence[Entry], player_id: uuid.UUID, actor: Actor) -> None:
    """Gives these entries to another player of the event, who is charged what the former player was charged for them.

    Their players are loaded. The caller charges both players afterwards what is due once in the event.
    """
    charged = charged_lines(entries)
    once = {
        key
        for lines in charged_lines(list(Entry.objects.filter(player=player_id))).values()
        for key, minor in lines.items()
        if minor > 0 and parse_charge_line(key[0]).is_once_in_an_event
    }
    cancel_charges(entries, actor)
    for entry in entries:
        entry.player_id = player_id
        if entry.is_withdrawn:  # is not charged again
            charged[entry.pk] = Counter(
                {key: minor for key, minor in charged[entry.pk].items() if key not in once}
            )
    Entry.objects.bulk_update(entries, ["player"])
    differences = [
        Difference(entry, lines)
        for entry in entries
        if (lines := tuple(_lines(entry, charged[entry.pk], Counter())))
    ]
    _post(book, differences, [player_id], actor)


def are_charged(tournament: Tournament) -> bool:
    """True if an entry was charged anything that was not taken back, or if a lot of the auction is sold."""
    if CalcuttaLot.objects.filter(calcutta__tournament=tournament, sold_at__isnull=False).exists():
        return True
    charged = charged_lines(list(Entry.objects.filter(tournament=tournament)))
    return any(minor for lines in charged.values() for minor in lines.values())


def _post(
    book: Book, differences: Sequence[Difference], players: Collection[uuid.UUID], actor: Actor
) -> list[Difference]:
    revisions = _numbers_of_transactions([difference.entry for difference in differences])
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
        record(book, deeds, _action(book.event, differences), actor)
    mark_paid_entries(book, set(players))
    return list(differences)


def _action(event: Event, differences: Sequence[Difference]) -> JournalEntry:
    """One line about one entry, or about all of them together."""
    amounts = sum_by_currency(amount for difference in differences for amount in difference.amounts)
    after = {"amount": ", ".join(map(str, amounts))}
    tournaments = {difference.entry.tournament_id for difference in differences}
    if len(differences) == 1:
        return JournalEntry("charge", "entry", differences[0].entry.pk, after=after)
    kind, pk = ("tournament", tournaments.pop()) if len(tournaments) == 1 else ("event", event.pk)
    return JournalEntry("charge", kind, pk, after=after | {"entries": len(differences)})


def differences_of(prices: EventPrices, entries: Sequence[Entry]) -> list[Difference]:
    """The differences that charging these entries would post. The player of each entry is loaded."""
    charged = charged_lines(entries)
    drawn_at = _drawn_at(entries)
    kept_pools = _kept_pools(prices, entries)
    first_entries = _first_entries(entries) if prices.event else set()
    stakes = _jackpot_stakes(entries)
    differences = []
    for entry in entries:
        schedule, facts = (
            prices.tournaments.get(entry.tournament_id),
            EntryFacts(entry.number, _conditions_of(entry)),
        )
        due = _due_in_event(prices, entry, facts) if entry.pk in first_entries else Lines()
        if schedule is not None:
            pools = frozenset(entry.pools) & schedule.pool_names.keys() - kept_pools[entry.pk]
            is_late = _is_late(schedule, entry, drawn_at.get(entry.tournament_id), prices.zone)
            due.update(_due(schedule, entry, replace(facts, pools=pools, is_late=is_late)))
            due.update(_stakes_due(schedule, entry, stakes[entry.pk]))
        lines = tuple(_lines(entry, due, charged[entry.pk]))
        if lines:
            differences.append(Difference(entry, lines))
    return differences


def _due_in_event(prices: EventPrices, entry: Entry, facts: EntryFacts) -> Lines:
    if prices.event is None:
        return Lines()
    return _lines_of(entry, prices.event.currency, event_charges(prices.event, facts))


def _due(schedule: FeeSchedule, entry: Entry, facts: EntryFacts) -> Lines:
    return _lines_of(entry, schedule.currency, charges_of(schedule, facts))


def _lines_of(entry: Entry, currency: str, charges: Iterable[Charge]) -> Lines:
    due = Lines()
    for charge in charges:
        due[charge.line, _receiver(entry.tournament_id, currency, charge)] += charge.minor
    return due


def _is_late(schedule: FeeSchedule, entry: Entry, drawn_at: datetime | None, zone: ZoneInfo) -> bool:
    is_after_draw = drawn_at is not None and entry.entered_at > drawn_at
    last_day = schedule.late_after
    return is_after_draw or (last_day is not None and entry.entered_at.astimezone(zone).date() > last_day)


def _kept_pools(prices: EventPrices, entries: Sequence[Entry]) -> Mapping[uuid.UUID, frozenset[str]]:
    """The side pools that each re-entry keeps from the earlier entries of its player."""
    kept = {pk: schedule.kept_pools for pk, schedule in prices.tournaments.items() if schedule.kept_pools}
    again = [entry for entry in entries if entry.number > 1 and entry.tournament_id in kept]
    joined: dict[tuple[uuid.UUID, uuid.UUID], list[Entry]] = defaultdict(list)
    if again:
        players = {entry.player_id for entry in again}
        for row in Entry.objects.filter(player__in=players, tournament__in=kept).exclude(pools=[]):
            joined[row.tournament_id, row.player_id].append(row)
    pools: dict[uuid.UUID, frozenset[str]] = defaultdict(frozenset)
    for entry in again:
        for row in joined[entry.tournament_id, entry.player_id]:
            if row.number < entry.number:
                pools[entry.pk] |= kept[entry.tournament_id].intersection(row.pools)
    return pools


def _conditions_of(entry: Entry) -> frozenset[Condition]:
    return frozenset(Condition(name) for name in entry.player.conditions)


def _jackpot_stakes(entries: Sequence[Entry]) -> dict[uuid.UUID, list[tuple[int, Decimal]]]:
    """The numbers and prices of the jackpots that each entry joined. A jackpot that did not fill costs nothing."""
    seats = JackpotSeat.objects.filter(entry__in=entries, jackpot__price__gt=0)
    seats = seats.exclude(jackpot__closed_at__isnull=False, jackpot__bracket__isnull=True)
    stakes: dict[uuid.UUID, list[tuple[int, Decimal]]] = defaultdict(list)
    for entry, number, price in seats.values_list("entry", "jackpot__number", "jackpot__price"):
        if price is not None:
            stakes[entry].append((number, price))
    return stakes


def _stakes_due(schedule: FeeSchedule, entry: Entry, stakes: Sequence[tuple[int, Decimal]]) -> Lines:
    due, currency = Lines(), schedule.currency
    for number, price in stakes:
        key, minor = f"{JACKPOT_POT}{number}", int(price.scaleb(exponent_of(currency)))
        part = schedule.jackpot_share.of(minor) if schedule.jackpot_share else 0
        due[key, pot_account(entry.tournament_id, key, currency)] = minor - part
        due[f"{key} share 1", AccountName(AccountKind.REGISTRATION, currency)] = part
    return due


def refuse_uneven_price(schedule: FeeSchedule | None, prices: Iterable[Decimal | None]) -> None:
    """Raises Refused for a price of a jackpot with more decimals than the currency of the fees."""
    for price in prices:
        if schedule and price and not fits_currency(price, schedule.currency):
            raise Refused(PRICE_HAS_DECIMALS, price=price, currency=schedule.currency)


def _receiver(tournament_id: uuid.UUID, currency: str, charge: Charge) -> AccountName:
    if charge.target is Target.POT:
        return pot_account(tournament_id, charge.pot, currency)
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


def charged_lines(entries: Sequence[Entry]) -> dict[uuid.UUID | None, Lines]:
    """The charges of each entry, by the transfers of its transactions."""
    charged: dict[uuid.UUID | None, Lines] = defaultdict(Counter)
    transfers = Transfer.objects.filter(IS_CHARGE, transaction__entry__in=entries)
    for transfer in transfers.select_related("transaction", "source", "target"):
        entry_id = transfer.transaction.entry_id
        line = transfer.line.rpartition(" ")[0]
        if transfer.target.kind == AccountKind.PLAYER:
            charged[entry_id][line, name_of(transfer.source)] += transfer.amount
        else:
            charged[entry_id][line, name_of(transfer.target)] -= transfer.amount
    return charged


def _drawn_at(entries: Sequence[Entry]) -> dict[uuid.UUID, datetime]:
    tournaments = {entry.tournament_id for entry in entries}
    draws = Draw.objects.filter(tournament__in=tournaments, replaced_at__isnull=True)
    return dict(draws.values_list("tournament", "made_at"))


def _first_entries(entries: Sequence[Entry]) -> set[uuid.UUID]:
    """Entries that pay the fees of the event: the one charged with them, else the first that did not withdraw."""
    players = {entry.player_id for entry in entries}
    rows = Entry.objects.filter(player__in=players, tournament__deleted_at__isnull=True)
    rows_by_time = list(rows.order_by("entered_at", "pk"))
    payers = {
        pk
        for pk, lines in charged_lines(rows_by_time).items()
        if any(minor > 0 for (line, _), minor in lines.items() if parse_charge_line(line).is_once_in_an_event)
    }
    first: dict[uuid.UUID, uuid.UUID] = {}
    for entry in sorted(rows_by_time, key=lambda entry: entry.pk not in payers):
        if entry.pk in payers or not entry.is_withdrawn:
            first.setdefault(entry.player_id, entry.pk)
    return set(first.values())


def _numbers_of_transactions(entries: Sequence[Entry]) -> Counter[uuid.UUID]:
    rows = LedgerTransaction.objects.filter(entry__in=entries).order_by()
    return Counter(dict(rows.values_list("entry").annotate(Count("pk"))))
