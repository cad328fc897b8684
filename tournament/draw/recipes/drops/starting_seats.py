"""Seats of a lower bracket from which exchanges begin. Deterministic: the same drops give the same beginnings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from tournament.draw.recipes.drops.spread import MOST_BITS, Drop, Seat, Spread, mirrored, tries
from tournament.draw.recipes.knockout import Spot

TURNS = (1, 2, 3)


def beginnings(drops: Sequence[Drop], rounds: int, slots: Mapping[Spot, int]) -> Iterator[Spread]:
    """Losers spread far apart, losers of one slot packed together, and the former with each round turned."""
    spreads = tries(drops, rounds)
    yield spreads[0]
    yield _packed(drops, rounds, slots)
    yield from spreads[1:]
    for given, turn in product(spreads, TURNS):
        yield _turned(given, turn)


def _packed(drops: Sequence[Drop], rounds: int, slots: Mapping[Spot, int]) -> Spread:
    """Those who are free at the same time side by side, so that they need not wait for each other.

    The latest round stands first. Byes stand between it and those of the first round who are free as early.
    """
    late_first = sorted(drops, key=lambda drop: (-drop.enters, _turn(drop, slots), _apart(drop)))
    seats: list[Seat] = []
    taken = 0
    for drop in late_first:
        size = 1 << (drop.enters - 1)
        seats.append(((1 << rounds) + taken) // size)
        taken += size
    return Spread(rounds, late_first, seats)


def _turn(drop: Drop, slots: Mapping[Spot, int]) -> int:
    return slots[drop.key] if drop.enters == 1 else -slots[drop.key]


def _apart(drop: Drop) -> int:
    return mirrored(drop.position, MOST_BITS)


def _turned(given: Spread, by: int) -> Spread:
    """The drops of each round moved on by some seats."""
    together: dict[int, list[tuple[Drop, Seat]]] = defaultdict(list)
    for drop, seat in zip(given.drops, given.seats, strict=True):
        together[drop.enters].append((drop, seat))
    drops: list[Drop] = []
    seats: list[Seat] = []
    for enters, placed in together.items():
        first = by * enters % len(placed)
        drops += [drop for drop, _ in placed]
        seats += [seat for _, seat in placed[first:] + placed[:first]]
    return Spread(given.rounds, drops, seats)
