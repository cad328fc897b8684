"""Assigns entries to positions: seeds first by their numbers, all others by lot.

The lot is `chance` with the published seed text. Written down so that a stranger can do it again, with SEED the draw's
seed text:

1. Seeds take positions 1, 2, 3 ... by their numbers. If lines are drawn, seeds 3 and 4 are shuffled with
   `SEED lines 3`, seeds 5 to 8 with `SEED lines 5`, 9 to 16 with `SEED lines 9` and so on, the last such set cut where
   the seeds end; a set takes its positions in the order shuffled.
2. All others, in the order of registration, are shuffled with SEED. This is the order of the lot.
3. `byes` selects the positions that stay empty. Without separation the others take the free positions from the
   smallest on, in the order of the lot. If byes were given to entries by name, those take the positions with a bye
   and the rest the positions without, each from the smallest on.
4. With separation, `separation` assigns the positions instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.translation import gettext_noop
from tournament.draw.chance import shuffle
from tournament.draw.graph import (
    BYE,
    Bye,
    EntryId,
    FromBye,
    FromEntry,
    Graph,
    GraphError,
    PairingKey,
)
from tournament.draw.recipes.byes import EmptyPositions, Field, empty_positions
from tournament.draw.recipes.knockout import seed_lines
from tournament.draw.recipes.order_rules import (
    Byes,
    DrawError,
    Entrant,
    OrderRules,
    SeededLines,
    Separate,
    sort_seeded,
)
from tournament.draw.recipes.separation import Sheet, separate_clubs

MOST_ROUNDS = 10


def draw_positions(
    entrants: Sequence[Entrant[EntryId]], rules: OrderRules[EntryId], seed_text: str
) -> list[EntryId | Bye]:
    """Returns the occupant of each position of a knock-out, position 1 first. `entrants` are in the order of
    registration.

    Byes after the last entry are left out. Unless byes or lines are drawn, all byes are there and there are as many
    positions as entries; otherwise 2, 4, 8 … Raises DrawError for entries, seeds or rules that cannot be combined.
    """
    entries = [entrant.entry for entrant in entrants]
    seeds = {entrant.entry: entrant.seed for entrant in entrants if entrant.seed is not None}
    order = draw_order(entries, seeds, seed_text)
    _check(rules, len(entries), len(seeds))
    seeded = sort_seeded(entrants)
    field = Field(entries, _positions_of_seeds(seeded, rules, seed_text))
    empty = empty_positions(field, rules, seed_text)
    lot = order[len(seeded) :]
    if rules.separate is Separate.NONE:
        positions = _in_lot_order(field, empty, lot)
    else:
        clubs = {entrant.entry: entrant.belongs_to(rules.separate) for entrant in entrants}
        lines = seed_lines(field.size.bit_length() - 1)
        fixed = _fixed_positions(field, empty)
        sheet: Sheet[EntryId] = Sheet([fixed[position - 1] for position in lines], empty.bye_winners)
        separated_lines = separate_clubs(sheet, lot, clubs, rules.protected_rounds, seed_text)
        entry_at = dict(zip(lines, separated_lines, strict=True))
        positions = [entry_at[position] for position in range(1, field.size + 1)]
    return _complete(positions, len(entries))


def _check(rules: OrderRules[EntryId], entries: int, seeds: int) -> None:
    if entries < 2:
        raise DrawError(gettext_noop("A draw needs two entries or more."))
    fixed = rules.byes is Byes.TOP_SEEDS and rules.seeded_lines is SeededLines.FIXED
    if 2 * seeds > 1 << (entries - 1).bit_length() and not fixed:
        raise DrawError(
            gettext_noop("With this many seeds, use fixed lines and give the byes to the top seeds.")
        )
    if rules.separate is not Separate.NONE and not 1 <= rules.protected_rounds <= MOST_ROUNDS:
        raise DrawError(gettext_noop("Keep players apart in 1 to {most} rounds."), most=MOST_ROUNDS)
    if rules.by_hand and rules.byes is not Byes.BY_HAND:
        raise DrawError(gettext_noop("To give byes by hand, choose byes by hand for this draw."))


def _positions_of_seeds(
    seeded: Sequence[EntryId], rules: OrderRules[EntryId], seed_text: str
) -> dict[EntryId, int]:
    """Returns the position of each seed, by seed number."""
    ordered = list(seeded)
    if rules.seeded_lines is SeededLines.DRAWN:
        first = 3
        while first <= len(seeded):
            among = slice(first - 1, 2 * first - 2)
            ordered[among] = shuffle(seeded[among], f"{seed_text} lines {first}")
            first = 2 * first - 1
    positions = {entry: position for position, entry in enumerate(ordered, start=1)}
    return {entry: positions[entry] for entry in seeded}


def _fixed_positions(field: Field[EntryId], empty: EmptyPositions[EntryId]) -> list[EntryId | Bye | None]:
    """Returns the positions with seeds and byes, None for positions that are still free."""
    positions: list[EntryId | Bye | None] = [None] * field.size
    for entry, position in field.seeded.items():
        positions[position - 1] = entry
    for position in empty.positions:
        positions[position - 1] = BYE
    return positions


def _in_lot_order(
    field: Field[EntryId], empty: EmptyPositions[EntryId], lot: Sequence[EntryId]
) -> list[EntryId | Bye | None]:
    positions = _fixed_positions(field, empty)
    bye_winners = empty.bye_winners or frozenset()
    free = [place for place, entry in enumerate(positions) if entry is None]
    for has_a_bye in (True, False):
        places = [place for place in free if _is_bye_place(positions, place, empty) is has_a_bye]
        entries = [entry for entry in lot if (entry in bye_winners) is has_a_bye]
        for place, entry in zip(places, entries, strict=True):
            positions[place] = entry
    return positions


def _is_bye_place(
    positions: Sequence[EntryId | Bye | None], place: int, empty: EmptyPositions[EntryId]
) -> bool:
    return empty.bye_winners is not None and positions[-1 - place] is BYE


def _complete(positions: Sequence[EntryId | Bye | None], entries: int) -> list[EntryId | Bye]:
    taken = [entry for entry in positions if entry is not None]
    return taken[:entries] if BYE not in taken[:entries] else taken


def draw_order(entries: Sequence[EntryId], seeds: Mapping[EntryId, int], seed_text: str) -> list[EntryId]:
    """Returns the entries by position, position 1 first.

    Seeds take the first positions in the order of their numbers, on fixed lines. The rest are shuffled behind them, so
    byes go to the seeds first and then by lot. Without seeds the whole draw is by lot. The order of `entries` is part
    of the draw: pass them in a reproducible order, such as the order of registration. Raises DrawError for a repeated
    entry, a seed that is not an entry, and a seed number that is repeated or below 1.
    """
    if len(set(entries)) != len(entries):
        raise DrawError(gettext_noop("An entry is in the draw twice."))
    if not set(entries).issuperset(seeds):
        raise DrawError(gettext_noop("A seeded player is not among the entries of this draw."))
    if len(set(seeds.values())) != len(seeds) or min(seeds.values(), default=1) < 1:
        raise DrawError(gettext_noop("Every seed needs its own number, from 1."))
    seeded = sorted(seeds, key=seeds.__getitem__)
    return seeded + shuffle((entry for entry in entries if entry not in seeds), seed_text)


def apply_order(layout: Graph[PairingKey, int], order: Sequence[EntryId | Bye]) -> Graph[PairingKey, EntryId]:
    """Returns the layout with each position taken by the entry or bye that was drawn for it.

    A bye in the order may be one of the layout's own byes; then no pairing names its position. Raises GraphError if the
    order does not fit the layout.
    """
    seat_at: dict[int, FromEntry[EntryId] | FromBye] = {
        number: FromBye() if isinstance(entry, Bye) else FromEntry(entry)
        for number, entry in enumerate(order, 1)
    }
    positions_of_entries = {number for number, seat in seat_at.items() if isinstance(seat, FromEntry)}
    positions: set[int] = set()

    def take(position: FromEntry[int]) -> FromEntry[EntryId] | FromBye:
        if position.entry is None:
            return FromEntry(None)
        positions.add(position.entry)
        return seat_at.get(position.entry, FromBye())

    graph = layout.with_entries(take)
    if not positions_of_entries <= positions <= seat_at.keys():
        raise GraphError(
            gettext_noop("This draw has {positions:,} positions for {entries:,} entries."),
            positions=len(positions),
            entries=len(order),
        )
    return graph
