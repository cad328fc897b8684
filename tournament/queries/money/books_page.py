"""Where the money of an event is, by currency: boxes, pots and incomes, with what each is made of. Reads only."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Sum
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.fees.amounts import Amount
from tournament.ledger.labels import BookLabels
from tournament.models import PAYMENT_METHODS, AccountKind, Event, LedgerAccount, Transfer
from tournament.queries.money.tills import holders

INCOMES = (AccountKind.REGISTRATION, AccountKind.FEDERATION, AccountKind.MEMBERSHIP, AccountKind.YEARLY_POT)
PARTS: Mapping[str, Promise] = {
    "registration": _("Registration"),
    "event": _("Registration"),
    "late": _("Late fees"),
    "membership": _("Memberships"),
    "entry share": _("Share of entry fees"),
    "pool share": _("Share of side pools"),
    "jackpot share": _("Share of jackpots"),
    "pool registration": _("Registration of side pools"),
    "added": _("Added to prizes"),
    "series": _("Set aside from prizes"),
}
"""Parts of incomes, by the words of a line without its numbers."""


@dataclass(frozen=True, slots=True)
class BookLine:
    """An account with what it holds. `parts` explain an income; empty if it has only one."""

    label: str
    amount: Amount
    parts: tuple[tuple[str, Amount], ...] = ()


@dataclass(frozen=True, slots=True)
class BooksOfCurrency:
    """The accounts of a currency. Boxes and debts together equal pots, incomes, claims and others.

    `debts` are what players owe, `claims` what players may claim; both are positive.
    """

    currency: str
    boxes: tuple[BookLine, ...]
    debts: Amount
    claims: Amount
    pots: tuple[BookLine, ...]
    incomes: tuple[BookLine, ...]
    others: tuple[BookLine, ...]

    @property
    def total(self) -> Amount:
        """The boxes and debts together."""
        return sum((line.amount for line in self.boxes), start=self.debts)


def books_of(event: Event) -> list[BooksOfCurrency]:
    accounts = LedgerAccount.objects.filter(event=event).select_related("player", "tournament").order_by("pk")
    lines, names = _lines_by_account(event), holders(event)
    by_currency: dict[str, list[LedgerAccount]] = defaultdict(list)
    for account in accounts:
        by_currency[account.currency].append(account)
    return [_books(currency, rows, lines, names) for currency, rows in sorted(by_currency.items())]


def _lines_by_account(event: Event) -> dict[str, Counter[str]]:
    """Debits minus credits of each account by line."""
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for side, sign in (("target", 1), ("source", -1)):
        rows = Transfer.objects.filter(transaction__event=event).order_by()
        for account, line, minor in rows.values_list(side, "line").annotate(Sum("amount")):
            sums[account][line] += sign * minor
    return sums


def _books(
    currency: str,
    accounts: list[LedgerAccount],
    lines: Mapping[str, Counter[str]],
    names: Mapping[str, str],
) -> BooksOfCurrency:
    def part(kinds: tuple[AccountKind, ...], sign: int) -> tuple[BookLine, ...]:
        rows = [account for account in accounts if account.kind in kinds]
        part_lines = (_line(account, sign, lines.get(account.pk, Counter()), names) for account in rows)
        return tuple(line for line in part_lines if line.amount or line.parts)

    players = [account for account in accounts if account.kind == AccountKind.PLAYER]
    open_minors = [lines.get(account.pk, Counter()).total() for account in players]
    shown = (*PAYMENT_METHODS, *INCOMES, AccountKind.POT, AccountKind.PLAYER)
    others = tuple(kind for kind in AccountKind if kind not in shown)
    return BooksOfCurrency(
        currency,
        part(PAYMENT_METHODS, 1),
        Amount(sum(minor for minor in open_minors if minor > 0), currency),
        Amount(-sum(minor for minor in open_minors if minor < 0), currency),
        part((AccountKind.POT,), -1),
        part(INCOMES, -1),
        part(others, -1),
    )


def _line(account: LedgerAccount, sign: int, lines: Counter[str], names: Mapping[str, str]) -> BookLine:
    currency = account.currency
    parts: Counter[str] = Counter()
    if account.kind in INCOMES:
        for line, minor in lines.items():
            parts[str(PARTS.get(_words(line), _("Other")))] += sign * minor
    named = tuple((name, Amount(minor, currency)) for name, minor in sorted(parts.items()) if minor)
    amount = Amount(sign * lines.total(), currency)
    label = BookLabels(account.event_id).of_account(account)
    if account.kind == AccountKind.CASH:
        label = f"{AccountKind.CASH.label}: {names.get(account.name, account.name)}"
    if account.kind == AccountKind.POT and account.tournament and account.tournament.awards_stamp:
        label = str(_("{pot}, left over for the organizer")).format(pot=label)
    return BookLine(label, amount, named if len(named) > 1 else ())


def _words(line: str) -> str:
    """`pool share` for `pool 1 share 1 EUR`."""
    words = [word for word in line.split(" ") if word.islower()]
    return next((word for word in words if word in ("event", "added", "series")), " ".join(words))
