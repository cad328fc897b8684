"""A draw as a graph: pairings, what fills their two seats, and where winner and loser go next.

A bracket is feeds, never arithmetic: whatever a format looks like, a recipe writes it down here once
and nobody else knows the format's name. Nothing in this room knows results, players' names or who sits
where.
"""

from tournament.draw.graph.graph import Graph
from tournament.draw.graph.pairings import (
    BYE,
    Bye,
    EntryId,
    Feed,
    FromBye,
    FromEntry,
    FromPairing,
    FromPlace,
    GraphError,
    Occupant,
    Outcome,
    Pairing,
    PairingKey,
    PlaceFeed,
    Seat,
    Source,
)

__all__ = [
    "BYE",
    "Bye",
    "EntryId",
    "Feed",
    "FromBye",
    "FromEntry",
    "FromPairing",
    "FromPlace",
    "Graph",
    "GraphError",
    "Occupant",
    "Outcome",
    "Pairing",
    "PairingKey",
    "PlaceFeed",
    "Seat",
    "Source",
]
