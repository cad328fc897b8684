"""Coordinates of a bracket diagram: boxes, connecting lines and one column for each round.

Geometry only: no SVG, colours or names. Lengths are in the diagram's own unit, x to the right and y down.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Generic, TypeAlias

from tournament.draw.graph import EntryId, Feed, FromPairing, Graph, Outcome, Pairing, PairingKey, Seat

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scale:
    """Sizes of a diagram. `heading` is the height reserved for the names of the rounds."""

    box_width: float = 200
    box_height: float = 44
    column_gap: float = 32
    row_gap: float = 12
    heading: float = 32
    margin: float = 8

    @property
    def pitch(self) -> float:
        return self.box_height + self.row_gap


@dataclass(frozen=True, slots=True)
class Column:
    round: int
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Box(Generic[PairingKey]):
    """The box of a pairing. Its left seat is the upper half."""

    key: PairingKey
    round: int
    line: int
    x: float
    y: float
    width: float
    height: float

    def inlet(self, seat: Seat) -> Point:
        return (self.x, self.y + self.height * (0.25 if seat == Seat.LEFT else 0.75))

    @property
    def outlet(self) -> Point:
        return (self.x + self.width, self.y + self.height / 2)


@dataclass(frozen=True, slots=True)
class Connector(Generic[PairingKey]):
    """The line from a pairing to the seat that its winner or loser takes. Drawn beneath the boxes."""

    source: PairingKey
    target: PairingKey
    outcome: Outcome
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class BracketDiagram(Generic[PairingKey]):
    width: float
    height: float
    columns: tuple[Column, ...]
    boxes: tuple[Box[PairingKey], ...]
    connectors: tuple[Connector[PairingKey], ...]


def draw_bracket(
    graph: Graph[PairingKey, EntryId],
    bracket: str = "main",
    rounds: Container[int] | None = None,
    scale: Scale | None = None,
) -> BracketDiagram[PairingKey]:
    """Returns the diagram of a bracket, or of the given rounds of it. No two boxes touch."""
    scale = scale or Scale()
    pairings_by_round: dict[int, list[Pairing[PairingKey, EntryId]]] = {}
    for pairing in sorted(graph, key=lambda pairing: (pairing.round, pairing.line)):
        if pairing.bracket == bracket and (rounds is None or pairing.round in rounds):
            pairings_by_round.setdefault(pairing.round, []).append(pairing)
    columns = tuple(
        Column(number, scale.margin + index * (scale.box_width + scale.column_gap), scale.box_width)
        for index, number in enumerate(pairings_by_round)
    )
    boxes = _boxes(pairings_by_round, columns, scale)
    return BracketDiagram(
        width=max((column.x + column.width for column in columns), default=0) + scale.margin,
        height=max((box.y + box.height for box in boxes.values()), default=scale.heading) + scale.margin,
        columns=columns,
        boxes=tuple(boxes.values()),
        connectors=_connectors(graph, boxes, scale),
    )


def _boxes(
    pairings_by_round: dict[int, list[Pairing[PairingKey, EntryId]]],
    columns: tuple[Column, ...],
    scale: Scale,
) -> dict[PairingKey, Box[PairingKey]]:
    top = scale.margin + scale.heading
    body = scale.pitch * max(map(len, pairings_by_round.values()), default=0)
    boxes: dict[PairingKey, Box[PairingKey]] = {}
    middles: dict[PairingKey, float] = {}
    for column in columns:
        pairings = pairings_by_round[column.round]
        wanted = [
            _middle_of_feeders(pairing, middles, (index + 0.5) * body / len(pairings))
            for index, pairing in enumerate(pairings)
        ]
        for pairing, middle in zip(pairings, _space_out(wanted, scale.pitch), strict=True):
            middles[pairing.key] = middle
            y = top + middle - scale.box_height / 2
            boxes[pairing.key] = Box(
                pairing.key, pairing.round, pairing.line, column.x, y, column.width, scale.box_height
            )
    return boxes


def _middle_of_feeders(
    pairing: Pairing[PairingKey, EntryId], middles: dict[PairingKey, float], default: float
) -> float:
    feeders = [
        middles[source.pairing]
        for _, source in pairing.seats
        if isinstance(source, FromPairing) and source.pairing in middles
    ]
    return sum(feeders) / len(feeders) if feeders else default


def _space_out(middles: list[float], pitch: float) -> list[float]:
    """Returns the heights in the same order, moved down where they are closer than `pitch`."""
    placed: list[float] = []
    for middle in middles:
        placed.append(max(middle, placed[-1] + pitch) if placed else max(middle, pitch / 2))
    return placed


def _connectors(
    graph: Graph[PairingKey, EntryId], boxes: dict[PairingKey, Box[PairingKey]], scale: Scale
) -> tuple[Connector[PairingKey], ...]:
    return tuple(
        Connector(feed.source, feed.target, feed.outcome, _connector_points(feed, boxes, scale))
        for key in boxes
        for feed in graph.feeds_from(key)
        if feed.target in boxes and boxes[feed.target].x > boxes[key].x
    )


def _connector_points(
    feed: Feed[PairingKey], boxes: dict[PairingKey, Box[PairingKey]], scale: Scale
) -> tuple[Point, ...]:
    start, end = boxes[feed.source].outlet, boxes[feed.target].inlet(feed.seat)
    bend = end[0] - scale.column_gap / 2
    return (start, (bend, start[1]), (bend, end[1]), end)
