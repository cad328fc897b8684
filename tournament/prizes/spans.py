"""How far the members of a side pool can get in its brackets. Pure."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import TypeAlias

from tournament.prizes.places import Entrant, EntryT, Place
from tournament.prizes.structure import PoolPrizes

Key: TypeAlias = tuple[int, ...]
Span: TypeAlias = tuple[Key, Key]
ABSENT = 1 << 30
"""The place of an entry in a bracket that it does not play, worse than any other."""

BEHIND_ALL: Key = (ABSENT + 1,)


def spans_of(members: Collection[EntryT], brackets: Sequence[Sequence[Place[EntryT]]]) -> dict[EntryT, Span]:
    """The best and the worst possible places of each member, by bracket; equal once they are certain."""
    spans: dict[EntryT, Span] = {}
    by_entry = [{row.entry: row for row in rows} for rows in brackets]
    ended = [is_over(rows) for rows in brackets]
    for entry in members:
        if not any(entry in rows for rows in by_entry):
            continue
        best: Key = ()
        worst: Key = ()
        for rows, over in zip(by_entry, ended, strict=True):
            row = rows.get(entry)
            if row is None:
                best, worst = (*best, ABSENT if over else 1), (*worst, ABSENT)
            else:
                best = (*best, row.place_from)
                worst = (*worst, row.place_to if row.still_in else row.place_from)
        spans[entry] = (best, worst)
    return spans


def best_of_players(
    pool: PoolPrizes, spans: Mapping[EntryT, Span], entrants: Mapping[EntryT, Entrant]
) -> dict[EntryT, Span]:
    """The spans of the entries, or of the entry of each player that gets furthest if a player counts once."""
    best: dict[Hashable, tuple[Span, EntryT]] = {}
    for entry, (own_best, own_worst) in spans.items():
        entrant = entrants[entry]
        counts_once = entrant.player is not None and (pool.is_open or pool.key in entrant.kept)
        key = entrant.player if counts_once else entry
        (other_best, other_worst), other = best.get(key, ((own_best, own_worst), entry))
        span = min(own_best, other_best), min(own_worst, other_worst)
        best[key] = span, entry if own_worst <= other_worst else other
    return {entry: span for span, entry in best.values()}


def brackets_of(
    pool: PoolPrizes, places: Mapping[str, Sequence[Place[EntryT]]]
) -> list[Sequence[Place[EntryT]]]:
    """The places of the brackets that decide a side pool, in their order."""
    return [places[key] for key in pool.brackets if key in places]


def may_enter_later(
    brackets: Sequence[Sequence[Place[EntryT]]],
    places: Mapping[str, Sequence[Place[EntryT]]],
    members: Collection[EntryT] | None = None,
) -> bool:
    """True if an entry that is still in elsewhere could come into one of the brackets, and is in none of them yet.

    `members`: only these entries are asked for; None: all.
    """
    if all(is_over(rows) for rows in brackets):
        return False
    present = {row.entry for rows in brackets for row in rows}
    others = {row.entry for rows in places.values() for row in rows if row.still_in} - present
    return bool(others) if members is None else not others.isdisjoint(members)


def is_complete(rows: Sequence[Place[EntryT]], places: Mapping[str, Sequence[Place[EntryT]]]) -> bool:
    """True if the bracket has entries and no further one comes into it."""
    return bool(rows) and not may_enter_later([rows], places)


def is_over(rows: Sequence[Place[EntryT]]) -> bool:
    return bool(rows) and not any(row.still_in for row in rows)
