"""The least and the most that an entry gets from prizes that are not certain yet. Pure.

The least is never more than any end of the draw gives. It can be less for an entry with several matches to play,
because places that entries may share later are not shared here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Generic, NamedTuple, TypeAlias

from tournament.prizes.awards import counted_among, held_parts
from tournament.prizes.places import Entrant, EntryT, Place
from tournament.prizes.pool_awards import certain_groups, members_of
from tournament.prizes.rounding import round_down, shared_prize
from tournament.prizes.spans import (
    ABSENT,
    Span,
    best_of_players,
    brackets_of,
    is_complete,
    may_enter_later,
    spans_of,
)
from tournament.prizes.structure import Part, PoolPrizes, PrizeStructure, main_pot
from tournament.prizes.table import like_main, split_money, split_of_pool
from tournament.prizes.wins import win_parts


class OpenPrize(NamedTuple):
    """The least and the most minor units, without what rounding leaves for first place."""

    least: int
    most: int


Places: TypeAlias = "Mapping[str, Sequence[Place[EntryT]]]"
Entrants: TypeAlias = "Mapping[EntryT, Entrant]"


def least_prize(
    structure: PrizeStructure,
    paid_in: int,
    open_places: Mapping[str, Place[EntryT]],
    places: Places[EntryT],
) -> int:
    """The main prizes that an entry gets at least, by its still possible places of each bracket."""
    is_complete_split = all(
        is_complete(places[part.bracket], places) for part in structure.parts if part.bracket in places
    )
    depends_on_the_rest = structure.bubble or structure.condition or win_parts(structure)
    if depends_on_the_rest or (structure.minimum and not is_complete_split):
        return 0
    parts = list(held_parts(structure.parts, places, places))
    table = split_money(structure, parts, main_pot(structure, paid_in).prizes)
    least = 0
    for bracket, row in open_places.items():
        prizes = table.places.get(bracket, {})
        lowest = min(prizes.get(place, 0) for place in range(row.place_from, row.place_to + 1))
        least += round_down(Fraction(lowest), structure.unit)
    return least


def open_pool_prizes(
    structure: PrizeStructure,
    pots: Mapping[str, int],
    places: Places[EntryT],
    entrants: Entrants[EntryT],
    entry: EntryT,
) -> dict[str, OpenPrize]:
    """The prizes of an entry by key of the side pool. Those that `awards_of` awards already are left out."""
    prizes: dict[str, OpenPrize] = {}
    for pool in structure.pools:
        members = members_of(pool, entrants)
        if entry in members:
            money = pots.get(pool.key, 0) + pool.added
            if pool.like_main:
                prize = _open_like_main(structure, money, places, members, entry)
            else:
                prize = _open_furthest(structure, pool, money, (places, entrants), entry)
            if prize is not None:
                prizes[pool.key] = prize
    return prizes


def _open_furthest(
    structure: PrizeStructure,
    pool: PoolPrizes,
    money: int,
    facts: tuple[Places[EntryT], Entrants[EntryT]],
    entry: EntryT,
) -> OpenPrize | None:
    places, entrants = facts
    members, brackets = members_of(pool, entrants), brackets_of(pool, places)
    if may_enter_later(brackets, places, members):
        return OpenPrize(0, money)
    spans = spans_of(members, brackets)
    counted = best_of_players(pool, spans, entrants)
    groups = certain_groups(counted)
    if entry not in counted or any(entry in entries for _first, _last, entries in groups.certain):
        return None
    if counted[entry] != spans[entry]:
        return OpenPrize(0, money)
    table = split_of_pool(structure, replace(pool, shares=pool.shares[: groups.count]), money)
    prizes = table.exact.get(pool.key, {})
    is_whole = not may_enter_later(brackets[:1], places)
    return Contest(brackets, members, counted, is_whole).prize_of(entry, prizes, structure.unit)


def _open_like_main(
    structure: PrizeStructure,
    money: int,
    places: Places[EntryT],
    members: Collection[EntryT],
    entry: EntryT,
) -> OpenPrize | None:
    split = like_main(structure)
    rows = {key: counted_among(places, key, members) for key in split.brackets}
    open_brackets = [key for key in rows if any(row.entry == entry and row.still_in for row in rows[key])]
    is_fixed = all(_is_held(part, places, rows) for part in split.parts)
    if not is_fixed or any(may_enter_later([places[key]], places) for key in open_brackets):
        return OpenPrize(0, money)
    if not open_brackets:
        return None
    table = split_money(split, list(held_parts(split.parts, places, rows)), money)
    prizes = [
        Contest([places[key]], members, spans_of(members, [places[key]])).prize_of(
            entry, table.exact.get(key, {}), split.unit
        )
        for key in open_brackets
    ]
    return OpenPrize(sum(prize.least for prize in prizes), sum(prize.most for prize in prizes))


def _is_held(part: Part, places: Places[EntryT], rows: Places[EntryT]) -> bool:
    """False while members may turn out to be too few for the places of a part. Its share then goes to the others."""
    everybody = places.get(part.bracket)
    return everybody is None or is_complete(everybody, places) or len(rows[part.bracket]) >= part.place_to


@dataclass(frozen=True, slots=True)
class Contest(Generic[EntryT]):
    """The brackets that decide in this order which of the members get further.

    `spans`: how far those members can get that count for their players. `is_whole`: no further entry comes into the
    first bracket.
    """

    brackets: Sequence[Sequence[Place[EntryT]]]
    members: Collection[EntryT]
    spans: Mapping[EntryT, Span]
    is_whole: bool = True

    def prize_of(self, entry: EntryT, prizes: Mapping[int, Fraction], unit: int) -> OpenPrize:
        """The prizes are by position among the members; members who get equally far share them."""
        amounts = [_shared(prizes, unit, *position) for position in self._positions_of(entry)]
        return OpenPrize(min(amounts, default=0), max(amounts, default=0))

    def _positions_of(self, entry: EntryT) -> set[tuple[int, int]]:
        """The possible numbers of members that get further than the entry, and of those that get equally far."""
        rivals = [span for other, span in self.spans.items() if other != entry]
        least = self._never_behind(entry, rivals)
        most = sum(best <= self.spans[entry][1] for best, _worst in rivals)
        positions = self._positions(entry, 0, rivals, rivals)
        return {(further, equal) for further, equal in positions if least <= further + equal <= most}

    def _never_behind(self, entry: EntryT, rivals: Sequence[Span]) -> int:
        """The number of members who get at least as far as the entry, if one bracket decides and it is out of it."""
        own = next((row for row in self.brackets[0] if row.entry == entry), None)
        if len(self.brackets) > 1 or own is None or own.still_in:
            return 0
        return sum(worst[0] <= own.place_to for _best, worst in rivals)

    def _positions(
        self, entry: EntryT, level: int, rivals: Sequence[Span], certain: Sequence[Span]
    ) -> Iterator[tuple[int, int]]:
        """`rivals` can be equal to the entry in all brackets before this one; `certain` are equal to it for sure."""
        first, last = (key[level] for key in self.spans[entry])
        if first != last:
            most = min(_count_to(rivals, level, last), last - 1 - self._others_within(level, last))
            least = sum(worst[level] < first for _best, worst in certain)
            yield from ((further, 0) for further in range(least, most + 1))
            return
        further = self._further(level, first, rivals, certain)
        level_rivals = [span for span in rivals if span[0][level] <= first <= span[1][level]]
        level_certain = [span for span in certain if span[0][level] == first == span[1][level]]
        if level + 1 < len(self.brackets):
            behind = self._positions(entry, level + 1, level_rivals, level_certain)
            yield from ((before + more, equal) for more, equal in behind for before in further)
        else:
            equals = self._equals(entry, level, len(level_rivals), len(level_certain))
            yield from ((before, equal) for before in further for equal in equals)

    def _further(self, level: int, place: int, rivals: Sequence[Span], certain: Sequence[Span]) -> range:
        """The possible numbers of members in better places of this bracket than this one, which is certain."""
        most = min(_count_to(rivals, level, place - 1), place - 1 - self._others_within(level, place - 1))
        least = sum(worst[level] < place for _best, worst in certain)
        if level == 0 and self.is_whole and place != ABSENT:
            others = [row for row in self.brackets[level] if row.entry not in self.spans]
            least = max(least, place - 1 - sum(row.place_from < place for row in others))
        return range(least, most + 1)

    def _equals(self, entry: EntryT, level: int, most: int, least: int) -> range:
        """The possible numbers of members who share the certain place of the entry in the last bracket."""
        own = next((row for row in self.brackets[level] if row.entry == entry), None)
        if own is not None:
            room = own.place_to - own.place_from
            inside = [row for row in self.brackets[level] if _can_share(row, own)]
            others = [row for row in inside if row.entry not in self.members and not row.still_in]
            most = min(most, room - len(others))
            if level == 0 and self.is_whole:
                least = max(least, room - sum(row.entry not in self.spans for row in inside))
        return range(least, most + 1)

    def _others_within(self, level: int, place: int) -> int:
        """The number of entries outside the pool that are certain of this place or a better one."""
        return sum(row.entry not in self.members and row.place_to <= place for row in self.brackets[level])


def _count_to(rivals: Iterable[Span], level: int, place: int) -> int:
    return sum(best[level] <= place for best, _worst in rivals)


def _can_share(row: Place[EntryT], own: Place[EntryT]) -> bool:
    return row.place_from <= own.place_to and own.place_from <= row.place_to


def _shared(prizes: Mapping[int, Fraction], unit: int, further: int, equal: int) -> int:
    positions = range(further + 1, further + equal + 2)
    shared = [prizes[position] for position in positions if position in prizes]
    return round_down(shared_prize(shared, len(positions)), unit)
