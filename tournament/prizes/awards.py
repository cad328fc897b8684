"""The awards of each entry by a prize structure. Pure.

The awards of a pot together never exceed it, and entries with equal places are awarded equal amounts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Generic

from tournament.fees.schedule import MAIN_POT
from tournament.prizes.places import Award, Entrant, EntryT, Place
from tournament.prizes.pool_awards import furthest_awards, is_eligible, members_of
from tournament.prizes.rounding import round_down, shared_prize, with_rest
from tournament.prizes.spans import is_complete, may_enter_later
from tournament.prizes.structure import Feat, Part, PrizeStructure, Rest, Ties, main_pot
from tournament.prizes.table import PrizeTable, bracket_of_first, like_main, split_money
from tournament.prizes.wins import paid_wins, win_parts, with_counts


def awards_of(
    structure: PrizeStructure,
    pots: Mapping[str, int],
    places: Mapping[str, Sequence[Place[EntryT]]],
    entrants: Mapping[EntryT, Entrant],
) -> tuple[Award[EntryT], ...]:
    """Returns the awards that are certain now. An entry that is still in gets nothing yet, except for feats.

    `pots` are the minor units that entries paid into each pot. `places` are by bracket; a bracket that will be played
    and has no places yet has an empty list, and one that is not played is missing. A pot named after a bracket, such
    as a jackpot, goes to its winner.
    """
    eligible = {entry for entry, entrant in entrants.items() if is_eligible(entrant, structure.condition)}
    main: Members[EntryT] = Members(MAIN_POT, eligible if structure.condition else None)
    awards = [*_split_awards(structure, main_pot(structure, pots.get(MAIN_POT, 0)).prizes, places, main)]
    for pool in structure.pools:
        money = pots.get(pool.key, 0) + pool.added
        if pool.like_main:
            members = Members(pool.key, members_of(pool, entrants), f"pool {pool.key} ")
            awards += _split_awards(like_main(structure), money, places, members)
        else:
            awards += furthest_awards(structure, pool, money, places, entrants)
    for key in sorted(pots.keys() & places.keys() - {MAIN_POT, *(pool.key for pool in structure.pools)}):
        winners = [place for place in places[key] if not place.still_in and place.place_from == 1]
        awards += [Award(place.entry, key, f"{key} 1", pots[key] // len(winners)) for place in winners]
    return tuple(award for award in awards if award.minor)


@dataclass(frozen=True, slots=True)
class Members(Generic[EntryT]):
    """The pot of a split, and the entries that its places count; None: all. Lines begin with `prefix`."""

    pot: str
    entries: Collection[EntryT] | None = None
    prefix: str = ""


def _split_awards(
    structure: PrizeStructure,
    money: int,
    places: Mapping[str, Sequence[Place[EntryT]]],
    members: Members[EntryT],
) -> list[Award[EntryT]]:
    rows = {key: counted_among(places, key, members.entries) for key in structure.brackets}
    wins = {
        part: sum(paid_wins(part, row.wins) for row in rows[part.bracket]) for part in win_parts(structure)
    }
    is_open = any(row.still_in for part in wins for row in rows[part.bracket])
    held = held_parts(structure.parts, places, rows)
    achieved = [won for part in held if (won := _of_holders(part, rows[part.bracket])) is not None]
    parts = list(with_counts(achieved, wins))
    table = split_money(structure, parts, money)
    awards = list(_feat_awards(table, parts, rows))
    if is_open:
        return awards
    left = 0
    for bracket in structure.brackets:
        prizes = table.places.get(bracket, {})
        amounts = _amounts(structure, table.exact.get(bracket, {}), rows[bracket])
        certain = [row for row in rows[bracket] if row.entry in amounts]
        covered = {place for row in certain for place in range(row.place_from, row.place_to + 1)}
        left += sum(prizes.get(place, 0) for place in covered) - sum(amounts.values())
        line = f"{members.prefix}{bracket}"
        awards += [Award(row.entry, members.pot, row.line_of(line), amounts[row.entry]) for row in certain]
    if structure.rest is Rest.ORGANIZER:
        return awards
    return with_rest(awards, f"{members.prefix}{bracket_of_first(table.places)} 1", left)


def held_parts(
    parts: Iterable[Part],
    places: Mapping[str, Sequence[Place[EntryT]]],
    rows: Mapping[str, Sequence[Place[EntryT]]],
) -> Iterator[Part]:
    """The parts without the places that no entry of the pot can get: those of a bracket that is not played, and those
    behind the last entry of one that gets no further entries. Their money goes to the others.
    """
    for part in parts:
        if part.bracket not in places:
            continue
        has_all = is_complete(places[part.bracket], places) and not part.feat
        last = min(part.place_to, len(rows[part.bracket])) if has_all else part.place_to
        if last >= part.place_from:
            yield replace(part, place_to=last)


def _of_holders(part: Part, rows: Sequence[Place[EntryT]]) -> Part | None:
    """The part of a feat in a finished bracket, for as many entries as achieved it; None without any. Its share goes
    to the others.
    """
    if part.feat in (None, Feat.WIN) or not rows or any(row.still_in for row in rows):
        return part
    holders = sum(part.feat in row.feats for row in rows)
    return replace(part, place_to=part.place_from + min(holders, part.count) - 1) if holders else None


def counted_among(
    places: Mapping[str, Sequence[Place[EntryT]]], bracket: str, eligible: Collection[EntryT] | None
) -> list[Place[EntryT]]:
    """The places of a bracket among eligible entries only; None: all entries count."""
    rows = places.get(bracket, ())
    if eligible is None:
        return list(rows)
    is_open = may_enter_later([rows], places)
    others = [row for row in rows if row.entry not in eligible]
    open_spans = [(row.place_from, row.place_to) for row in others if row.still_in]

    def moved(place: int) -> int:
        return place - sum(row.place_from < place for row in others)

    return [
        replace(
            row,
            place_from=moved(row.place_from),
            place_to=moved(row.place_to + 1) - 1,
            tied_from=moved(row.tie[0]),
            tied_to=moved(row.tie[1] + 1) - 1,
            still_in=row.still_in
            or is_open
            or any(first <= row.place_to and row.place_from <= last for first, last in open_spans),
        )
        for row in rows
        if row.entry in eligible
    ]


def _amounts(
    structure: PrizeStructure, exact: Mapping[int, Fraction], rows: Sequence[Place[EntryT]]
) -> dict[EntryT, int]:
    """The amount of each entry whose place is certain: its share of the `exact` prizes, rounded once.

    Equal records share only if each gets the smallest prize; otherwise their places decide.
    """
    certain = [row for row in rows if not row.still_in]
    if structure.bubble and len(certain) < len(rows):
        return {}

    def equal_share(span: tuple[int, int]) -> Fraction:
        places = range(span[0], span[1] + 1)
        return shared_prize([exact[place] for place in places if place in exact], len(places))

    amounts: dict[EntryT, int] = {}
    for row in certain:
        own, tied = equal_share((row.place_from, row.place_to)), equal_share(row.tie)
        shares = {Ties.PLACES: own, Ties.RECORDS: tied, Ties.HALF: (own + tied) / 2}
        due = own if tied < structure.minimum else shares[structure.ties]
        amounts[row.entry] = round_down(due, structure.unit)
    return _with_bubble(structure, certain, amounts) if structure.bubble else amounts


def _with_bubble(
    structure: PrizeStructure, rows: Sequence[Place[EntryT]], amounts: Mapping[EntryT, int]
) -> dict[EntryT, int]:
    """Entries with the same number of wins share what those of them in the money have."""
    shared = dict(amounts)
    for wins in {row.wins for row in rows if amounts[row.entry]}:
        equal = [row.entry for row in rows if row.wins == wins]
        if not all(amounts[entry] for entry in equal):
            due = Fraction(sum(amounts[entry] for entry in equal), len(equal))
            shared |= dict.fromkeys(equal, round_down(due, structure.unit))
    return shared


def _feat_awards(
    table: PrizeTable, parts: Iterable[Part], rows: Mapping[str, Sequence[Place[EntryT]]]
) -> Iterator[Award[EntryT]]:
    for part in parts:
        if part.feat is Feat.WIN:
            for row in rows[part.bracket]:
                minor = table.feats[part.bracket, part.feat] * paid_wins(part, row.wins)
                yield Award(row.entry, MAIN_POT, f"{part.bracket} {part.feat}", minor)
        elif part.feat:
            holders = [row.entry for row in rows[part.bracket] if part.feat in row.feats]
            each = table.feats[part.bracket, part.feat]
            if len(holders) > part.count:
                each = each * part.count // len(holders)
            for entry in holders:
                yield Award(entry, MAIN_POT, f"{part.bracket} {part.feat}", each)
