"""The money of an event that is not settled: open amounts of players, and cash in tills. Reads only."""

import uuid
from collections import Counter
from dataclasses import dataclass

from tournament.fees.amounts import Amount
from tournament.ledger.balances import balances_of
from tournament.models import AccountKind, LedgerAccount


@dataclass(frozen=True, slots=True)
class UnsettledMoney:
    """Sums by currency: what players owe, what they may claim, and the cash that all tills together should hold.

    Cash is listed if any till is not empty, also with the sum 0.
    """

    owed: tuple[Amount, ...] = ()
    claimed: tuple[Amount, ...] = ()
    cash: tuple[Amount, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.owed or self.claimed or self.cash)


def unsettled_money(event_id: uuid.UUID) -> UnsettledMoney:
    kinds = (AccountKind.PLAYER, AccountKind.CASH)
    accounts = LedgerAccount.objects.filter(event=event_id, kind__in=kinds)
    balances = balances_of(accounts)
    owed, claimed, cash = Counter[str](), Counter[str](), Counter[str]()
    for pk, kind, currency in accounts.values_list("pk", "kind", "currency"):
        minor = balances.get(pk, 0)
        if minor and kind == AccountKind.CASH:
            cash[currency] += minor
        elif minor:
            (owed if minor > 0 else claimed)[currency] += abs(minor)
    return UnsettledMoney(_amounts(owed), _amounts(claimed), _amounts(cash))


def _amounts(totals: Counter[str]) -> tuple[Amount, ...]:
    return tuple(Amount(minor, currency) for currency, minor in sorted(totals.items()))
