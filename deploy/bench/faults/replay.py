"""What a stored bracket must be: the graph as it was drawn and the posted results, resolved by the pure draw alone."""

import uuid
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from deploy.bench.faults.phones import Told
from matches.models import CardRow
from tournament.brackets.states import decision_of, state_of
from tournament.draw.graph import FromBye, FromEntry, FromPairing, Graph, Outcome, Source
from tournament.draw.graph import Pairing as Drawn
from tournament.draw.seating import State, resolve
from tournament.models import Feed, Pairing, Result, Tournament

Seated = dict[int, State[uuid.UUID]]


def stored(tournament: Tournament) -> Seated:
    """Who sits where, by the database."""
    return {row.pk: state_of(row) for row in _pairings(tournament)}


def resolved(tournament: Tournament) -> Seated:
    """Who sits where, from the feeds and all results at once."""
    decisions = {row.pairing_id: decision for row in results(tournament) if (decision := decision_of(row))}
    return dict(resolve(graph_of(tournament), decisions).states)


def results(tournament: Tournament) -> list[Result]:
    """The results that count, in the order of posting."""
    inside = Result.objects.filter(pairing__round__bracket__tournament=tournament)
    return list(inside.filter(superseded_by__isnull=True).order_by("posted_at"))


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


@dataclass(frozen=True)
class Account:
    """What became of everything the phones were told was taken in."""

    requests: int
    refused: int
    acknowledged: int
    applied: int
    lost: int
    twice: int

    def __str__(self) -> str:
        return (
            f"{self.requests} requests, {self.refused} refused, {self.acknowledged} acknowledged, "
            f"{self.applied} applied, {self.lost} lost, {self.twice} twice"
        )


def account(tournament: Tournament, told: Told) -> Account:
    """Holds what was acknowledged against what is stored: games and confirmed results."""
    rows = set(
        CardRow.objects.filter(card__match__pairing__round__bracket__tournament=tournament).values_list(
            "key", flat=True
        )
    )
    posted = Counter(row.match_id for row in results(tournament))
    advanced = {row.match_id for row in results(tournament) if row.advanced_at}
    games_twice = len(rows - told.games)  # a second row for one game would have a key that nobody was told of
    results_twice = sum(times - 1 for times in posted.values())
    return Account(
        requests=told.requests,
        refused=told.refused,
        acknowledged=told.acknowledged,
        applied=len(rows & told.games) + len(advanced & set(told.winners)),
        lost=len(told.games - rows) + len(set(told.winners) - advanced),
        twice=games_twice + results_twice,
    )
