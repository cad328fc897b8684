"""The stored draw as the pure draw knows it: the graph from its feeds, the seating from its pairings. Reads only."""

import uuid
from collections.abc import Iterable

from tournament.draw.graph import FromBye, FromEntry, FromPairing, Graph, Outcome, Source
from tournament.draw.graph import Pairing as DrawnPairing
from tournament.draw.seating import Seating
from tournament.models import Feed, Pairing, Tournament
from tournament.seats import state_of

StoredGraph = Graph[int, uuid.UUID]
StoredSeating = Seating[int, uuid.UUID]


def stored_pairings(tournament: Tournament) -> list[Pairing]:
    """All pairings with their rounds and brackets, in the order of rounds and lines."""
    rows = Pairing.objects.filter(round__bracket__tournament=tournament).select_related("round__bracket")
    return list(rows.order_by("round__bracket__position", "round__number", "line"))


def graph_of(rows: Iterable[Pairing]) -> StoredGraph:
    """The graph of these pairings, in one more statement."""
    pairings = {row.pk: row for row in rows}
    sources: dict[tuple[int, str], Source[int, uuid.UUID]] = {}
    tournaments = {row.round.bracket.tournament_id for row in pairings.values()}
    for feed in Feed.objects.filter(target__round__bracket__tournament__in=tournaments):
        sources[feed.target_id, feed.seat] = _source(feed)
    return Graph(
        DrawnPairing(
            row.pk,
            row.round.bracket.key,
            row.round.number,
            row.line,
            sources[row.pk, "left"],
            sources[row.pk, "right"],
        )
        for row in pairings.values()
    )


def seating_of(rows: Iterable[Pairing]) -> StoredSeating:
    """Who sits where and what came of it, as it is stored."""
    return Seating({row.pk: state_of(row) for row in rows}, frozenset())


def _source(feed: Feed) -> Source[int, uuid.UUID]:
    if feed.source_id is not None:
        return FromPairing(feed.source_id, Outcome(feed.outcome))
    return FromEntry(feed.entry_id) if feed.entry_id else FromBye()
