"""The awards of a side pool for the entries that get furthest among its members. Pure."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Generic, TypeAlias

from tournament.fees.schedule import Condition
from tournament.prizes.places import Award, Entrant, EntryT, Place
from tournament.prizes.rounding import round_down, with_rest
from tournament.prizes.structure import PoolPrizes, PrizeStructure, Rest
from tournament.prizes.table import pool_table


def is_eligible(entrant: Entrant, condition: Condition | None) -> bool:
    return condition is None or condition in entrant.conditions


def members_of(pool: PoolPrizes, entrants: Mapping[EntryT, Entrant]) -> set[EntryT]:
    """The entries that can win the prizes of the pool."""
    return {
        entry
        for entry, entrant in entrants.items()
        if (pool.is_open or pool.key in entrant.pools) and is_eligible(entrant, pool.condition)
    }


def furthest_awards(
    structure: PrizeStructure,
    pool: PoolPrizes,
    money: int,
    places: Mapping[str, Sequence[Place[EntryT]]],
    entrants: Mapping[EntryT, Entrant],
) -> list[Award[EntryT]]:
    """The awards of `money` in the pool whose positions among its members are certain."""
    spans = _spans(members_of(pool, entrants), [places[key] for key in pool.brackets if key in places])
    groups = _furthest(_best_of_players(pool, spans, entrants))
    prizes = pool_table(structure, replace(pool, shares=pool.shares[: groups.count]), money)
    awards, covered = [], 0
    for first, last, entries in groups.certain:
        total = sum(prizes.get(position, 0) for position in range(first, last + 1))
        due = round_down(Fraction(total, len(entries)), structure.unit)
        covered += total - due * len(entries)
        row = Place("", first, last)
        awards += [Award(entry, pool.key, row.line_of(f"pool {pool.key}"), due) for entry in entries]
    return awards if structure.rest is Rest.ORGANIZER else with_rest(awards, f"pool {pool.key} 1", covered)


@dataclass(frozen=True, slots=True)
class _Groups(Generic[EntryT]):
    """Groups of equal entries by how far they got, with their first and last position; only what is certain.

    `count` is the number of entries that take part.
    """

    count: int
    certain: tuple[tuple[int, int, tuple[EntryT, ...]], ...]


def _furthest(spans: Mapping[EntryT, _Span]) -> _Groups[EntryT]:
    by_best: dict[_Key, list[EntryT]] = {}
    for entry, (best, _worst) in sorted(spans.items(), key=lambda span: span[1]):
        by_best.setdefault(best, []).append(entry)
    certain = []
    position = 1
    worst_before: _Key = ()
    following = [*list(by_best)[1:], (_ABSENT,)]
    for (best, equal), next_best in zip(by_best.items(), following, strict=False):
        last = position + len(equal) - 1
        worst = max(spans[entry][1] for entry in equal)
        is_apart = worst_before < best and worst < next_best
        if is_apart and (len(equal) == 1 or worst == best):
            certain.append((position, last, tuple(equal)))
        position, worst_before = last + 1, max(worst, worst_before)
    return _Groups(len(spans), tuple(certain))


_Key: TypeAlias = tuple[int, ...]
_Span: TypeAlias = tuple[_Key, _Key]
_ABSENT = 1 << 30
"""The place of an entry in a bracket that it does not play, worse than any other."""


def _spans(members: Collection[EntryT], brackets: Sequence[Sequence[Place[EntryT]]]) -> dict[EntryT, _Span]:
    """The best and the worst possible places of each member, by bracket; equal once they are certain."""
    spans: dict[EntryT, _Span] = {}
    by_entry = [{row.entry: row for row in rows} for rows in brackets]
    is_over = [bool(rows) and not any(row.still_in for row in rows) for rows in brackets]
    for entry in members:
        if not any(entry in rows for rows in by_entry):
            continue
        best: _Key = ()
        worst: _Key = ()
        for rows, over in zip(by_entry, is_over, strict=True):
            row = rows.get(entry)
            if row is None:
                best, worst = (*best, _ABSENT if over else 1), (*worst, _ABSENT)
            else:
                best = (*best, row.place_from)
                worst = (*worst, row.place_to if row.still_in else row.place_from)
        spans[entry] = (best, worst)
    return spans


def _best_of_players(
    pool: PoolPrizes, spans: Mapping[EntryT, _Span], entrants: Mapping[EntryT, Entrant]
) -> dict[EntryT, _Span]:
    """The spans of the entries, or of the entry of each player that gets furthest if a player counts once."""
    best: dict[Hashable, tuple[_Span, EntryT]] = {}
    for entry, (own_best, own_worst) in spans.items():
        entrant = entrants[entry]
        counts_once = entrant.player is not None and (pool.is_open or pool.key in entrant.kept)
        key = entrant.player if counts_once else entry
        (other_best, other_worst), other = best.get(key, ((own_best, own_worst), entry))
        span = min(own_best, other_best), min(own_worst, other_worst)
        best[key] = span, entry if own_worst <= other_worst else other
    return {entry: span for span, entry in best.values()}
