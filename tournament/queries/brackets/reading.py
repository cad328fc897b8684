"""Reads what brackets are shown from: pairings with their matches, and all that is known around them. Reads only."""

import uuid
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db.models import F, FilteredRelation, Q

from matches.values import query_values
from tournament.draw.graph import Outcome
from tournament.models import Bracket, Call, Pairing, Result, ResultKind, SeatChange, Tournament
from tournament.queries.brackets.numbering import ByeChanged, Fed, Number, Spot, comings, numbers
from tournament.queries.brackets.shown import Coming
from tournament.queries.entries.names import Entrant, entrants_of

PAIRING = (
    "id",
    "round_id",
    "line",
    "left_id",
    "right_id",
    "left_is_bye",
    "right_is_bye",
    "winner_id",
    "settled",
    "match_id",
    "match__state",
    "match__left",
    "match__left_points",
    "match__right_points",
    "match__is_crawford",
    "match__version",
)
FED = ("pk", "fed__seat", "fed__source_id", "fed__outcome", "fed__bracket__key", "fed__place")


class Row(NamedTuple):
    """A pairing and its match as they are stored: `PAIRING`, and whether the match has begun."""

    id: int
    round_id: int
    line: int
    left_id: uuid.UUID | None
    right_id: uuid.UUID | None
    left_is_bye: bool
    right_is_bye: bool
    winner_id: uuid.UUID | None
    settled: str
    match_id: uuid.UUID | None
    match_state: str | None
    match_left: uuid.UUID | None
    left_points: int | None
    right_points: int | None
    is_crawford: bool | None
    version: int | None
    has_begun: bool


class Posted(NamedTuple):
    """What counts of a pairing's posted result."""

    kind: str
    winner: uuid.UUID | None
    left: int | None
    right: int | None


class Around(NamedTuple):
    """What is known around the pairings: who plays, numbers, who will come, posted results, second finals, the brackets
    whose winners play on in another, the tables that matches are called to, and where winners play next."""

    entrants: Mapping[uuid.UUID, Entrant]
    numbers: Mapping[int, Number]
    coming: Mapping[Spot, Coming]
    posted: Mapping[int, Posted]
    again: frozenset[int]
    leading: frozenset[str]
    tables: Mapping[int, str]
    onward: Mapping[int, int]


def rows_of(brackets: Sequence[Bracket]) -> list[Row]:
    rows = Pairing.objects.filter(round__bracket__in=brackets).order_by("round__number", "line")
    begun = rows.annotate(has_begun=Q(match__began_at__isnull=False))
    return [Row(*values) for values in query_values(begun.values_list(*PAIRING, "has_begun"))]


def around_of(tournament: Tournament, brackets: Sequence[Bracket]) -> Around:
    """Numbers need the whole draw: who never came to one bracket is missed in another."""
    drawn, feeds = _drawn(tournament)
    numbered = numbers(drawn, feeds, _changed(tournament))
    where = {pairing: key for key, pairings in drawn.items() for pairing in pairings}
    shown = {bracket.key for bracket in brackets}
    across = [(feed, where[feed.source]) for feed in feeds if feed.source is not None]
    return Around(
        entrants_of(tournament),
        numbered,
        comings([feed for feed in feeds if where[feed.target] in shown], numbered),
        _posted(brackets),
        again=frozenset(
            feed.target
            for feed, key in across
            if feed.outcome == Outcome.FIRST_LOSS and where[feed.target] == key
        ),
        leading=frozenset(
            key for feed, key in across if feed.outcome == Outcome.WINNER and where[feed.target] != key
        ),
        tables=_tables(brackets),
        onward={
            feed.source: feed.target
            for feed, key in across
            if feed.outcome == Outcome.WINNER and where[feed.target] == key and feed.source is not None
        },
    )


def _drawn(tournament: Tournament) -> tuple[Mapping[str, Sequence[int]], list[Fed]]:
    """The pairings of each bracket by round and line, and what fills their seats beside entries."""
    others = FilteredRelation("fed_by", condition=Q(fed_by__entry__isnull=True))
    pairings = Pairing.objects.filter(round__bracket__tournament=tournament).annotate(fed=others)
    rows = pairings.order_by("round__bracket__position", "round__number", "line")
    drawn: dict[str, dict[int, None]] = {}
    feeds: list[Fed] = []
    for bracket, pairing, seat, *source in query_values(rows.values_list("round__bracket__key", *FED)):
        drawn.setdefault(bracket, {})[pairing] = None
        if seat is not None:
            feeds.append(Fed(pairing, seat, *source))
    return {bracket: list(pairings) for bracket, pairings in drawn.items()}, feeds


def _changed(tournament: Tournament) -> list[ByeChanged]:
    """Where a bye was given to somebody, or somebody's seat became a bye."""
    rows = SeatChange.objects.filter(feed__target__round__bracket__tournament=tournament).exclude(
        Q(before__isnull=False) & Q(after__isnull=False)
    )
    told = list(rows.select_related("feed"))
    became_bye = {row.at: row.feed.target_id for row in told if row.after_id is None}
    return [
        ByeChanged(
            (row.feed.target_id, row.feed.seat),
            row.after_id is None,
            became_bye.get(row.at) if row.after_id is not None else None,
        )
        for row in told
    ]


def _posted(brackets: Sequence[Bracket]) -> dict[int, Posted]:
    standing = Result.objects.filter(pairing__round__bracket__in=brackets, superseded_by__isnull=True)
    told = standing.exclude(kind=ResultKind.RETRACTED)
    seats = told.annotate(is_turned=Q(left=F("pairing__right")))
    rows = seats.values_list("pairing_id", "is_turned", "kind", "winner_id", "left_points", "right_points")
    return {
        pairing: Posted(kind, winner, *((right, left) if is_turned else (left, right)))
        for pairing, is_turned, kind, winner, left, right in query_values(rows)
    }


def _tables(brackets: Sequence[Bracket]) -> dict[int, str]:
    """Where the matches that are called now are played."""
    standing = Call.objects.filter(pairing__round__bracket__in=brackets, ended_at__isnull=True)
    return dict(standing.filter(table__isnull=False).values_list("pairing_id", "table__name"))
