"""Loads the facts that complete the pairings of brackets: names, numbers, expected players, results and tables.

The number of statements is constant, also for several tournaments.
"""

import uuid
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db.models import F, FilteredRelation, Q

from tournament.draw.graph import Outcome
from tournament.models import Bracket, Call, Pairing, Result, ResultKind, SeatChange, Tournament
from tournament.queries.brackets.bracket_view import Coming
from tournament.queries.brackets.numbering import (
    ByeChanged,
    Number,
    SeatSource,
    Spot,
    expected_players,
    number_pairings,
)
from tournament.queries.entries.names import Entrant, entrants_by_id

FEED_FIELDS = ("pk", "fed__seat", "fed__source_id", "fed__outcome", "fed__bracket__key", "fed__place")


class PairingResult(NamedTuple):
    """The current result of a pairing, its points by the seats of the pairing."""

    kind: str
    winner: uuid.UUID | None
    left: int | None
    right: int | None


class BracketContext(NamedTuple):
    """The facts that complete the rows of pairings.

    `second_finals` are pairings, `leading_on` the keys of brackets whose winners play on in another, `tables` the names
    of the tables of called matches, `onward` the pairing where the winner plays next.
    """

    entrants: Mapping[uuid.UUID, Entrant]
    numbers: Mapping[int, Number]
    coming: Mapping[Spot, Coming]
    posted: Mapping[int, PairingResult]
    second_finals: frozenset[int]
    leading_on: frozenset[str]
    tables: Mapping[int, str]
    onward: Mapping[int, int]


class _DrawnPairings(NamedTuple):
    """The pairings of each bracket of a tournament by round and line, and the facts that number them.

    `feeds` are the sources of seats that no entry was drawn to. `bye_changes` gave a bye to an entry or made a seat a
    bye.
    """

    by_bracket: dict[str, dict[int, None]]
    feeds: list[SeatSource]
    bye_changes: list[ByeChanged]


def load_contexts(
    tournaments: Sequence[Tournament], brackets: Sequence[Bracket]
) -> dict[uuid.UUID, BracketContext]:
    """Loads the context of these brackets by tournament. Numbering needs all pairings of a tournament."""
    entrants, posted, tables = entrants_by_id(tournaments), _results(brackets), _tables(brackets)
    keys: dict[uuid.UUID, set[str]] = {tournament.pk: set() for tournament in tournaments}
    for bracket in brackets:
        keys[bracket.tournament_id].add(bracket.key)
    return {
        tournament_id: _numbered_context(drawn, keys[tournament_id])._replace(
            entrants=entrants, posted=posted, tables=tables
        )
        for tournament_id, drawn in _drawn_pairings(tournaments).items()
    }


def load_numbers(*tournaments: Tournament) -> Mapping[int, Number]:
    """The numbers of the matches of all brackets of these tournaments, by pairing."""
    numbers: dict[int, Number] = {}
    for drawn in _drawn_pairings(tournaments).values():
        numbers |= _numbered_context(drawn, set()).numbers
    return numbers


def match_number(pairing: Pairing) -> str:
    """The number of the match as the bracket shows it, such as “C12”; empty for a bye."""
    number = load_numbers(pairing.round.bracket.tournament).get(pairing.pk)
    return number.called if number else ""


def _numbered_context(drawn: _DrawnPairings, bracket_keys: set[str]) -> BracketContext:
    """The part of the context that follows from the graph of the draw."""
    numbered = number_pairings(
        {key: list(pairings) for key, pairings in drawn.by_bracket.items()}, drawn.feeds, drawn.bye_changes
    )
    where = {pairing: key for key, pairings in drawn.by_bracket.items() for pairing in pairings}
    across = [(feed, where[feed.source]) for feed in drawn.feeds if feed.source is not None]
    return BracketContext(
        entrants={},
        numbers=numbered,
        coming=expected_players(
            [feed for feed in drawn.feeds if where[feed.target] in bracket_keys], numbered
        ),
        posted={},
        second_finals=frozenset(
            feed.target
            for feed, key in across
            if feed.outcome == Outcome.FIRST_LOSS and where[feed.target] == key
        ),
        leading_on=frozenset(
            key for feed, key in across if feed.outcome == Outcome.WINNER and where[feed.target] != key
        ),
        tables={},
        onward={
            feed.source: feed.target
            for feed, key in across
            if feed.outcome == Outcome.WINNER and where[feed.target] == key and feed.source is not None
        },
    )


def _drawn_pairings(tournaments: Sequence[Tournament]) -> dict[uuid.UUID, _DrawnPairings]:
    drawn = {tournament.pk: _DrawnPairings({}, [], []) for tournament in tournaments}
    others = FilteredRelation("fed_by", condition=Q(fed_by__entry__isnull=True))
    pairings = Pairing.objects.filter(round__bracket__tournament__in=tournaments).annotate(fed=others)
    rows = pairings.order_by("round__bracket__position", "round__number", "line").values_list(
        "round__bracket__tournament_id", "round__bracket__key", *FEED_FIELDS
    )
    for tournament_id, bracket, pairing, seat, *source in rows:
        drawn[tournament_id].by_bracket.setdefault(bracket, {})[pairing] = None
        if seat is not None:
            drawn[tournament_id].feeds.append(SeatSource(pairing, seat, *source))
    for tournament_id, change in _bye_changes(tournaments):
        drawn[tournament_id].bye_changes.append(change)
    return drawn


def _bye_changes(tournaments: Sequence[Tournament]) -> list[tuple[uuid.UUID, ByeChanged]]:
    """The seat changes that gave a bye to an entry or made a seat a bye, each with its tournament."""
    rows = SeatChange.objects.filter(feed__target__round__bracket__tournament__in=tournaments).exclude(
        Q(before__isnull=False) & Q(after__isnull=False)
    )
    changes = list(rows.select_related("feed__target__round__bracket"))
    tournament_ids = [row.feed.target.round.bracket.tournament_id for row in changes]
    became_bye = {
        (tournament_id, row.at): row.feed.target_id
        for tournament_id, row in zip(tournament_ids, changes, strict=True)
        if row.after_id is None
    }
    return [
        (
            tournament_id,
            ByeChanged(
                (row.feed.target_id, row.feed.seat),
                row.after_id is None,
                became_bye.get((tournament_id, row.at)) if row.after_id is not None else None,
            ),
        )
        for tournament_id, row in zip(tournament_ids, changes, strict=True)
    ]


def _results(brackets: Sequence[Bracket]) -> dict[int, PairingResult]:
    current = Result.objects.filter(pairing__round__bracket__in=brackets, superseded_by__isnull=True)
    posted = current.exclude(kind=ResultKind.RETRACTED)
    by_seat = posted.annotate(is_turned=Q(left=F("pairing__right")))
    rows = by_seat.values_list("pairing_id", "is_turned", "kind", "winner_id", "left_points", "right_points")
    return {
        pairing: PairingResult(kind, winner, *((right, left) if is_turned else (left, right)))
        for pairing, is_turned, kind, winner, left, right in rows
    }


def _tables(brackets: Sequence[Bracket]) -> dict[int, str]:
    """The tables of the matches that are called now, by pairing."""
    current = Call.objects.filter(pairing__round__bracket__in=brackets, ended_at__isnull=True)
    return dict(current.filter(table__isnull=False).values_list("pairing_id", "table__name"))
