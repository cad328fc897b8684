"""Spreads of a lower bracket from which exchanges start. Deterministic."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from tournament.draw.recipes.drops.spread import MOST_BITS, Drop, Seat, Spread, reverse_bits, spread_attempts
from tournament.draw.recipes.knockout import Spot

TURNS = (1, 2, 3)


def starting_spreads(drops: Sequence[Drop], rounds: int, slots: Mapping[Spot, int]) -> Iterator[Spread]:
    """Yields losers spread far apart, losers of one slot packed together, and the former with each round rotated."""
    spreads = spread_attempts(drops, rounds)
    yield spreads[0]
    yield _pack_by_slot(drops, rounds, slots)
    yield from spreads[1:]
    for spread, steps in product(spreads, TURNS):
        yield _rotate(spread, steps)


def _pack_by_slot(drops: Sequence[Drop], rounds: int, slots: Mapping[Spot, int]) -> Spread:
    """Places players who are free at the same time side by side, so that they need not wait for each other.

    The latest round comes first. Byes come between it and the players of the first round who are free as early.
    """
    ordered = sorted(
        drops, key=lambda drop: (-drop.enters, _slot_order(drop, slots), _reversed_position(drop))
    )
    seats: list[Seat] = []
    filled = 0
    for drop in ordered:
        size = 1 << (drop.enters - 1)
        seats.append(((1 << rounds) + filled) // size)
        filled += size
    return Spread(rounds, ordered, seats)


def _slot_order(drop: Drop, slots: Mapping[Spot, int]) -> int:
    return slots[drop.key] if drop.enters == 1 else -slots[drop.key]


def _reversed_position(drop: Drop) -> int:
    return reverse_bits(drop.position, MOST_BITS)


def _rotate(spread: Spread, steps: int) -> Spread:
    """Returns the spread with the drops of each round moved on by some seats."""
    by_round: dict[int, list[tuple[Drop, Seat]]] = defaultdict(list)
    for drop, seat in zip(spread.drops, spread.seats, strict=True):
        by_round[drop.enters].append((drop, seat))
    drops: list[Drop] = []
    seats: list[Seat] = []
    for enters, placed in by_round.items():
        first = steps * enters % len(placed)
        drops += [drop for drop, _ in placed]
        seats += [seat for _, seat in placed[first:] + placed[:first]]
    return Spread(spread.rounds, drops, seats)
