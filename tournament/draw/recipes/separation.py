"""Keeps entries of one club, country or team apart in the first rounds. The rest of the draw stays a lot.

Written down so that a stranger can do it again. The sheet already has its seeds and byes. A *section* of round r is 2^r
neighbouring lines from the top: the lines that can meet in round r or before. SEED is the draw's seed text.

1. Entries without a seed are dealt out: the largest club first (seeds count), of equal clubs the one drawn first, each
   club in the order of the lot, and finally entries without a club in the order of the lot.
2. Each entry considers all sections of the last protected round that have room for it and takes one with the fewest
   entries of its club, of these one with the most room; of these a number of `SEED separation` selects one, counted
   from the top. Then it chooses between the two halves of that section in the same way, and so on down to one line.
3. Then exchanges: the lines of entries without a seed are shuffled with `SEED exchanges`. The first of them whose
   club has another entry in its section of the last protected round, and the first after that whose exchange is an
   improvement, are exchanged. This repeats from the start until nothing improves. An improvement is: fewer pairs
   of one club in sections of round 1, or as many there and fewer in sections of round 2, and so on.
4. If byes were given to entries by name, only lines with a bye have room for them, and only such lines are exchanged.

Every number is drawn, even one below 1. Guarantees: seeds never move. Without seeds and with evenly spread byes, no
sheet has fewer such pairs in any protected round, and of a club with no more members than sections no two are in one
section. With seeds no exchange of two is an improvement. None of these steps may ever change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic

from tournament.draw.chance import below, shuffle, stream
from tournament.draw.graph import BYE, Bye, EntryId


@dataclass(slots=True)
class Sheet(Generic[EntryId]):
    """The lines from top to bottom, None for lines that are still free.

    `bye_winners` are the entries that won a bye; None if byes belong to lines.
    """

    lines: list[EntryId | Bye | None]
    bye_winners: frozenset[EntryId] | None = None

    def is_bye_line(self, line: int) -> bool:
        """Returns True if only bye winners may sit here. Always False if byes belong to lines."""
        return self.bye_winners is not None and self.lines[line ^ 1] is BYE

    def has_own_bye(self, entry: EntryId) -> bool:
        return self.bye_winners is not None and entry in self.bye_winners


def separate_clubs(
    sheet: Sheet[EntryId],
    unseeded: Sequence[EntryId],
    clubs: Mapping[EntryId, str],
    rounds: int,
    seed_text: str,
) -> list[EntryId | Bye | None]:
    """Assigns the unseeded entries, in the order of the lot, to the free lines. An empty club is not shared.

    Returns the lines of the sheet, which it changes.
    """
    counts = _SectionCounts(sheet, clubs, min(2**rounds, len(sheet.lines)))
    numbers = stream(f"{seed_text} separation")
    for entry in _in_dealing_order(unseeded, clubs):
        counts.seat(entry, counts.choose(entry, numbers))
    movable = set(unseeded)
    lines = [line for line, entry in enumerate(sheet.lines) if entry in movable]
    lot = shuffle(lines, f"{seed_text} exchanges")
    while swap := counts.find_exchange(lot):
        counts.exchange(*swap)
    return sheet.lines


def _in_dealing_order(unseeded: Sequence[EntryId], clubs: Mapping[EntryId, str]) -> list[EntryId]:
    sizes = Counter(club for club in clubs.values() if club)
    first: dict[str, int] = {}
    for place, entry in enumerate(unseeded):
        first.setdefault(clubs[entry], place)
    return sorted(
        unseeded, key=lambda entry: (-sizes[clubs[entry]], first[clubs[entry]] if clubs[entry] else 0)
    )


@dataclass(slots=True)
class _SectionCounts(Generic[EntryId]):
    """The sheet with the members of each club counted by section. A section is its width and its number."""

    sheet: Sheet[EntryId]
    clubs: Mapping[EntryId, str]
    width: int
    members: Counter[tuple[int, int, str]] = field(default_factory=Counter)
    room: Counter[tuple[int, int, bool]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        for line, entry in enumerate(self.sheet.lines):
            if entry is None:
                self._count_room(line, 1)
            elif not isinstance(entry, Bye):
                self._count_member(line, self.clubs[entry], 1)

    def widths(self) -> list[int]:
        return [2**power for power in range(self.width.bit_length())]

    def _count_room(self, line: int, change: int) -> None:
        lucky = self.sheet.is_bye_line(line)
        for width in self.widths():
            self.room[width, line // width, lucky] += change

    def _count_member(self, line: int, club: str, change: int) -> None:
        for width in self.widths() if club else ():
            self.members[width, line // width, club] += change

    def choose(self, entry: EntryId, numbers: Iterator[int]) -> int:
        """Returns the line for this entry: by section the fewest of its club, then the most room, then by lot."""
        lucky, club, width = self.sheet.has_own_bye(entry), self.clubs[entry], self.width
        sections = list(range(len(self.sheet.lines) // width))
        while True:
            ranks = {
                section: (self.members[width, section, club], -self.room[width, section, lucky])
                for section in sections
                if self.room[width, section, lucky]
            }
            best = min(ranks.values())
            tied = [section for section, rank in ranks.items() if rank == best]
            section = tied[below(numbers, len(tied))]
            if width == 1:
                return section
            width //= 2
            sections = [2 * section, 2 * section + 1]

    def seat(self, entry: EntryId, line: int) -> None:
        self._count_room(line, -1)
        self.sheet.lines[line] = entry
        self._count_member(line, self.clubs[entry], 1)

    def club_on(self, line: int) -> str:
        entry = self.sheet.lines[line]
        return "" if entry is None or isinstance(entry, Bye) else self.clubs[entry]

    def find_exchange(self, lot: Sequence[int]) -> tuple[int, int] | None:
        """Returns the first two lines of the lot whose exchange is an improvement, or None."""
        for first in lot:
            club = self.club_on(first)
            if club and self.members[self.width, first // self.width, club] > 1:
                for second in lot:
                    if self._may_exchange(first, second) and self._gain(first, second) < (0,) * len(
                        self.widths()
                    ):
                        return first, second
        return None

    def _may_exchange(self, first: int, second: int) -> bool:
        return self.sheet.is_bye_line(first) == self.sheet.is_bye_line(second) and self.club_on(
            first
        ) != self.club_on(second)

    def _gain(self, first: int, second: int) -> tuple[int, ...]:
        """Returns the change in the number of pairs of one club for each round, round 1 first."""
        return tuple(
            self._change_in_pairs(width, first, second) + self._change_in_pairs(width, second, first)
            if first // width != second // width
            else 0
            for width in self.widths()
        )

    def _change_in_pairs(self, width: int, line: int, to: int) -> int:
        club = self.club_on(line)
        if not club:
            return 0
        return self.members[width, to // width, club] - (self.members[width, line // width, club] - 1)

    def exchange(self, first: int, second: int) -> None:
        lines = self.sheet.lines
        for line, change in ((first, -1), (second, -1)):
            self._count_member(line, self.club_on(line), change)
        lines[first], lines[second] = lines[second], lines[first]
        for line, change in ((first, 1), (second, 1)):
            self._count_member(line, self.club_on(line), change)
