"""Where an entry stands in its tournament: the order of its pairings, and whether any of them leads on. Pure.

Works on rows that are loaded already; what a format is called is unknown here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournament.draw.graph import Outcome
from tournament.models import Entry, Feed, Pairing, Shape


class Way(StrEnum):
    """PLAYED: all matches so far are over, and records decide; FINISHED: and no further round follows; BRACKET_WON:
    first in a bracket beside the main one."""

    UNDRAWN = "undrawn"
    MEETS = "meets"
    WAITS = "waits"
    PLAYED = "played"
    FINISHED = "finished"
    OUT = "out"
    CHAMPION = "champion"
    BRACKET_WON = "bracket_won"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Standing:
    """One pairing of the entry: is it over, and did the entry win it."""

    row: Pairing
    is_over: bool
    is_won: bool
    both_lost: bool


def in_order(rows: Iterable[Pairing], feeds: Iterable[Feed]) -> list[Pairing]:
    """By bracket, round and line, but none before one that feeds it: a final comes after the lower bracket."""
    base = sorted(rows, key=lambda row: (row.round.bracket.position, row.round.number, row.line))
    by_id = {row.pk: row for row in base}
    sources: dict[int, list[int]] = {}
    for feed in feeds:
        if feed.source_id in by_id and feed.target_id in by_id:
            sources.setdefault(feed.target_id, []).append(feed.source_id)
    ordered: dict[int, Pairing] = {}

    def take(pk: int) -> None:
        for source in sources.get(pk, ()):
            take(source)
        ordered.setdefault(pk, by_id[pk])

    for row in base:
        take(row.pk)
    return list(ordered.values())


def way_of(entry: Entry, told: Sequence[tuple[Standing, bool]], feeds: Sequence[Feed], crown: object) -> Way:
    """Where the entry stands; `told` its pairings in order, each with whether a match is open. `crown` is the id of
    the bracket whose winner wins the tournament."""
    standings = [standing for standing, _ in told]
    waiting = [has_match for standing, has_match in told if not standing.is_over]
    if not told:
        return Way.WITHDRAWN if entry.is_withdrawn else Way.UNDRAWN
    if waiting:
        return Way.WITHDRAWN if entry.is_withdrawn else Way.MEETS if any(waiting) else Way.WAITS
    ends = [_end(entry, standing, feeds, crown) for standing in _last_ones(entry, standings, feeds)]
    for way in (Way.CHAMPION, Way.WITHDRAWN, Way.WAITS):
        if way in ends or (way is Way.WITHDRAWN and entry.is_withdrawn):
            return way
    return ends[0]


def _last_ones(entry: Entry, standings: Sequence[Standing], feeds: Sequence[Feed]) -> list[Standing]:
    """Those after which the entry has nothing else that follows from them."""
    seated = {standing.row.pk for standing in standings}
    tables = {standing.row.round.bracket_id: standing for standing in standings}
    last = [
        standing
        for standing in standings
        if not any(feed.target_id in seated for feed in _onward(entry, standing, feeds))
        and (_is_tree(standing.row) or tables[standing.row.round.bracket_id] is standing)
    ]
    return last or [standings[-1]]


def _end(entry: Entry, standing: Standing, feeds: Sequence[Feed], crown: object) -> Way:
    row = standing.row
    onward = _onward(entry, standing, feeds)
    if not _is_tree(row):
        if not onward:
            return Way.PLAYED
        return Way.WAITS if any(_is_open(feed) for feed in onward) else Way.OUT
    if onward:
        return Way.WAITS
    if standing.is_won:
        return Way.CHAMPION if row.round.bracket_id == crown else Way.BRACKET_WON
    return Way.OUT


def _onward(entry: Entry, standing: Standing, feeds: Iterable[Feed]) -> list[Feed]:
    """The feeds that can take the entry on from here."""
    row = standing.row
    if not _is_tree(row):
        return [feed for feed in feeds if feed.bracket_id == row.round.bracket_id]
    if standing.both_lost:
        return []
    if standing.is_won:
        ways: tuple[str, ...] = (Outcome.WINNER,)
    elif row.left_id == entry.pk:
        ways = (Outcome.LOSER, Outcome.FIRST_LOSS)
    else:
        ways = (Outcome.LOSER,)
    return [feed for feed in feeds if feed.source_id == row.pk and feed.outcome in ways]


def _is_tree(row: Pairing) -> bool:
    return row.round.bracket.shape == Shape.TREE


def _is_open(feed: Feed) -> bool:
    """Whether nobody has taken the seat that it fills."""
    target = feed.target
    if feed.seat == "left":
        return target.left_id is None and not target.left_is_bye
    return target.right_id is None and not target.right_is_bye
