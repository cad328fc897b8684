"""The knock-out: losers are out of the bracket, winners meet until one is left.

Positions are numbered by strength of protection: position 1 is on the top line, 2 on the bottom line, and byes are
opposite positions 1, 2, 3 … In a random draw all positions are drawn by lot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from rules.translation import gettext_noop
from tournament.draw.graph import (
    EntryId,
    FromBye,
    FromEntry,
    FromPairing,
    Graph,
    GraphError,
    Outcome,
    Pairing,
    Source,
)

Spot: TypeAlias = tuple[str, int, int]
"""The bracket, round and line of a pairing. Round and line count from 1."""

FEWEST, MOST = 2, 1024


def single_elimination(entries: int, bracket: str = "main") -> Graph[Spot, int]:
    """Returns a knock-out of `entries` positions, filled up with byes to a power of two, never two byes in a pairing.

    No two of the best 2^k positions can meet before 2^k are left. Raises GraphError outside 2 to 1,024.
    """
    return Graph(main_pairings(entries, bracket))


def main_pairings(entries: int, bracket: str = "main") -> list[Pairing[Spot, int]]:
    """Returns the pairings of `single_elimination`, round by round, for recipes that add others."""
    if not FEWEST <= entries <= MOST:
        raise GraphError(
            gettext_noop("A knock-out has {fewest} to {most:,} entries, not {entries:,}."),
            fewest=FEWEST,
            most=MOST,
            entries=entries,
        )
    lines = seed_lines((entries - 1).bit_length())
    sources: list[Source[Spot, int]] = [
        FromEntry(position) if position <= entries else FromBye() for position in lines
    ]
    return knockout_rounds(bracket, sources)


def seed_lines(rounds: int) -> list[int]:
    """Returns the positions from the top line of the sheet to the bottom: 1 8 5 4 3 6 7 2 for three rounds."""
    lines = [1]
    for _ in range(rounds):
        opposite = 2 * len(lines) + 1
        lines = [
            position
            for index, best in enumerate(lines)
            for position in ((best, opposite - best) if index % 2 == 0 else (opposite - best, best))
        ]
    return lines


def knockout_rounds(bracket: str, sources: Sequence[Source[Spot, EntryId]]) -> list[Pairing[Spot, EntryId]]:
    """Returns the rounds in which neighbours meet until one is left.

    `sources` are 2, 4, 8 … seats from the top line.
    """
    pairings: list[Pairing[Spot, EntryId]] = []
    winner, number = Outcome.WINNER, 0
    while len(sources) > 1:
        number += 1
        pairings += [
            Pairing((bracket, number, line), bracket, number, line, left, right)
            for line, (left, right) in enumerate(zip(sources[::2], sources[1::2], strict=True), 1)
        ]
        sources = [FromPairing((bracket, number, line), winner) for line in range(1, len(sources) // 2 + 1)]
    return pairings
