"""A main bracket with a consolation behind it, written as rows the way a draw is: for tests of several brackets."""

from django.utils import timezone

from tests.tournament import stories
from tournament.access.actors import Actor
from tournament.brackets import advancing, storage
from tournament.brackets.storage import GraphToStore
from tournament.draw.graph import FromBye, FromEntry, FromPairing, Graph, Outcome, Pairing
from tournament.draw.recipes import single_elimination
from tournament.drawing import order
from tournament.models import Draw, Tournament


def released(actor: Actor, entries: int = 4) -> Tournament:
    """Losers of the first round meet in the consolation; odd ones out have a bye there."""
    made = stories.entered(actor, entries)
    main = single_elimination(entries)
    keys = [pairing.key for pairing in main if pairing.round == 1]
    losers = [FromPairing(key, Outcome.LOSER) for key in keys]
    spots = [("consolation", 1, line) for line in range(1, len(losers) // 2 + 1)]
    lower = [
        Pairing(spot, *spot, left, right)
        for spot, left, right in zip(spots, losers[::2], losers[1::2], strict=True)
    ]
    write(made, Graph([*main, *lower]), actor)
    return made


def write(made: Tournament, graph: Graph, actor: Actor, tables: tuple[str, ...] = ()) -> None:
    """Draws this graph of positions by lot, and releases it."""
    entries = list(made.entries.order_by("entered_at", "pk").select_related("player"))
    rules = order.DrawRules()
    drawn = order.draw_order(rules, order.list_entrants(entries, rules.method), "a seed")
    with advancing.lock_tournament(made.pk) as locked:
        Draw.objects.create(
            tournament=made, number=1, recipe={"format": made.format, "entries": len(entries)},
            method=rules.method, seed_text=drawn.seed_text, entries=[str(entry.pk) for entry in entries],
            order=drawn.order, rules=drawn.rules, made_at=timezone.now(), released_at=timezone.now(),
        )  # fmt: skip
        storage.write(locked, GraphToStore(seated(graph, order.position_ids(drawn.order)), tables))
        advancing.open_ready_matches(locked)


def seated(graph: Graph, order: list) -> Graph:
    def taken(source):
        if not isinstance(source, FromEntry):
            return source
        return FromBye() if source.entry is None else FromEntry(order[source.entry - 1])

    return Graph(
        Pairing(row.key, row.bracket, row.round, row.line, taken(row.left), taken(row.right)) for row in graph
    )
