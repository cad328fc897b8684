"""A layout to look at before the draw: each bracket's rounds and lines, and where every seat's player comes from.

Data alone, with codes for the words; `picture` says where the boxes of each bracket stand.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from string import ascii_uppercase
from typing import Generic

from tournament.draw.diagram.bracket_diagram import Picture, Scale, bracket_picture
from tournament.draw.graph import (
    EntryId,
    FromBye,
    FromEntry,
    FromPlace,
    Graph,
    Outcome,
    Pairing,
    PairingKey,
    Source,
)
from tournament.draw.graph.match_plan import slots


class Comes(StrEnum):
    """How somebody comes to a seat."""

    ENTRY = "entry"
    OPEN = "open"
    BYE = "bye"
    WINNER = "winner"
    LOSER = "loser"
    FIRST_LOSS = "first_loss"
    PLACE = "place"


_BY_OUTCOME = {
    Outcome.WINNER: Comes.WINNER,
    Outcome.LOSER: Comes.LOSER,
    Outcome.FIRST_LOSS: Comes.FIRST_LOSS,
}


@dataclass(frozen=True, slots=True)
class SeatOutline(Generic[EntryId]):
    """Where a seat's player comes from: `entry`, or a place, or a pairing by its bracket and label."""

    comes: Comes
    entry: EntryId | None = None
    bracket: str = ""
    label: str = ""
    place: int = 0


@dataclass(frozen=True, slots=True)
class PairingOutline(Generic[PairingKey, EntryId]):
    """A pairing with its label, the letter of its round and its line: A3 is the third of the first round."""

    key: PairingKey
    label: str
    left: SeatOutline[EntryId]
    right: SeatOutline[EntryId]


@dataclass(frozen=True, slots=True)
class RoundOutline(Generic[PairingKey, EntryId]):
    """A round, and the slot of play, from 1, in which all of it can be played."""

    number: int
    slot: int
    pairings: tuple[PairingOutline[PairingKey, EntryId], ...]


@dataclass(frozen=True, slots=True)
class BracketOutline(Generic[PairingKey, EntryId]):
    bracket: str
    rounds: tuple[RoundOutline[PairingKey, EntryId], ...]
    picture: Picture[PairingKey]


def outline(
    graph: Graph[PairingKey, EntryId], scale: Scale | None = None
) -> tuple[BracketOutline[PairingKey, EntryId], ...]:
    """Every bracket of a layout, in the order in which they can begin."""
    when = slots(graph)
    rounds: dict[str, dict[int, list[Pairing[PairingKey, EntryId]]]] = {}
    for pairing in sorted(graph, key=lambda pairing: (when[pairing.bracket, pairing.round], pairing.line)):
        rounds.setdefault(pairing.bracket, {}).setdefault(pairing.round, []).append(pairing)
    return tuple(
        BracketOutline(
            bracket,
            tuple(
                RoundOutline(
                    number, when[bracket, number], tuple(_pairing(graph, pairing) for pairing in pairings)
                )
                for number, pairings in sorted(of_bracket.items())
            ),
            bracket_picture(graph, bracket, scale=scale),
        )
        for bracket, of_bracket in rounds.items()
    )


def label(pairing: Pairing[PairingKey, EntryId]) -> str:
    """A1, A2 ... for the first round, B1 ... for the second, as in the drop notation; after Z1 comes AA1."""
    turn, letter = divmod(pairing.round - 1, len(ascii_uppercase))
    return f"{ascii_uppercase[turn - 1] if turn else ''}{ascii_uppercase[letter]}{pairing.line}"


def _pairing(
    graph: Graph[PairingKey, EntryId], pairing: Pairing[PairingKey, EntryId]
) -> PairingOutline[PairingKey, EntryId]:
    return PairingOutline(
        pairing.key, label(pairing), _seat(graph, pairing.left), _seat(graph, pairing.right)
    )


def _seat(graph: Graph[PairingKey, EntryId], source: Source[PairingKey, EntryId]) -> SeatOutline[EntryId]:
    if isinstance(source, FromBye):
        return SeatOutline(Comes.BYE)
    if isinstance(source, FromPlace):
        return SeatOutline(Comes.PLACE, bracket=source.bracket, place=source.place)
    if isinstance(source, FromEntry):
        return SeatOutline(Comes.OPEN if source.entry is None else Comes.ENTRY, entry=source.entry)
    fed_by = graph[source.pairing]
    return SeatOutline(_BY_OUTCOME[source.outcome], bracket=fed_by.bracket, label=label(fed_by))
