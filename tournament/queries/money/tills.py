"""Tills of an event, what should be in them, and who counted them. Reads only."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db.models import F, Max, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.fees.amounts import Amount
from tournament.ledger.balances import balances_of
from tournament.models import (
    AccountKind,
    CashClosing,
    Deed,
    Event,
    LedgerAccount,
    LedgerTransaction,
    Transfer,
)
from tournament.models.ledger import ORGANIZER_TILL
from tournament.money.tills import tills_of
from tournament.runtime.errors import NotFound


@dataclass(frozen=True, slots=True)
class Till:
    """The cash of one currency in one till. `opened` is the last count, None before the first.

    `came_in` and `went_out` moved since then, or since the start of the event.
    """

    name: str
    holder: str
    balance: Amount
    came_in: Amount
    went_out: Amount
    last_transfer: int
    opened: CashClosing | None

    @property
    def currency(self) -> str:
        return self.balance.currency

    @property
    def is_counted(self) -> bool:
        """True if nothing moved since the last count."""
        return self.opened is not None and not self.came_in and not self.went_out

    @property
    def may_be_counted(self) -> bool:
        return self.name != ORGANIZER_TILL or self.balance.minor >= 0

    @property
    def opening(self) -> Amount:
        return Amount(self.opened.counted if self.opened else 0, self.currency)


@dataclass(frozen=True, slots=True)
class Closing:
    """A count with its amounts. `pieces` are the value, the number and the sum of each note and coin.

    `undone_because`: the reason for which the count was taken back, else empty.
    """

    row: CashClosing
    holder: str
    by: str
    expected: Amount
    counted: Amount
    pieces: tuple[tuple[Amount, int, Amount], ...]
    local_day: date
    undone_because: str = ""

    @property
    def difference(self) -> Amount:
        return self.counted - self.expected

    @property
    def other(self) -> Amount:
        """The part of the count without notes and coins."""
        return Amount(
            self.counted.minor - sum(total.minor for _value, _number, total in self.pieces),
            self.counted.currency,
        )


class CountedPeriod(NamedTuple):
    """The cash at the last count or the start, and what moved from then to a count."""

    opening: Amount
    came_in: Amount
    went_out: Amount


class Moved(NamedTuple):
    """Minor units that came into an account or left it, and the id of its last transfer on that side."""

    minor: int
    last_transfer: int


NOTHING = Moved(0, 0)
RELATED = ("account", "journal_line__user", "taken_back")


@dataclass(frozen=True, slots=True)
class RecordedHandover:
    id: int
    at: datetime
    source: str
    target: str
    amount: Amount


def list_tills(event: Event, names: Mapping[str, str] | None = None) -> list[Till]:
    """Returns the tills that were used, by holder and currency. `names`: the `holders`, if the caller has them."""
    accounts = LedgerAccount.objects.filter(event=event, kind=AccountKind.CASH)
    names = names or holders(event)
    closings = _last_closings(accounts)
    balances = balances_of(accounts)
    came_in, went_out = _moved_since_count(accounts, "target"), _moved_since_count(accounts, "source")
    tills = [
        Till(
            account.name,
            names.get(account.name, account.name),
            Amount(balances.get(account.pk, 0), account.currency),
            Amount(came_in.get(account.pk, NOTHING).minor, account.currency),
            Amount(went_out.get(account.pk, NOTHING).minor, account.currency),
            max(moved.get(account.pk, NOTHING).last_transfer for moved in (came_in, went_out)),
            closings.get(account.pk),
        )
        for account in accounts
    ]
    return sorted(
        tills, key=lambda till: (till.name == ORGANIZER_TILL, till.holder.casefold(), till.currency)
    )


def missing_cash(event: Event, till: str) -> list[Amount]:
    """The amounts that the till gave out without holding them, one for each currency."""
    accounts = LedgerAccount.objects.filter(event=event, kind=AccountKind.CASH, name=till)
    balances = balances_of(accounts)
    rows = [(account.currency, balances.get(account.pk, 0)) for account in accounts]
    return [Amount(-minor, currency) for currency, minor in sorted(rows) if minor < 0]


def find_till(event: Event, name: str, currency: str) -> Till:
    """Raises NotFound for a till that never held this currency."""
    for till in list_tills(event):
        if (till.name, till.currency) == (name, currency):
            return till
    raise NotFound


def holders(event: Event) -> dict[str, str]:
    """The holder of each till of the event: a user, the organizer, or the desk."""
    tills = tills_of(event)
    users = User.objects.filter(pk__in=[int(till) for till in tills if till.isdecimal()])
    names = {str(pk): name for pk, name in users.values_list("pk", "username")}
    names |= {ORGANIZER_TILL: _("Organizer's cash box"), "": _("Cash box")}
    return {till: names.get(till, _("Former helper")) for till in tills}


def other_till_of(event: Event, reversal: LedgerTransaction, own_till: str) -> str:
    """Names the till of somebody else whose cash this reversal of a payment or payout changed; empty for no other."""
    transfers = reversal.transfers.select_related("source", "target")
    accounts = [account for row in transfers for account in (row.source, row.target)]
    others = {account.name for account in accounts if account.kind == AccountKind.CASH} - {own_till}
    names = holders(event)
    return " ".join(
        _("The cash was in the till of {name}. Inform {name}.").format(
            name=names.get(till, _("Former helper"))
        )
        for till in sorted(others)
    )


@dataclass(frozen=True, slots=True)
class MovedCash:
    """Cash of a payment or payout. `counted`: the count of its till since then, None without one."""

    amount: Amount
    holder: str
    is_of_another: bool
    counted: CashClosing | None


def cash_to_ask_about(event: Event, transaction_id: int, own_till: str) -> MovedCash | None:
    """Returns the cash of a deed if it is in the till of somebody else or was counted since; None otherwise."""
    is_cash = Q(source__kind=AccountKind.CASH) | Q(target__kind=AccountKind.CASH)
    rows = Transfer.objects.filter(
        is_cash,
        transaction__pk=transaction_id,
        transaction__event=event,
        transaction__deed__in=(Deed.PAYMENT, Deed.REFUND, Deed.PAYOUT),
        transaction__reversed_by__isnull=True,
    )
    row = rows.select_related("source", "target").first()
    if row is None:
        return None
    till = row.source if row.source.kind == AccountKind.CASH else row.target
    counts = CashClosing.objects.filter(account=till, last_transfer__gte=row.pk, taken_back__isnull=True)
    counted = counts.order_by("pk").last()
    is_of_another = till.name != own_till
    if not is_of_another and counted is None:
        return None
    holder = holders(event).get(till.name, _("Former helper"))
    return MovedCash(Amount(row.amount, till.currency), holder, is_of_another, counted)


def _last_closings(accounts: Iterable[LedgerAccount]) -> dict[str, CashClosing]:
    rows = CashClosing.objects.filter(account__in=accounts, taken_back__isnull=True).order_by("pk")
    return {row.account_id: row for row in rows}


def _moved_since_count(accounts: QuerySet[LedgerAccount], side: str) -> dict[str, Moved]:
    """The amounts that one side of the transfers moved since the last count of each account, without its difference.

    Deeds that were recorded and taken back since the count are left out.
    """
    count = CashClosing.objects.filter(account=OuterRef(side), taken_back__isnull=True).order_by("-pk")
    rows = Transfer.objects.filter(**{f"{side}__in": accounts}).order_by()
    reversed_transfers = Transfer.objects.filter(transaction=OuterRef("transaction__reverses")).order_by("pk")
    rows = rows.alias(
        reversed_transfer=Coalesce(Subquery(reversed_transfers.values("pk")[:1]), 0),
        counted=Coalesce(Subquery(count.values("last_transfer")[:1]), 0),
        difference=Coalesce(Subquery(count.values("difference")[:1]), 0),
    )
    is_new = (
        Q(pk__gt=F("counted"), transaction__reversed_by__isnull=True)
        & Q(reversed_transfer__lte=F("counted"))
        & ~Q(transaction=F("difference"))
    )
    sums = rows.values_list(side).annotate(minor=Sum("amount", filter=is_new, default=0), last=Max("pk"))
    return {pk: Moved(minor, last) for pk, minor, last in sums}


def list_closings(event: Event, names: Mapping[str, str] | None = None) -> list[Closing]:
    """Returns all counts of the event, newest first, with those that were taken back."""
    rows = CashClosing.objects.filter(event=event).select_related(*RELATED)
    names, zone = names or holders(event), ZoneInfo(event.time_zone)
    return [_closing(row, names, zone) for row in rows]


def find_closing(event: Event, pk: int) -> Closing:
    """Raises NotFound for a count of another event."""
    rows = CashClosing.objects.filter(event=event).select_related(*RELATED)
    row = rows.filter(pk=pk).first()
    if row is None:
        raise NotFound
    return _closing(row, holders(event), ZoneInfo(event.time_zone))


def period_of(closing: Closing) -> CountedPeriod:
    """Deeds that were recorded and taken back between the two counts are left out."""
    row = closing.row
    earlier = CashClosing.objects.filter(account=row.account_id, pk__lt=row.pk, taken_back__isnull=True)
    last = earlier.order_by("pk").last()
    after = last.last_transfer_id if last is not None else 0

    def moved(side: str) -> Amount:
        rows = Transfer.objects.filter(**{side: row.account_id}, pk__gt=after, pk__lte=row.last_transfer_id)
        if last is not None and last.difference_id is not None:
            rows = rows.exclude(transaction=last.difference_id)
        rows = rows.exclude(transaction__reversed_by__transfers__pk__lte=row.last_transfer_id)
        rows = rows.exclude(transaction__reverses__transfers__pk__gt=after)
        return Amount(rows.aggregate(minor=Sum("amount", default=0))["minor"], row.account.currency)

    opening = Amount(last.counted if last is not None else 0, row.account.currency)
    return CountedPeriod(opening, moved("target"), moved("source"))


def _closing(row: CashClosing, names: Mapping[str, str], zone: ZoneInfo) -> Closing:
    currency, user = row.account.currency, row.journal_line.user
    return Closing(
        row,
        names.get(row.account.name, ""),
        user.get_username() if user else "",
        Amount(row.expected, currency),
        Amount(row.counted, currency),
        tuple(
            (Amount(unit, currency), number, Amount(unit * number, currency)) for unit, number in row.pieces
        ),
        timezone.localtime(row.at, zone).date(),
        row.taken_back.reason if row.taken_back else "",
    )


@dataclass(frozen=True, slots=True)
class RecordedOwnCash:
    """Cash put into the organizer's cash box; taken out if negative."""

    id: int
    at: datetime
    amount: Amount
    reason: str


def last_own_cash(event: Event, most: int = 10) -> list[RecordedOwnCash]:
    """Returns the last cash put in or taken out that was not taken back, newest first."""
    rows = Transfer.objects.filter(
        transaction__event=event,
        transaction__deed=Deed.OWN_CASH,
        transaction__reversed_by__isnull=True,
    ).select_related("transaction__journal_line", "target")
    return [
        RecordedOwnCash(
            row.transaction_id,
            row.transaction.at,
            Amount(row.amount if row.target.kind == AccountKind.CASH else -row.amount, row.target.currency),
            row.transaction.journal_line.reason,
        )
        for row in rows.order_by("-pk")[:most]
    ]


def last_handovers(
    event: Event, most: int = 10, names: Mapping[str, str] | None = None
) -> list[RecordedHandover]:
    """Returns the last handovers that were not taken back, newest first."""
    rows = Transfer.objects.filter(
        transaction__event=event,
        transaction__deed=Deed.HANDOVER,
        transaction__reversed_by__isnull=True,
    ).select_related("transaction", "source", "target")
    names = names or holders(event)
    return [
        RecordedHandover(
            row.transaction_id,
            row.transaction.at,
            names.get(row.source.name, ""),
            names.get(row.target.name, ""),
            Amount(row.amount, row.source.currency),
        )
        for row in rows.order_by("-pk")[:most]
    ]
