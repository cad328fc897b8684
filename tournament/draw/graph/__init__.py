"""The draw as a graph: pairings, the sources of their two seats, and the feeds of winners and losers.

A recipe writes each format as feeds, so no other code needs bracket arithmetic or the name of a format. This package
knows no results, no names and no seating.
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
