"""Divides among addresses what runs out: connections, live streams, room for request bodies."""

from collections import Counter
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

from tournament.runtime.networks import network_of


def client_network(scope: MutableMapping[str, Any]) -> str:
    """The network that a request comes from."""
    return network_of((scope.get("client") or ("",))[0])


class AddressQuota:
    """An address gets no more than is then left. A hall behind one address may have half of everything, and any
    number of greedy addresses leaves room for one more.
    """

    def __init__(self) -> None:
        self.in_use = 0
        self._used: Counter[str] = Counter()

    def has_room(self, address: str, most: int, amount: int = 1) -> bool:
        """`most` is what all addresses together may hold."""
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
        """Takes it while the block runs."""
        self.take(address, amount)
        try:
            yield
        finally:
            self.release(address, amount)
