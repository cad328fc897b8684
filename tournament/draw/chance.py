"""Reproducible randomness: the same seed text gives the same draw on any machine, in any release.

The generator, written down so that a stranger can redo a draw in any language:

1. Block number i (0, 1, 2, ...) is the SHA-256 of the text `SEED/i` in UTF-8: the seed exactly as
   published, a slash, and i in decimal digits. `printf %s 'SEED/0' | sha256sum` shows the first block.
2. Each block of 32 bytes gives four numbers of 64 bits: bytes 1-8, 9-16, 17-24 and 25-32, the first
   byte of each the most significant. The numbers of block 0 come first, then those of block 1, and so
   on; none is used twice.
3. A number below n: take the next 64-bit number; if it is not below the largest multiple of n that is
   at most 2^64, drop it and take the next one; the answer is its remainder after division by n.
4. A shuffle (Fisher and Yates): for i from the last place down to the second, counted from 0 so that
   the last is len - 1 and the second is 1, draw a number j below i + 1 and exchange the items at places
   i and j.

A draw uses no other source of randomness. None of these steps may ever change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import count
from struct import unpack
from typing import TypeVar

Item = TypeVar("Item")

_NUMBERS = 1 << 64


def stream(seed: str) -> Iterator[int]:
    """Yields the endless 64-bit numbers of a seed text."""
    for block in count():
        yield from unpack(">4Q", sha256(f"{seed}/{block}".encode()).digest())


def below(numbers: Iterator[int], n: int) -> int:
    """Returns the next number in 0..n-1, each equally likely.

    Consumes `numbers`. Raises ValueError for n outside 1..2^64.
    """
    if not 1 <= n <= _NUMBERS:
        raise ValueError("A number can be drawn below 1 to 2^64.")
    limit = _NUMBERS - _NUMBERS % n
    return next(number for number in numbers if number < limit) % n


def shuffle(items: Iterable[Item], seed: str) -> list[Item]:
    """Returns the items in the order given by this seed. Their original order is part of the draw."""
    shuffled = list(items)
    numbers = stream(seed)
    for i in range(len(shuffled) - 1, 0, -1):
        j = below(numbers, i + 1)
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return shuffled
