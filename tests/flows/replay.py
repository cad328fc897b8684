"""Resolves a bracket from its drawn graph and posted results alone, to compare it with the stored seats."""

import uuid
from collections.abc import Iterable

from deploy.bench.faults.event import current_results
from tournament.brackets.states import decision_of, state_of
from tournament.draw.graph import FromBye, FromEntry, FromPairing, Graph, Outcome, Source
from tournament.draw.graph import Pairing as Drawn
from tournament.draw.seating import State, resolve
from tournament.models import Feed, Pairing, Tournament

Seats = dict[int, State[uuid.UUID]]


def stored_seats(tournament: Tournament) -> Seats:
    return {row.pk: state_of(row) for row in _pairings(tournament)}


def resolved_seats(tournament: Tournament) -> Seats:
    """Resolves all results at once."""
    decisions = {
        row.pairing_id: decision for row in current_results(tournament) if (decision := decision_of(row))
    }
    return dict(resolve(graph_of(tournament), decisions).states)


def graph_of(tournament: Tournament) -> Graph[int, uuid.UUID]:
    feeds = Feed.objects.filter(target__round__bracket__tournament=tournament)
    sources = {(feed.target_id, feed.seat): _source(feed) for feed in feeds}
    return Graph(
        Drawn(row.pk, "main", row.round.number, row.line, sources[row.pk, "left"], sources[row.pk, "right"])
        for row in _pairings(tournament)
    )


def _source(feed: Feed) -> Source[int, uuid.UUID]:
    if feed.source_id is not None:
        return FromPairing(feed.source_id, Outcome(feed.outcome))
    return FromBye() if feed.entry_id is None else FromEntry(feed.entry_id)


def _pairings(tournament: Tournament) -> Iterable[Pairing]:
    return Pairing.objects.filter(round__bracket__tournament=tournament).select_related("round")
