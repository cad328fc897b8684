"""The awards of each entry by a prize structure. Pure.

The awards of a pot together never exceed it, and entries with equal places are awarded equal amounts.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Generic, TypeAlias, TypeVar

from tournament.fees.schedule import MAIN_POT, Condition
from tournament.prizes.structure import Feat, Part, PoolPrizes, PrizeStructure, Rest, Ties, main_pot
from tournament.prizes.table import PrizeTable, like_main, pool_table, prize_table, split_money
from tournament.prizes.wins import paid_wins, win_parts, with_counts

EntryT = TypeVar("EntryT", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Place(Generic[EntryT]):
    """Places `place_from` to `place_to` of a bracket: shared if the entry is out, still possible if `still_in`.

    `tied_from` and `tied_to` are the places of all entries with the same score before tie-breaks; 0: as the places.
    `wins` do not count byes.
    """

    entry: EntryT
    place_from: int
    place_to: int
    still_in: bool = False
    tied_from: int = 0
    tied_to: int = 0
    wins: int = 0
    feats: frozenset[Feat] = frozenset()

    @property
    def tie(self) -> tuple[int, int]:
        return (self.tied_from or self.place_from, self.tied_to or self.place_to)


@dataclass(frozen=True, slots=True)
class Entrant:
    """The facts that decide the prizes of an entry beside its places: its conditions and its side pools.

    All entries of a `player` count once, with the best of their places, for an extra prize and in a `kept` side pool.
    """

    conditions: frozenset[Condition] = frozenset()
    pools: frozenset[str] = frozenset()
    player: Hashable = None
    kept: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Award(Generic[EntryT]):
    """An entry gets `minor` units from a pot. `line` names the prize within the pot: `main 1`, `consolation 3-4`."""

    entry: EntryT
    pot: str
    line: str
    minor: int


def awards_of(
    structure: PrizeStructure,
    pots: Mapping[str, int],
    places: Mapping[str, Sequence[Place[EntryT]]],
    entrants: Mapping[EntryT, Entrant],
) -> tuple[Award[EntryT], ...]:
    """Returns the awards that are certain now. An entry that is still in gets nothing yet, except for feats.

    `pots` are the minor units that entries paid into each pot. `places` are by bracket; a bracket that will be played
    and has no places yet has an empty list. A pot named after a bracket, such as a jackpot, goes to its winner.
    """
    eligible = {entry for entry, entrant in entrants.items() if _is_eligible(entrant, structure.condition)}
    main: Members[EntryT] = Members(MAIN_POT, eligible if structure.condition else None)
    awards = [*_split_awards(structure, main_pot(structure, pots.get(MAIN_POT, 0)).prizes, places, main)]
    for pool in structure.pools:
        members = {
            entry
            for entry, entrant in entrants.items()
            if (pool.is_open or pool.key in entrant.pools) and _is_eligible(entrant, pool.condition)
        }
        if pool.like_main:
            money = pots.get(pool.key, 0) + pool.added
            awards += _split_awards(
                like_main(structure), money, places, Members(pool.key, members, f"pool {pool.key} ")
            )
            continue
        spans = _spans(members, [places[bracket] for bracket in pool.brackets if bracket in places])
        groups = _furthest(_best_of_players(pool, spans, entrants))
        awards += _pool_awards(structure, pool, pots.get(pool.key, 0) + pool.added, groups)
    for key in sorted(pots.keys() & places.keys() - {MAIN_POT, *(pool.key for pool in structure.pools)}):
        winners = [place for place in places[key] if not place.still_in and place.place_from == 1]
        awards += [Award(place.entry, key, f"{key} 1", pots[key] // len(winners)) for place in winners]
    return tuple(award for award in awards if award.minor)


def least_prize(structure: PrizeStructure, paid_in: int, open_places: Mapping[str, Place[EntryT]]) -> int:
    """The main prizes that an entry gets at least, by its still possible places of each bracket."""
    if structure.bubble or structure.condition or win_parts(structure):
        return 0
    table = prize_table(structure, paid_in)
    least = 0
    for bracket, row in open_places.items():
        prizes = table.places.get(bracket, {})
        lowest = min(prizes.get(place, 0) for place in range(row.place_from, row.place_to + 1))
        least += _round_down(Fraction(lowest), structure.unit)
    return least


def _is_eligible(entrant: Entrant, condition: Condition | None) -> bool:
    return condition is None or condition in entrant.conditions


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
    rows = {
        bracket: _counted_among(places.get(bracket, ()), members.entries) for bracket in structure.brackets
    }
    wins = {
        part: sum(paid_wins(part, row.wins) for row in rows[part.bracket]) for part in win_parts(structure)
    }
    is_open = any(row.still_in for part in wins for row in rows[part.bracket])
    parts_of_members = (
        structure.parts if members.pot == MAIN_POT else list(_held_parts(structure.parts, places, rows))
    )
    achieved = [part for part in parts_of_members if _can_be_won(part, rows[part.bracket])]
    parts = list(with_counts(achieved, wins))
    table = split_money(structure, parts, money)
    awards = list(_feat_awards(table, parts, rows))
    if is_open:
        return awards
    left = 0
    for bracket in structure.brackets:
        prizes = table.places.get(bracket, {})
        amounts = _amounts(structure, prizes, rows[bracket])
        certain = [row for row in rows[bracket] if row.entry in amounts]
        covered = {place for row in certain for place in range(row.place_from, row.place_to + 1)}
        left += sum(prizes.get(place, 0) for place in covered) - sum(amounts.values())
        line = f"{members.prefix}{bracket}"
        awards += [Award(row.entry, members.pot, _line(line, row), amounts[row.entry]) for row in certain]
    if structure.rest is Rest.ORGANIZER:
        return awards
    return _with_rest(awards, f"{members.prefix}{next(iter(structure.brackets), MAIN_POT)} 1", left)


def _held_parts(
    parts: Iterable[Part],
    places: Mapping[str, Sequence[Place[EntryT]]],
    rows: Mapping[str, Sequence[Place[EntryT]]],
) -> Iterator[Part]:
    """The parts of a side pool without the places of finished brackets that no entry of the pool holds."""
    for part in parts:
        everybody = places.get(part.bracket, ())
        is_over = bool(everybody) and not any(row.still_in for row in everybody)
        last = min(part.place_to, len(rows[part.bracket])) if is_over else part.place_to
        if last >= part.place_from:
            yield replace(part, place_to=last)


def _can_be_won(part: Part, rows: Sequence[Place[EntryT]]) -> bool:
    """False for a feat that none of the entries of a finished bracket achieved; its share goes to the places."""
    if part.feat in (None, Feat.WIN) or not rows:
        return True
    return any(row.still_in or part.feat in row.feats for row in rows)


def _counted_among(rows: Sequence[Place[EntryT]], eligible: Collection[EntryT] | None) -> list[Place[EntryT]]:
    """The places among eligible entries only; None: all entries count."""
    if eligible is None:
        return list(rows)
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
            or any(first <= row.place_to and row.place_from <= last for first, last in open_spans),
        )
        for row in rows
        if row.entry in eligible
    ]


def _amounts(
    structure: PrizeStructure, prizes: Mapping[int, int], rows: Sequence[Place[EntryT]]
) -> dict[EntryT, int]:
    """The amount of each entry whose place is certain."""
    certain = [row for row in rows if not row.still_in]
    if structure.bubble and len(certain) < len(rows):
        return {}

    def equal_share(span: tuple[int, int]) -> Fraction:
        places = range(span[0], span[1] + 1)
        return Fraction(sum(prizes.get(place, 0) for place in places), len(places))

    amounts: dict[EntryT, int] = {}
    for row in certain:
        own, tied = equal_share((row.place_from, row.place_to)), equal_share(row.tie)
        due = {Ties.PLACES: own, Ties.RECORDS: tied, Ties.HALF: (own + tied) / 2}[structure.ties]
        amounts[row.entry] = _round_down(due, structure.unit)
    return _with_bubble(structure, certain, amounts) if structure.bubble else amounts


def _round_down(due: Fraction, unit: int) -> int:
    return int(due // unit) * unit


def _with_bubble(
    structure: PrizeStructure, rows: Sequence[Place[EntryT]], amounts: Mapping[EntryT, int]
) -> dict[EntryT, int]:
    """Entries with the same number of wins share what those of them in the money have."""
    shared = dict(amounts)
    for wins in {row.wins for row in rows if amounts[row.entry]}:
        equal = [row.entry for row in rows if row.wins == wins]
        if not all(amounts[entry] for entry in equal):
            due = Fraction(sum(amounts[entry] for entry in equal), len(equal))
            shared |= dict.fromkeys(equal, _round_down(due, structure.unit))
    return shared


def _line(bracket: str, row: Place[EntryT]) -> str:
    shared = "" if row.place_from == row.place_to else f"-{row.place_to}"
    return f"{bracket} {row.place_from}{shared}"


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


def _with_rest(awards: Sequence[Award[EntryT]], line: str, rest: int) -> list[Award[EntryT]]:
    """Adds what rounding left to the awards of first place, equally if several share it."""
    first = [award for award in awards if award.line == line or award.line.startswith(f"{line}-")]
    more = rest // len(first) if first else 0
    return [replace(award, minor=award.minor + more) if award in first else award for award in awards]


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


def _pool_awards(
    structure: PrizeStructure, pool: PoolPrizes, money: int, groups: _Groups[EntryT]
) -> list[Award[EntryT]]:
    prizes = pool_table(structure, replace(pool, shares=pool.shares[: groups.count]), money)
    awards, covered = [], 0
    for first, last, entries in groups.certain:
        total = sum(prizes.get(position, 0) for position in range(first, last + 1))
        due = _round_down(Fraction(total, len(entries)), structure.unit)
        covered += total - due * len(entries)
        row = Place("", first, last)
        awards += [Award(entry, pool.key, _line(f"pool {pool.key}", row), due) for entry in entries]
    return awards if structure.rest is Rest.ORGANIZER else _with_rest(awards, f"pool {pool.key} 1", covered)
