"""The simulated cash desk: takes fees before play and pays prizes after it, and sends each request twice."""

import uuid
from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

from tournament.rehearsal.counts import Stopped
from tournament.rehearsal.wire import Wire

METHODS = ("cash", "cash", "cash", "bank", "card")


class CashDesk:
    """The helper at the cash desk of an event. Without fees and prizes there is nothing to do."""

    def __init__(self, wire: Wire, event: str, chance: Random) -> None:
        self.wire, self.chance = wire, chance
        self.event = f"/api/v1/events/{event}"
        self.taken: Counter[str] = Counter()
        self.paid_out: Counter[str] = Counter()

    def take_fees(self) -> None:
        for line in self._read(f"{self.event}/cash-desk/"):
            for amount in line["open"]:
                if amount["minor"] > 0:
                    self._send_twice("payments", line["player"], amount)
                    self.taken[amount["currency"]] += amount["minor"]

    def pay_prizes(self, tournaments: Iterable[str]) -> None:
        for tournament in tournaments:
            self.wire.post(f"/api/v1/tournaments/{tournament}/awards/")
        for line in self._read(f"{self.event}/payouts/"):
            for amount in line["claims"]:
                self._send_twice("payouts", line["player"], amount)
                self.paid_out[amount["currency"]] += amount["minor"]

    def check_balances(self) -> None:
        """Raises Stopped if the accounts of a currency do not balance, or a repeated request counted twice."""
        sums: Counter[str] = Counter()
        tills: Counter[str] = Counter()
        for account in self._read(f"{self.event}/accounts/"):
            currency, minor = account["balance"]["currency"], account["balance"]["minor"]
            sums[currency] += minor
            if account["kind"] in METHODS:
                tills[currency] += minor
        if any(sums.values()):
            raise Stopped("The books do not balance.")
        if any(tills[currency] != self.taken[currency] - self.paid_out[currency] for currency in self.taken):
            raise Stopped("The tills do not hold what was paid.")

    def _send_twice(self, kind: str, player: str, amount: dict[str, Any]) -> None:
        key = str(uuid.UUID(int=self.chance.getrandbits(128)))
        body = {**amount, "key": key, "player": player, "method": self.chance.choice(METHODS)}
        for _ in range(2):
            answer = self.wire.post(f"{self.event}/{kind}/", body)
            if not answer.is_ok:
                raise Stopped(f"The cash desk is refused: {answer.code}.")

    def _read(self, path: str) -> Any:
        answer = self.wire.get(path)
        if not answer.is_ok:
            raise Stopped(f"{path} cannot be read: {answer.code}.")
        return answer.body
