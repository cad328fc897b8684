"""Who takes which position of a draw: seeds first by their numbers, everybody else by lot.

The lot is `chance` with the published seed text; nothing here makes a seed text up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tournament.draw.chance import shuffle
from tournament.draw.graph import EntryId, FromEntry, Graph, GraphError, Pairing, PairingKey, Source


class DrawError(ValueError):
    """These entries cannot be drawn; the message says why."""


def draw_order(entries: Sequence[EntryId], seeds: Mapping[EntryId, int], seed_text: str) -> list[EntryId]:
    """The entries by position: position 1 first.

    Seeds take the first positions in the order of their numbers, on fixed lines (3 and 4, 5 to 8 are
    not drawn among their lines); the rest are shuffled behind them, so byes go to the seeds first and
    then by lot. Without seeds the whole draw, byes and all, is by lot. The order of `entries` is part
    of the draw: hand them in in one that can be told again, such as the order of registration. Raises
    DrawError for an entry twice, a seed that is not an entry, a seed number twice or below 1.
    """
    if len(set(entries)) != len(entries):
        raise DrawError("An entry is in the draw twice.")
    if not set(entries).issuperset(seeds):
        raise DrawError("A seeded player is not among the entries of this draw.")
    if len(set(seeds.values())) != len(seeds) or min(seeds.values(), default=1) < 1:
        raise DrawError("Every seed needs its own number, from 1.")
    seeded = sorted(seeds, key=seeds.__getitem__)
    return seeded + shuffle((entry for entry in entries if entry not in seeds), seed_text)


def drawn(layout: Graph[PairingKey, int], order: Sequence[EntryId]) -> Graph[PairingKey, EntryId]:
    """The layout with each position taken by the entry drawn to it."""
    positions = {
        source.entry
        for pairing in layout
        for _, source in pairing.seats
        if isinstance(source, FromEntry) and source.entry is not None
    }
    if positions != set(range(1, len(order) + 1)):
        raise GraphError(f"This draw has {len(positions):,} positions for {len(order):,} entries.")

    def taken(source: Source[PairingKey, int]) -> Source[PairingKey, EntryId]:
        if isinstance(source, FromEntry):
            return FromEntry(None if source.entry is None else order[source.entry - 1])
        return source

    return Graph(
        Pairing(
            pairing.key,
            pairing.bracket,
            pairing.round,
            pairing.line,
            taken(pairing.left),
            taken(pairing.right),
        )
        for pairing in layout
    )
