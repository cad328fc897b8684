"""Selects the positions of a sheet that stay empty. Their opponents skip the first round.

Written down so that a stranger can do it again. A sheet has 2, 4, 8 ... positions; the smallest that holds all entries
is used, and the remaining positions are byes. Position p meets position size + 1 - p first; the smaller of the two has
the bye, the larger one is empty. SEED is the draw's seed text.

- Top seeds: opposite the seeds, lowest number first, on any line; remaining byes opposite the positions after the
  last seed's.
- Lottery: all entries, in the order of registration, shuffled with `SEED byes`. From the first on each has a bye until
  there are none left; an entry without a seed is skipped if one more bye would make two seeds meet in round 1.
  A seed keeps its position. For the others the positions of the upper half without a seed are shuffled with
  `SEED bye lines`, and the first of them have the byes.
- By hand: the named entries have the byes, and their positions are drawn as in the lottery.
- Balanced lottery: from the whole sheet down, the byes of a section are divided between its two halves. Of an odd
  number one half has one more, drawn as a number of `SEED byes` below 2 (0 is the top half). The sections are visited
  from the top, each before its halves and its upper half before its lower half. No number is drawn for an even number
  of byes. In the end every two lines that meet have one bye or none.

None of these steps may ever change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic

from rules.translation import gettext_noop
from tournament.draw.chance import below, shuffle, stream
from tournament.draw.graph import EntryId
from tournament.draw.recipes.knockout import seed_lines
from tournament.draw.recipes.order_rules import Byes, DrawError, OrderRules


@dataclass(frozen=True, slots=True)
class Field(Generic[EntryId]):
    """All entries in the order of registration, and the seeds by number with their positions from 1."""

    entries: Sequence[EntryId]
    seeded: dict[EntryId, int]

    @property
    def size(self) -> int:
        return 1 << (len(self.entries) - 1).bit_length()

    @property
    def byes(self) -> int:
        return self.size - len(self.entries)

    @property
    def without_a_seed(self) -> list[int]:
        """The positions of the upper half without a seed. Each can have a bye."""
        taken = set(self.seeded.values())
        return [position for position in range(1, self.size // 2 + 1) if position not in taken]


@dataclass(frozen=True, slots=True)
class EmptyPositions(Generic[EntryId]):
    """The positions that are byes, and the unseeded entries that won a bye; None if byes belong to lines."""

    positions: frozenset[int]
    bye_winners: frozenset[EntryId] | None = None


def empty_positions(
    field: Field[EntryId], rules: OrderRules[EntryId], seed_text: str
) -> EmptyPositions[EntryId]:
    """Returns the empty positions. Raises DrawError for invalid byes by hand."""
    if rules.byes is Byes.TOP_SEEDS:
        return EmptyPositions(_opposite(field, _top_positions(field)))
    if rules.byes is Byes.BALANCED_LOTTERY:
        return EmptyPositions(_balanced_lottery(field, seed_text))
    if rules.byes is Byes.LOTTERY:
        return _with_byes(field, _lottery(field, seed_text), seed_text)
    _check_by_hand(field, rules.by_hand)
    return _with_byes(field, rules.by_hand, seed_text)


def _opposite(field: Field[EntryId], positions: Collection[int]) -> frozenset[int]:
    return frozenset(field.size + 1 - position for position in positions)


def _top_positions(field: Field[EntryId]) -> list[int]:
    seeded = list(field.seeded.values())[: field.byes]
    return seeded + list(range(len(seeded) + 1, field.byes + 1))


def _lottery(field: Field[EntryId], seed_text: str) -> list[EntryId]:
    winners: list[EntryId] = []
    places = len(field.without_a_seed)
    for entry in shuffle(field.entries, f"{seed_text} byes"):
        if len(winners) == field.byes:
            break
        if entry not in field.seeded:
            if not places:
                continue
            places -= 1
        winners.append(entry)
    return winners


def _with_byes(field: Field[EntryId], winners: Sequence[EntryId], seed_text: str) -> EmptyPositions[EntryId]:
    unseeded = frozenset(entry for entry in winners if entry not in field.seeded)
    seeded = [field.seeded[entry] for entry in winners if entry in field.seeded]
    others = shuffle(field.without_a_seed, f"{seed_text} bye lines")[: len(unseeded)]
    return EmptyPositions(_opposite(field, seeded + others), unseeded)


def _check_by_hand(field: Field[EntryId], entries: Sequence[EntryId]) -> None:
    if len(set(entries)) != len(entries) or not set(entries) <= set(field.entries):
        raise DrawError(gettext_noop("Give each bye to another entry of this draw."))
    if len(entries) != field.byes:
        raise DrawError(
            gettext_noop("This draw has {byes:,} byes, and {count:,} are given."),
            byes=field.byes,
            count=len(entries),
        )
    if sum(entry not in field.seeded for entry in entries) > len(field.without_a_seed):
        raise DrawError(
            gettext_noop("Give more of the byes to seeds. Otherwise two seeds would meet in round 1.")
        )


def _balanced_lottery(field: Field[EntryId], seed_text: str) -> frozenset[int]:
    lines = seed_lines(field.size.bit_length() - 1)
    numbers = stream(f"{seed_text} byes")
    pairs = _pairs_with_bye(0, len(lines), field.byes, numbers)
    return frozenset(max(lines[line], lines[line + 1]) for line in pairs)


def _pairs_with_bye(first: int, width: int, byes: int, numbers: Iterator[int]) -> list[int]:
    """Returns the first lines of the pairs with a bye among `width` lines."""
    if width == 2:
        return [first] * byes
    upper = byes // 2
    if byes % 2 and below(numbers, 2) == 0:
        upper += 1
    half = width // 2
    return _pairs_with_bye(first, half, upper, numbers) + _pairs_with_bye(
        first + half, half, byes - upper, numbers
    )
