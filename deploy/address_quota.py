"""Limits how much of a scarce resource one address may use: connections, live streams, memory for request bodies."""

from collections import Counter
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

from tournament.runtime.networks import network_of


def client_network(scope: MutableMapping[str, Any]) -> str:
    """Returns the network of the client: its IPv4 address, or the prefix of its IPv6 address."""
    return network_of((scope.get("client") or ("",))[0])


class AddressQuota:
    """Allows an address at most as much as remains free.

    A hall behind one address can use half of the total, and any number of greedy addresses leaves room for another.
    """

    def __init__(self) -> None:
        self.in_use = 0
        self._used: Counter[str] = Counter()

    def has_room(self, address: str, most: int, amount: int = 1) -> bool:
        """Returns True if the address may take `amount` more. `most` is the total for all addresses."""
        return self._used[address] + amount <= most - self.in_use

    def take(self, address: str, amount: int = 1) -> None:
        self.in_use += amount
        self._used[address] += amount

    def release(self, address: str, amount: int = 1) -> None:
        self.in_use -= amount
        self._used[address] -= amount
        if not self._used[address]:
            del self._used[address]

    @contextmanager
    def reserved(self, address: str, amount: int = 1) -> Iterator[None]:
        """Uses the amount while the block runs."""
        self.take(address, amount)
        try:
            yield
        finally:
            self.release(address, amount)
