"""Divides among addresses what runs out: connections, live streams, room for request bodies."""

from collections import Counter
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

from tournament.runtime.networks import network_of


def client_of(scope: MutableMapping[str, Any]) -> str:
    """The network that a request comes from."""
    return network_of((scope.get("client") or ("",))[0])


class Shares:
    """An address gets no more than is then left. A hall behind one address may have half of everything, and any
    number of greedy addresses leaves room for one more.
    """

    def __init__(self) -> None:
        self.taken = 0
        self._held: Counter[str] = Counter()

    def has_room_for(self, address: str, most: int, amount: int = 1) -> bool:
        """`most` is what all addresses together may hold."""
        return self._held[address] + amount <= most - self.taken

    def take(self, address: str, amount: int = 1) -> None:
        self.taken += amount
        self._held[address] += amount

    def give_back(self, address: str, amount: int = 1) -> None:
        self.taken -= amount
        self._held[address] -= amount
        if not self._held[address]:
            del self._held[address]

    @contextmanager
    def held(self, address: str, amount: int = 1) -> Iterator[None]:
        """Takes it while the block runs."""
        self.take(address, amount)
        try:
            yield
        finally:
            self.give_back(address, amount)
