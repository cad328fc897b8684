"""Preview of a layout before the draw: the rounds and lines of each bracket, and the origin of every seat.

Data only, with codes in place of words. `bracket_diagram` adds coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from string import ascii_uppercase
from typing import Generic

from tournament.draw.diagram.bracket_diagram import BracketDiagram, Scale, draw_bracket
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
from tournament.draw.graph.match_plan import match_slots, plan_matches, round_slots


class SeatOrigin(StrEnum):
    """The way in which a player reaches a seat."""

    ENTRY = "entry"
    OPEN = "open"
    BYE = "bye"
    WINNER = "winner"
    LOSER = "loser"
    FIRST_LOSS = "first_loss"
    PLACE = "place"


_ORIGIN_OF_OUTCOME = {
    Outcome.WINNER: SeatOrigin.WINNER,
    Outcome.LOSER: SeatOrigin.LOSER,
    Outcome.FIRST_LOSS: SeatOrigin.FIRST_LOSS,
}


@dataclass(frozen=True, slots=True)
class SeatPreview(Generic[EntryId]):
    """The origin of a seat's player: `entry`, or a place, or a pairing named by its bracket and label."""

    origin: SeatOrigin
    entry: EntryId | None = None
    bracket: str = ""
    label: str = ""
    place: int = 0


@dataclass(frozen=True, slots=True)
class PairingPreview(Generic[PairingKey, EntryId]):
    """A pairing with its label: the letter of its round and its line. A3 is the third pairing of round 1."""

    key: PairingKey
    label: str
    left: SeatPreview[EntryId]
    right: SeatPreview[EntryId]


@dataclass(frozen=True, slots=True)
class RoundPreview(Generic[PairingKey, EntryId]):
    """A round, and the slots of play, from 1, of its first match and in which all of it can be played."""

    number: int
    first_slot: int
    slot: int
    pairings: tuple[PairingPreview[PairingKey, EntryId], ...]


@dataclass(frozen=True, slots=True)
class BracketPreview(Generic[PairingKey, EntryId]):
    bracket: str
    rounds: tuple[RoundPreview[PairingKey, EntryId], ...]
    diagram: BracketDiagram[PairingKey]


def preview_brackets(
    graph: Graph[PairingKey, EntryId], scale: Scale | None = None
) -> tuple[BracketPreview[PairingKey, EntryId], ...]:
    """Returns every bracket of a layout, in the order in which they can begin."""
    slots, slot_of_match = round_slots(graph), match_slots(graph, plan_matches(graph))
    rounds: dict[str, dict[int, list[Pairing[PairingKey, EntryId]]]] = {}
    for pairing in sorted(graph, key=lambda pairing: (slots[pairing.bracket, pairing.round], pairing.line)):
        rounds.setdefault(pairing.bracket, {}).setdefault(pairing.round, []).append(pairing)
    return tuple(
        BracketPreview(
            bracket,
            tuple(
                RoundPreview(
                    number,
                    min(slot_of_match.get(pairing.key, slots[bracket, number]) for pairing in pairings),
                    slots[bracket, number],
                    tuple(_preview_pairing(graph, pairing) for pairing in pairings),
                )
                for number, pairings in sorted(of_bracket.items())
            ),
            draw_bracket(graph, bracket, scale=scale),
        )
        for bracket, of_bracket in rounds.items()
    )


def pairing_label(pairing: Pairing[PairingKey, EntryId]) -> str:
    """Returns A1, A2 … for round 1 and B1 … for round 2, as in the drop notation. AA1 follows Z1."""
    turn, letter = divmod(pairing.round - 1, len(ascii_uppercase))
    return f"{ascii_uppercase[turn - 1] if turn else ''}{ascii_uppercase[letter]}{pairing.line}"


def _preview_pairing(
    graph: Graph[PairingKey, EntryId], pairing: Pairing[PairingKey, EntryId]
) -> PairingPreview[PairingKey, EntryId]:
    return PairingPreview(
        pairing.key,
        pairing_label(pairing),
        _preview_seat(graph, pairing.left),
        _preview_seat(graph, pairing.right),
    )


def _preview_seat(
    graph: Graph[PairingKey, EntryId], source: Source[PairingKey, EntryId]
) -> SeatPreview[EntryId]:
    if isinstance(source, FromBye):
        return SeatPreview(SeatOrigin.BYE)
    if isinstance(source, FromPlace):
        return SeatPreview(SeatOrigin.PLACE, bracket=source.bracket, place=source.place)
    if isinstance(source, FromEntry):
        return SeatPreview(SeatOrigin.OPEN if source.entry is None else SeatOrigin.ENTRY, entry=source.entry)
    fed_by = graph[source.pairing]
    return SeatPreview(
        _ORIGIN_OF_OUTCOME[source.outcome], bracket=fed_by.bracket, label=pairing_label(fed_by)
    )
