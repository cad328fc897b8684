"""The awards of a side pool for the entries that get furthest among its members. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from tournament.fees.schedule import Condition
from tournament.prizes.places import Award, Entrant, EntryT, Place
from tournament.prizes.rounding import round_down, shared_prize, with_rest
from tournament.prizes.spans import (
    ABSENT,
    BEHIND_ALL,
    Key,
    Span,
    best_of_players,
    brackets_of,
    is_over,
    may_enter_later,
    spans_of,
)
from tournament.prizes.structure import PoolPrizes, PrizeStructure, Rest
from tournament.prizes.table import split_of_pool


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
    members, brackets = members_of(pool, entrants), brackets_of(pool, places)
    if may_enter_later(brackets, places, members):
        return []
    spans = spans_of(members, brackets) or _all_absent(members, brackets, places)
    groups = certain_groups(best_of_players(pool, spans, entrants))
    table = split_of_pool(structure, replace(pool, shares=pool.shares[: groups.count]), money)
    prizes, exact = table.places.get(pool.key, {}), table.exact.get(pool.key, {})
    awards, covered = [], 0
    for first, last, entries in groups.certain:
        positions = range(first, last + 1)
        shared = shared_prize([exact[place] for place in positions if place in exact], len(entries))
        due = round_down(shared, structure.unit)
        covered += sum(prizes.get(position, 0) for position in positions) - due * len(entries)
        row = Place("", first, last)
        awards += [Award(entry, pool.key, row.line_of(f"pool {pool.key}"), due) for entry in entries]
    return awards if structure.rest is Rest.ORGANIZER else with_rest(awards, f"pool {pool.key} 1", covered)


def _all_absent(
    members: Collection[EntryT],
    brackets: Sequence[Sequence[Place[EntryT]]],
    places: Mapping[str, Sequence[Place[EntryT]]],
) -> dict[EntryT, Span]:
    """The members who played elsewhere are equal, if none of them reached one of the brackets, which are over."""
    if not brackets or not all(is_over(rows) for rows in brackets):
        return {}
    absent = (ABSENT,) * len(brackets)
    playing = {row.entry for rows in places.values() for row in rows}
    return {entry: (absent, absent) for entry in members if entry in playing}


@dataclass(frozen=True, slots=True)
class Groups(Generic[EntryT]):
    """Groups of equal entries by how far they got, with their first and last position; only what is certain.

    `count` is the number of entries that take part.
    """

    count: int
    certain: tuple[tuple[int, int, tuple[EntryT, ...]], ...]


def certain_groups(spans: Mapping[EntryT, Span]) -> Groups[EntryT]:
    by_best: dict[Key, list[EntryT]] = {}
    for entry, (best, _worst) in sorted(spans.items(), key=lambda span: span[1]):
        by_best.setdefault(best, []).append(entry)
    certain = []
    position = 1
    worst_before: Key = ()
    following = [*list(by_best)[1:], BEHIND_ALL]
    for (best, equal), next_best in zip(by_best.items(), following, strict=False):
        last = position + len(equal) - 1
        worst = max(spans[entry][1] for entry in equal)
        is_apart = worst_before < best and worst < next_best
        if is_apart and (len(equal) == 1 or worst == best):
            certain.append((position, last, tuple(equal)))
        position, worst_before = last + 1, max(worst, worst_before)
    return Groups(len(spans), tuple(certain))
