"""The stored draw as the pure draw knows it: the graph from its feeds, the seating from its pairings. Reads only."""

import uuid
from collections.abc import Iterable, Sequence

from tournament.draw.graph import FromBye, FromEntry, FromPairing, Graph, Outcome, Source
from tournament.draw.graph import Pairing as DrawnPairing
from tournament.draw.seating import Seating
from tournament.models import Feed, Pairing, Round, Tournament
from tournament.seats import state_of

StoredGraph = Graph[int, uuid.UUID]
StoredSeating = Seating[int, uuid.UUID]


def stored_pairings(tournament: Tournament) -> list[Pairing]:
    """All pairings with their rounds and brackets, in the order of brackets, rounds and lines."""
    rounds = {
        row.pk: row for row in Round.objects.filter(bracket__tournament=tournament).select_related("bracket")
    }
    rows = list(Pairing.objects.filter(round__bracket__tournament=tournament))
    for row in rows:
        row.round = rounds[row.round_id]
    return sorted(rows, key=lambda row: (row.round.bracket.position, row.round.number, row.line))


def graph_of(rows: Sequence[Pairing]) -> StoredGraph:
    """The graph of these pairings, in one more statement."""
    sources: dict[tuple[int, str], Source[int, uuid.UUID]] = {}
    tournaments = {row.round.bracket.tournament_id for row in rows}
    feeds = Feed.objects.filter(target__round__bracket__tournament__in=tournaments)
    told = feeds.values_list("target_id", "seat", "source_id", "outcome", "entry_id")
    for target, seat, source, outcome, entry in told:
        sources[target, seat] = _source(source, outcome, entry)
    return Graph(
        DrawnPairing(
            row.pk,
            row.round.bracket.key,
            row.round.number,
            row.line,
            sources[row.pk, "left"],
            sources[row.pk, "right"],
        )
        for row in rows
    )


def seating_of(rows: Iterable[Pairing]) -> StoredSeating:
    """Who sits where and what came of it, as it is stored."""
    return Seating({row.pk: state_of(row) for row in rows}, frozenset())


def _source(pairing: int | None, outcome: str, entry: uuid.UUID | None) -> Source[int, uuid.UUID]:
    if pairing is not None:
        return FromPairing(pairing, Outcome(outcome))
    return FromEntry(entry) if entry else FromBye()
