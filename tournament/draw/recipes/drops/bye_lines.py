"""Aligns a main bracket with drawn byes to the plain sheet of as many entries, whose byes are opposite the best.

Turning halves, quarters, eighths … of the sheet upside down changes nobody's chances. The drawn sheet is turned so that
its byes match those of the plain sheet as far as possible. If all match, lower brackets of the plain sheet fit the
drawn one once their pairings are renamed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rules.translation import gettext_noop
from tournament.draw.graph import FromBye, FromEntry, FromPairing, GraphError, Pairing, Source
from tournament.draw.recipes.drops.knockout_format import MAIN
from tournament.draw.recipes.knockout import FEWEST, MOST, Spot, knockout_rounds, seed_lines

Seats = tuple[Source[Spot, int], Source[Spot, int]]


@dataclass(frozen=True, slots=True)
class SheetWithByes:
    """A sheet of 2, 4, 8 … positions of which some are `empty`, never two in one pairing.

    Raises GraphError for a number of positions that is not a power of two, and if two byes would meet.
    """

    entries: int
    empty: frozenset[int]
    first_round: tuple[Seats, ...] = field(init=False)
    order: tuple[int, ...] = field(init=False)
    """The line, from 0, of the drawn first-round pairing for each line of the turned sheet."""

    def __post_init__(self) -> None:
        size = self.entries + len(self.empty)
        if not FEWEST <= self.entries <= MOST or size & (size - 1):
            raise GraphError(
                gettext_noop("A sheet with {entries:,} entries and {byes:,} byes is not possible."),
                entries=self.entries,
                byes=len(self.empty),
            )
        lines = seed_lines(size.bit_length() - 1)
        sources = [FromBye() if position in self.empty else FromEntry(position) for position in lines]
        seats = tuple(zip(sources[::2], sources[1::2], strict=True))
        if any(isinstance(left, FromBye) and isinstance(right, FromBye) for left, right in seats):
            raise GraphError(gettext_noop("Two byes would meet."))
        byes = [any(isinstance(source, FromBye) for source in both) for both in seats]
        object.__setattr__(self, "first_round", seats)
        object.__setattr__(self, "order", tuple(_turn_lines(self._plain_byes(lines), byes, 0)))

    def _plain_byes(self, lines: Sequence[int]) -> list[bool]:
        pairs = zip(lines[::2], lines[1::2], strict=True)
        return [max(pair) > self.entries for pair in pairs]

    @property
    def pairings(self) -> list[Pairing[Spot, int]]:
        """The main bracket as drawn."""
        return knockout_rounds(MAIN, [source for both in self.first_round for source in both])

    @property
    def aligned_pairings(self) -> list[Pairing[Spot, int]]:
        """The main bracket of the turned sheet."""
        return knockout_rounds(MAIN, [source for line in self.order for source in self.first_round[line]])

    @property
    def matches_plain_sheet(self) -> bool:
        lines = seed_lines(len(self.first_round).bit_length())
        byes = [FromBye() in self.first_round[line] for line in self.order]
        return byes == self._plain_byes(lines)

    def renamed(self, pairing: Pairing[Spot, int]) -> Pairing[Spot, int]:
        """Returns a pairing beside the turned main bracket, fed by the pairings of the drawn one."""
        left, right = self._renamed_source(pairing.left), self._renamed_source(pairing.right)
        return Pairing(pairing.key, pairing.bracket, pairing.round, pairing.line, left, right)

    def _renamed_source(self, source: Source[Spot, int]) -> Source[Spot, int]:
        if not isinstance(source, FromPairing) or source.pairing[0] != MAIN:
            return source
        bracket, number, line = source.pairing
        doublings = number - 1
        drawn = self.order[(line - 1) << doublings] >> doublings
        return FromPairing((bracket, number, drawn + 1), source.outcome)


def _turn_lines(plain: Sequence[bool], drawn: Sequence[bool], offset: int) -> list[int]:
    """Returns the lines of `drawn`, from `offset`, in the order in which its byes match those of `plain` best."""
    if len(plain) == 1:
        return [offset]
    half = len(plain) // 2
    surplus = sum(plain[:half]) - sum(plain[half:])
    drawn_surplus = sum(drawn[:half]) - sum(drawn[half:])
    parts = [(drawn[:half], offset), (drawn[half:], offset + half)]
    if surplus * drawn_surplus < 0:
        parts.reverse()
    upper, lower = parts
    return [*_turn_lines(plain[:half], *upper), *_turn_lines(plain[half:], *lower)]
