"""Writes a graph as brackets, rounds, pairings and feeds, and reads the rows of a tournament as one graph with facts.

Callers check permissions first. A graph is added to the existing rows, so rounds, jackpots and play-offs are written
like the first draw.
"""

import uuid
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from matches.models import Match
from tournament.brackets.advancing import LockedTournament
from tournament.brackets.lengths import PlayedTo, bracket_lengths, length_of_round, round_fields
from tournament.brackets.ranking import PAIRING_FIELDS, PairingRow, rank_function
from tournament.brackets.states import (
    apply_state,
    current_decisions,
    kept_seats,
    state_of,
    withdrawals,
    withdrawals_by_tournament,
)
from tournament.draw.graph import FromBye, FromEntry, FromPairing, FromPlace, Graph, Outcome, Seat, Source
from tournament.draw.graph import Pairing as Drawn
from tournament.draw.seating import Facts, State, resolve
from tournament.models import Bracket, Entry, Feed, Pairing, Player, Round, Shape, Tournament
from tournament.runtime.snapshot import consistent_read

DrawnGraph = Graph[Any, uuid.UUID]

SEATS = {seat.value: seat for seat in Seat}
ANALYZE_FROM_ROWS = 256
"""From this number of new rows on, PostgreSQL's table statistics are refreshed explicitly."""


@dataclass(frozen=True, slots=True)
class GraphToStore:
    """A graph to write. `tables` are its brackets that are ranked by records.

    `rounds` is the final number of rounds of a bracket, if the graph does not show all of them. `lengths` are the match
    lengths of brackets with their own, from the last round backwards. `costs` are the costs of pairings by records
    against each aim, by pairing key. `stored` are pairings of the graph that already have rows and stay.
    """

    graph: DrawnGraph
    record_brackets: Collection[str] = ()
    round_counts: Mapping[str, int] = field(default_factory=dict)
    lengths: Mapping[str, Sequence[PlayedTo]] = field(default_factory=dict)
    costs: Mapping[Hashable, dict[str, Any]] = field(default_factory=dict)
    stored: Mapping[Hashable, Pairing] = field(default_factory=dict)


def write(locked: LockedTournament, writing: GraphToStore) -> dict[Hashable, Pairing]:
    """Adds the graph to the stored draw; returns its pairings by key."""
    rounds = _write_rounds(locked, writing)
    pairings = _write_pairings(locked.tournament, writing, rounds)
    _write_feeds(locked.tournament, writing, pairings)
    analyze_tables(len(writing.graph))
    locked.touch_all()
    return pairings


def analyze_tables(row_count: int) -> None:
    """After the commit PostgreSQL analyzes its tables if so many pairings or matches were written.

    Without new statistics it takes a full table for an empty one and reads a large draw row by row, for minutes. An
    error is only logged, because the draw is already committed.
    """
    if row_count >= ANALYZE_FROM_ROWS and connection.vendor == "postgresql":
        transaction.on_commit(_analyze, robust=True)


def _analyze() -> None:
    tables = (model._meta.db_table for model in (Pairing, Feed, Round, Match, Entry, Player))
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE (SKIP_LOCKED) {', '.join(map(connection.ops.quote_name, tables))}")


def _write_rounds(locked: LockedTournament, writing: GraphToStore) -> dict[tuple[str, int], Round]:
    keys = sorted(
        {(pairing.bracket, pairing.round) for pairing in writing.graph if pairing.key not in writing.stored}
    )
    last = dict(keys)
    brackets = _brackets(locked.tournament, _bracket_keys(writing.graph), writing.record_brackets)
    now = timezone.now()
    rows = []
    for key, number in keys:
        lengths = writing.lengths.get(key) or bracket_lengths(locked.tournament, key)
        total = max(last[key], writing.round_counts.get(key, 0))
        to = round_fields(length_of_round(lengths, total, number))
        rows.append(Round(bracket=brackets[key], number=number, drawn_at=now, **to))
    return dict(zip(keys, Round.objects.bulk_create(rows), strict=True))


def _bracket_keys(graph: DrawnGraph) -> list[str]:
    return list(dict.fromkeys(pairing.bracket for pairing in graph))


def _brackets(tournament: Tournament, keys: Iterable[str], tables: Collection[str]) -> dict[str, Bracket]:
    brackets = {bracket.key: bracket for bracket in Bracket.objects.filter(tournament=tournament)}
    last = max((bracket.position for bracket in brackets.values()), default=-1)
    for key in keys:
        shape = Shape.TABLE if key in tables else Shape.TREE
        if key not in brackets:
            last += 1
            brackets[key] = Bracket.objects.create(tournament=tournament, key=key, position=last, shape=shape)
        elif brackets[key].shape != shape:
            brackets[key].shape = shape
            brackets[key].save(update_fields=["shape"])
    return brackets


def _write_pairings(
    tournament: Tournament, writing: GraphToStore, rounds: Mapping[tuple[str, int], Round]
) -> dict[Hashable, Pairing]:
    graph, costs = writing.graph, writing.costs
    seating = resolve(graph, {}, withdrawals(tournament.pk))
    new = [pairing for pairing in graph if pairing.key not in writing.stored]
    rows = []
    for pairing in new:
        drawn_in = rounds[pairing.bracket, pairing.round]
        row = Pairing(round_id=drawn_in.pk, line=pairing.line, cost=costs.get(pairing.key))
        apply_state(row, seating[pairing.key])
        rows.append(row)
    written = Pairing.objects.bulk_create(rows)
    return {**writing.stored, **{pairing.key: row for pairing, row in zip(new, written, strict=True)}}


def _write_feeds(tournament: Tournament, writing: GraphToStore, pairings: Mapping[Hashable, Pairing]) -> None:
    brackets = {bracket.key: bracket for bracket in Bracket.objects.filter(tournament=tournament)}
    rows = []
    for pairing in writing.graph:
        if pairing.key in writing.stored:
            continue
        target = pairings[pairing.key].pk
        for seat, source in pairing.seats:
            row = Feed(target_id=target, seat=seat.value)
            if isinstance(source, FromEntry):
                row.entry_id = source.entry
            elif isinstance(source, FromPlace):
                row.bracket, row.place = brackets[source.bracket], source.place
            elif isinstance(source, FromPairing):
                row.source_id, row.outcome = pairings[source.pairing].pk, source.outcome.value
            rows.append(row)
    Feed.objects.bulk_create(rows)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The graph of a tournament, all its facts, and its pairing rows."""

    graph: Graph[int, uuid.UUID]
    facts: Facts[int, uuid.UUID]
    rows: Mapping[int, PairingRow]

    def seated(self) -> dict[int, State[uuid.UUID]]:
        return {pk: state_of(row) for pk, row in self.rows.items()}


def read(tournament: Tournament) -> Sheet:
    """Reads the whole stored draw of a tournament in a consistent read of five statements at any size."""
    return read_all([tournament])[tournament.pk]


@consistent_read()
def read_all(tournaments: Iterable[Tournament]) -> dict[uuid.UUID, Sheet]:
    """Reads the stored draws of these tournaments, by their ids, with the number of statements of a single draw."""
    tournaments_by_id = {tournament.pk: tournament for tournament in tournaments}
    rows = _rows(tournaments_by_id)
    sources = _sources(tournaments_by_id)
    decisions, stored_seats, withdrawals_of = (
        current_decisions(tournaments_by_id),
        kept_seats(tournaments_by_id),
        withdrawals_by_tournament(tournaments_by_id),
    )

    def sheet(tournament: Tournament) -> Sheet:
        own = rows[tournament.pk]
        graph = Graph(
            Drawn(pk, row.bracket, row.round, row.line, sources[pk, Seat.LEFT], sources[pk, Seat.RIGHT])
            for pk, row in own.items()
        )
        decided = {pk: decisions[pk] for pk in own if pk in decisions}
        kept_here = {spot: entry for spot, entry in stored_seats.items() if spot[0] in own}
        withdrawn, without_place = withdrawals_of[tournament.pk]
        facts = Facts(decided, withdrawn, kept_here, rank_function(tournament, own), without_place)
        return Sheet(graph, facts, own)

    return {pk: sheet(tournament) for pk, tournament in tournaments_by_id.items()}


def _rows(tournaments: Collection[uuid.UUID]) -> dict[uuid.UUID, dict[int, PairingRow]]:
    pairings = Pairing.objects.filter(round__bracket__tournament__in=tournaments)
    ordered = pairings.order_by("round__bracket__position", "round__number", "line")
    rows_by_tournament: dict[uuid.UUID, dict[int, PairingRow]] = {pk: {} for pk in tournaments}
    for tournament, *values in ordered.values_list("round__bracket__tournament_id", *PAIRING_FIELDS):
        rows_by_tournament[tournament][values[0]] = PairingRow(*values)
    return rows_by_tournament


@consistent_read()
def read_rows(tournament: Tournament) -> tuple[Mapping[int, PairingRow], Facts[int, uuid.UUID]]:
    """The pairing rows and facts of `read` without the graph, for rankings by records."""
    tournament_ids = [tournament.pk]
    rows = _rows(tournament_ids)[tournament.pk]
    return rows, Facts(current_decisions(tournament_ids), withdrawals(tournament.pk))


def pairings_under_way(tournament: Tournament) -> set[int]:
    """The pairings whose match has begun and is not settled."""
    begun = Pairing.objects.filter(
        round__bracket__tournament=tournament, settled="", match__began_at__isnull=False
    )
    return set(begun.values_list("pk", flat=True))


def pairings_with_other_players(sheet: Sheet, facts: Facts[int, uuid.UUID]) -> set[int]:
    """Returns the pairings whose players these facts would change."""
    now, then = resolve(sheet.graph, *sheet.facts), resolve(sheet.graph, *facts)
    return {key for key in sheet.rows if _players(now[key]) != _players(then[key])}


def _players(state: State[uuid.UUID]) -> frozenset[object]:
    return frozenset((state.left, state.right))


def _sources(tournaments: Collection[uuid.UUID]) -> dict[tuple[int, Seat], Source[int, uuid.UUID]]:
    feeds = Feed.objects.filter(target__round__bracket__tournament__in=tournaments)
    fields = ("target_id", "seat", "source_id", "outcome", "entry_id", "bracket__key", "place")
    return {
        (target, SEATS[seat]): _source(source, outcome, entry, bracket, place)
        for target, seat, source, outcome, entry, bracket, place in feeds.values_list(*fields)
    }


def _source(
    source: int | None, outcome: str, entry: uuid.UUID | None, bracket: str | None, place: int | None
) -> Source[int, uuid.UUID]:
    if source is not None:
        return FromPairing(source, Outcome(outcome))
    if bracket is not None and place is not None:
        return FromPlace(bracket, place)
    return FromBye() if entry is None else FromEntry(entry)
