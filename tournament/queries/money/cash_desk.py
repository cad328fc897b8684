"""The list of the cash desk: what each player of an event was charged, paid and still owes. Reads only.

The number of statements does not depend on the number of players.
"""

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q, QuerySet, Sum

from tournament.fees.amounts import DEFAULT_CURRENCY, Amount
from tournament.ledger.accounts import players_of
from tournament.ledger.balances import of_players
from tournament.ledger.charging import prices_of
from tournament.ledger.labels import METHOD_LABELS, BookLabels
from tournament.models import (
    PAYMENT_METHODS,
    AccountKind,
    Deed,
    Entry,
    Event,
    ExchangeRate,
    LedgerAccount,
    LedgerTransaction,
    Player,
    Transfer,
)
from tournament.runtime.errors import NotFound
from tournament.runtime.name_search import has_words, sort_key, split_words

PAID = (Deed.PAYMENT, Deed.REFUND)
KINDS = {Deed.PAYMENT: "paid", Deed.REFUND: "paid", Deed.PRIZE: "prizes", Deed.PAYOUT: "payouts"}
"""Columns of the list by deed. All other deeds are charges."""


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    pk: uuid.UUID
    event_id: uuid.UUID
    registered_name: str
    is_removed: bool = False


Moved = Mapping[str, Mapping[str, int]]
"""Minor units that a player was debited, by kind of deed ("charge", "paid", "prizes" or "payouts") and currency."""


@dataclass(frozen=True, slots=True)
class PlayerMoney:
    """Amounts of a player, one for each currency. They are made when they are read, because a page shows few players.

    `balances`: what is open, in minor units by currency, without zeros: positive for debts and negative for claims.
    Open = charged + paid out - paid - won.
    """

    player: ListedPlayer
    tournaments: tuple[str, ...]
    moved: Moved
    balances: Mapping[str, int]

    @property
    def charged(self) -> tuple[Amount, ...]:
        return _amounts(self.moved.get("charge", {}))

    @property
    def paid(self) -> tuple[Amount, ...]:
        return _amounts(self.moved.get("paid", {}), -1)

    @property
    def prizes(self) -> tuple[Amount, ...]:
        return _amounts(self.moved.get("prizes", {}), -1)

    @property
    def paid_out(self) -> tuple[Amount, ...]:
        return _amounts(self.moved.get("payouts", {}))

    @property
    def open_amounts(self) -> tuple[Amount, ...]:
        return _amounts(self.balances)

    @property
    def refundable(self) -> tuple[Amount, ...]:
        """As `refundable_amounts` returns it."""
        fees = _sum_by_currency(self.moved.get("charge", {}), self.moved.get("paid", {}))
        return refundable_amounts(self.balances, fees)

    @property
    def is_owing(self) -> bool:
        return any(minor > 0 for minor in self.balances.values())

    @property
    def debts(self) -> tuple[Amount, ...]:
        return tuple(amount for amount in self.open_amounts if amount.minor > 0)

    @property
    def currency(self) -> str:
        """The currency in which the player most likely pays next; empty without any."""
        amounts = (*self.debts, *self.open_amounts, *self.charged)
        return amounts[0].currency if amounts else ""

    @property
    def has_paid(self) -> bool:
        """True for a player who was charged something and owes nothing."""
        return bool(self.charged) and not self.balances


def cash_desk_list(event: Event) -> list[PlayerMoney]:
    """Returns the players of an event and buyers without an entry by name, so that no line moves when somebody pays.

    Players whose data are removed stay in the list while they owe or may claim something.
    """
    rows = Player.objects.filter(event=event).values_list("pk", "full_name", "name", "removed_at")
    labels = BookLabels(event.pk)
    players = [
        ListedPlayer(
            pk, event.pk, labels.of_removed(pk) if removed_at else full_name or name, removed_at is not None
        )
        for pk, full_name, name, removed_at in rows
    ]
    entries: dict[uuid.UUID, list[str]] = defaultdict(list)
    for player_id, name in (
        Entry.objects.filter(tournament__event=event)
        .order_by("entered_at")
        .values_list("player", "tournament__name")
    ):
        if name not in entries[player_id]:
            entries[player_id].append(name)
    moved = _moved(event)
    lines = [_line(player, entries[player.pk], moved.get(player.pk, {})) for player in players]
    return sorted(
        (line for line in lines if line.balances or _takes_part(line)),
        key=lambda line: sort_key(line.player.registered_name),
    )


def _takes_part(line: PlayerMoney) -> bool:
    return not line.player.is_removed and bool(line.tournaments or line.charged)


class Totals(NamedTuple):
    """The amounts of all players together in one currency.

    `owed` - `claimed` = charged + paid out - paid - won. Claims do not lower debts.
    """

    charged: Amount
    paid: Amount
    owed: Amount
    prizes: Amount
    paid_out: Amount
    claimed: Amount


def totals_of(lines: Iterable[PlayerMoney]) -> list[Totals]:
    """Returns the totals of each currency."""
    columns = {name: number for number, name in enumerate(Totals._fields)}
    signs = (
        ("charged", "charge", 1),
        ("paid", "paid", -1),
        ("prizes", "prizes", -1),
        ("paid_out", "payouts", 1),
    )
    sums: dict[str, list[int]] = {}

    def add(column: str, currency: str, minor: int) -> None:
        if minor:
            sums.setdefault(currency, [0] * len(columns))[columns[column]] += minor

    for line in lines:
        for column, kind, sign in signs:
            for currency, minor in line.moved.get(kind, {}).items():
                add(column, currency, sign * minor)
        for currency, minor in line.balances.items():
            add("owed" if minor > 0 else "claimed", currency, abs(minor))
    return [
        Totals(*(Amount(minor, currency) for minor in minors)) for currency, minors in sorted(sums.items())
    ]


def event_currencies(event: Event) -> list[str]:
    """The currencies of the event's fees, then others in which it has a rate or has moved money; each part sorted."""
    used = set(
        LedgerAccount.objects.filter(event=event).order_by().values_list("currency", flat=True).distinct()
    )
    charged = _charged_currencies(event)
    rates = ExchangeRate.objects.filter(event=event).values_list("currency", flat=True)
    return [*charged, *sorted((used | set(rates)).difference(charged))]


def _charged_currencies(event: Event) -> list[str]:
    prices = prices_of(event.pk)
    charged = {schedule.currency for schedule in prices.tournaments.values()}
    if prices.event is not None:
        charged.add(prices.event.currency)
    return sorted(charged)


def usual_currency(event: Event) -> str:
    """The currency that a form starts with: one of the fees, else the first one of a rate of exchange."""
    bases = ExchangeRate.objects.filter(event=event).order_by("pk").values_list("base", flat=True)
    return next(iter(_charged_currencies(event) or bases), DEFAULT_CURRENCY)


def _moved(event: Event) -> dict[uuid.UUID, dict[str, dict[str, int]]]:
    moved: dict[uuid.UUID, dict[str, dict[str, int]]] = {}
    for side, sign in (("target", 1), ("source", -1)):
        rows = Transfer.objects.filter(
            **{f"{side}__event": event, f"{side}__kind": AccountKind.PLAYER, f"{side}__player__isnull": False}
        ).order_by()
        values = (f"{side}__player", f"{side}__currency", "transaction__deed", "transaction__reverses__deed")
        for player_id, currency, deed, reversed_deed, minor in rows.values_list(*values).annotate(
            Sum("amount")
        ):
            kind = KINDS.get(reversed_deed or deed, "charge")
            sums = moved.setdefault(player_id, {}).setdefault(kind, {})
            sums[currency] = sums.get(currency, 0) + sign * minor
    return moved


def _line(player: ListedPlayer, tournaments: list[str], moved: Moved) -> PlayerMoney:
    sums = _sum_by_currency(*moved.values())
    balances = {currency: minor for currency, minor in sums.items() if minor}
    return PlayerMoney(player, tuple(tournaments), moved, balances)


def _sum_by_currency(*kinds: Mapping[str, int]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for minors in kinds:
        for currency, minor in minors.items():
            sums[currency] = sums.get(currency, 0) + minor
    return sums


def refundable_amounts(open_amounts: Mapping[str, int], fees: Mapping[str, int]) -> tuple[Amount, ...]:
    """Returns what a player paid above the charges, up to the claim. Prizes are paid from the list of payouts.

    Both are minor units by currency: what is open, and the part of it that is charged and paid, without prizes.
    """
    claims = {
        currency: -max(minor, fees.get(currency, 0)) for currency, minor in open_amounts.items() if minor < 0
    }
    return _amounts({currency: minor for currency, minor in claims.items() if minor > 0})


def _amounts(minors: Mapping[str, int], sign: int = 1) -> tuple[Amount, ...]:
    """The amounts that are not 0, by currency."""
    return tuple(Amount(sign * minor, currency) for currency, minor in sorted(minors.items()) if minor)


@dataclass(frozen=True, slots=True)
class RecordedPayment:
    """A payment of a player, or with a negative amount a refund. `by` is the user who took it."""

    id: int
    at: datetime
    player: str
    amount: Amount
    method: str
    by: str
    player_id: uuid.UUID


def last_payments(
    event: Event,
    most: int | None = 10,
    deeds: Collection[Deed] = PAID,
    player: uuid.UUID | None = None,
) -> list[RecordedPayment]:
    """Returns the last payments and refunds, or other deeds, that were not taken back, newest first.

    `most`: None for all. `player`: only those of this player.
    """
    rows = _transfers_of_payments(event, deeds)
    if player is not None:
        rows = rows.filter(transaction__in=_transactions_of(event, [player]))
    return recorded_payments(event, rows[:most])


def find_payment(event: Event, transaction_id: int) -> RecordedPayment:
    """Returns a payment or refund that was not taken back. Raises NotFound for any other id."""
    payments = _transfers_of_payments(event, PAID)
    # Only `__pk` compares integers: a number that no column holds finds nothing.
    rows = recorded_payments(event, payments.filter(transaction__pk=transaction_id))
    if not rows:
        raise NotFound
    return rows[0]


def search_payments(event: Event, name: str) -> QuerySet[Transfer]:
    """Returns the payments and refunds of players whose names have these words, newest first."""
    rows, words = _transfers_of_payments(event, PAID), split_words(name)
    if not words:
        return rows
    labels = BookLabels(event.pk)
    players = [
        player.pk
        for player in Player.objects.filter(event=event)
        if has_words(labels.of_player(player, player.pk), words)
    ]
    return rows.filter(transaction__in=_transactions_of(event, players))


def _transactions_of(event: Event, players: Collection[uuid.UUID]) -> QuerySet[Transfer, int]:
    """The ids of the transactions that change what these players owe."""
    of_player = of_players(players)
    return Transfer.objects.filter(of_player, transaction__event=event).values_list("transaction", flat=True)


def _transfers_of_payments(event: Event, deeds: Collection[Deed]) -> QuerySet[Transfer]:
    rows = Transfer.objects.filter(
        Q(source__kind__in=PAYMENT_METHODS) | Q(target__kind__in=PAYMENT_METHODS),
        transaction__event=event,
        transaction__deed__in=deeds,
        transaction__reversed_by__isnull=True,
    )
    related = ("transaction__journal_line__user", "source", "target")
    return rows.select_related(*related).order_by("-pk")


def total_moved(transactions: Iterable[LedgerTransaction]) -> list[Amount]:
    """Returns the sum that these payments or payouts moved, by currency."""
    is_payment = Q(source__kind__in=PAYMENT_METHODS) | Q(target__kind__in=PAYMENT_METHODS)
    rows = Transfer.objects.filter(is_payment, transaction__in=[row.pk for row in transactions]).order_by()
    sums = rows.values_list("source__currency").annotate(Sum("amount"))
    return [Amount(minor, currency) for currency, minor in sorted(sums)]


def recorded_payments(event: Event, transfers: Iterable[Transfer]) -> list[RecordedPayment]:
    rows = list(transfers)
    payers = players_of([row.transaction_id for row in rows])
    players = Player.objects.in_bulk(payers.values())
    labels = BookLabels(event.pk)
    names = {pk: labels.of_player(players.get(payer), payer) for pk, payer in payers.items()}
    return [_payment(row, payers[row.transaction_id], names[row.transaction_id]) for row in rows]


def _payment(row: Transfer, player_id: uuid.UUID, payer: str) -> RecordedPayment:
    """A transfer between a till, or another method, and a player or the exchange."""
    is_refund = row.source.kind in PAYMENT_METHODS
    till = row.source if is_refund else row.target
    line = row.transaction.journal_line
    return RecordedPayment(
        row.transaction_id,
        row.transaction.at,
        payer,
        Amount(-row.amount if is_refund else row.amount, till.currency),
        str(METHOD_LABELS[till.kind]),
        line.user.get_username() if line.user else "",
        player_id,
    )
