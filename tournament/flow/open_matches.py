"""The matches of a draw that are still to be ended, and which of them each one waits for.

Byes, walkovers and empty pairings are passed through; what was decided is gone. Nobody here knows minutes a point.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, NamedTuple

from tournament.draw.foresight import expected
from tournament.draw.graph import (
    BYE,
    EntryId,
    FromPairing,
    FromPlace,
    Graph,
    Outcome,
    Pairing,
    PairingKey,
    Source,
)
from tournament.draw.prospect import kind_of
from tournament.draw.seating import State

EVEN = 0.5


class Stage(StrEnum):
    WAITING = "waiting"
    READY = "ready"
    PLAYING = "playing"


class Part(NamedTuple):
    """Where a match belongs; `tournament` is whatever tells tournaments apart. All groups are one bracket, "group"."""

    tournament: str
    bracket: str
    round: int


class Known(NamedTuple):
    """What is known of a match that is not decided: its length, the minute since which it could be played and the
    one at which play began, and its score."""

    length: int
    ready: float | None = None
    began: float | None = None
    left: int = 0
    right: int = 0
    is_crawford: bool = False


@dataclass(frozen=True, slots=True)
class OpenMatch(Generic[PairingKey]):
    """A match that has not ended. It starts when those it is `after` have ended, and never before `earliest`.

    `chance` is that it is played at all: a second final is not always needed.
    """

    key: PairingKey
    part: Part
    known: Known
    after: tuple[PairingKey, ...] = ()
    chance: float = 1.0
    earliest: float | None = None

    @property
    def stage(self) -> Stage:
        if self.known.began is not None:
            return Stage.PLAYING
        return Stage.READY if self.known.ready is not None and not self.after else Stage.WAITING


def open_matches(
    tournament: str,
    graph: Graph[PairingKey, EntryId],
    states: Mapping[PairingKey, State[EntryId]],
    known: Mapping[PairingKey, Known],
    gone: Collection[EntryId] = (),
) -> tuple[OpenMatch[PairingKey], ...]:
    """Every match still to be ended, each after those that it waits for.

    `known` names every pairing that is not settled, `gone` are entries that have withdrawn. Whoever sits in several
    open matches, as in a group, plays the one that has begun first and the others in the order of the draw.
    """
    waited = _Waited(graph, states, gone)
    begun = {key for key in waited.matches if known[key].began is not None}
    ordered = [key for key in waited.matches if key in begun]
    ordered += [key for key in waited.matches if key not in begun]
    last: dict[EntryId, PairingKey] = {}
    found = []
    for key in ordered:
        own = [entry for entry in states[key][:2] if entry is not None and entry is not BYE]
        before = dict.fromkeys((*waited.by[key], *(last[entry] for entry in own if entry in last)))
        after = () if key in begun else tuple(before)
        found.append(_open(tournament, graph[key], known[key], after))
        last.update(dict.fromkeys(own, key))
    return tuple(found)


def _open(
    tournament: str, pairing: Pairing[PairingKey, EntryId], known: Known, after: tuple[PairingKey, ...]
) -> OpenMatch[PairingKey]:
    part = Part(tournament, kind_of(pairing.bracket), pairing.round)
    again = any(_is_first_loss(source) for _, source in pairing.seats) and known.ready is None
    return OpenMatch(pairing.key, part, known, after, EVEN if again else 1.0)


def _is_first_loss(source: Source[PairingKey, EntryId]) -> bool:
    return isinstance(source, FromPairing) and source.outcome == Outcome.FIRST_LOSS


class _Waited(Generic[PairingKey, EntryId]):
    """`matches` still to be ended, in the order of the draw, and what each of them waits for (`by`)."""

    def __init__(
        self,
        graph: Graph[PairingKey, EntryId],
        states: Mapping[PairingKey, State[EntryId]],
        gone: Collection[EntryId],
    ) -> None:
        played = set(expected(graph).matches)
        self.graph = graph
        self.matches: list[PairingKey] = []
        self.by: dict[PairingKey, tuple[PairingKey, ...]] = {}
        self.ends: dict[PairingKey, tuple[PairingKey, ...]] = {}
        for pairing in graph:
            state = states[pairing.key]
            self.by[pairing.key] = self._before(pairing) if state.result.how is None else ()
            if state.result.how is not None:
                self.ends[pairing.key] = ()
            elif pairing.key not in played or _is_passed(state, gone):
                self.ends[pairing.key] = self.by[pairing.key]
            else:
                self.ends[pairing.key] = (pairing.key,)
                self.matches.append(pairing.key)

    def _before(self, pairing: Pairing[PairingKey, EntryId]) -> tuple[PairingKey, ...]:
        found: dict[PairingKey, None] = {}
        for _, source in pairing.seats:
            if isinstance(source, FromPairing):
                found.update(dict.fromkeys(self.ends[source.pairing]))
            elif isinstance(source, FromPlace):
                found.update(
                    (key, None) for one in self.graph.ranked(source.bracket) for key in self.ends[one]
                )
        return tuple(found)


def _is_passed(state: State[EntryId], gone: Collection[EntryId]) -> bool:
    """Whether whoever comes here goes on unplayed."""
    return any(occupant is BYE or occupant in gone for occupant in (state.left, state.right))
