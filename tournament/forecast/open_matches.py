"""The matches of a draw that are still to be ended, and which of them each one waits for.

Byes, walkovers and empty pairings are passed through; what was decided is gone. Nobody here knows minutes a point.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, NamedTuple

from tournament.draw.formats.estimate import bracket_kind
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
from tournament.draw.graph.match_plan import plan_matches
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
    one at which play began, and its score. A session of stake play has the length of a match that takes as long."""

    length: int
    ready: float | None = None
    began: float | None = None
    left: int = 0
    right: int = 0
    is_crawford: bool = False
    is_session: bool = False


class Coming(NamedTuple, Generic[PairingKey]):
    """The winner or the loser of a match that has not ended."""

    match: PairingKey
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class OpenMatch(Generic[PairingKey]):
    """A match that has not ended. It starts when those it is `after` have ended, and never before `earliest`.

    `chance` is that it is played at all: a second final is not always needed. `people` are those who are known to
    sit there, `comes` is who will besides: the winner or the loser of a match that it is after. Whoever plays
    another match keeps it waiting too.
    """

    key: PairingKey
    part: Part
    known: Known
    after: tuple[PairingKey, ...] = ()
    chance: float = 1.0
    earliest: float | None = None
    people: tuple[Hashable, ...] = ()
    comes: tuple[Coming[PairingKey], ...] = ()

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
    """Every match still to be ended, each after those that it waits for, and those that have begun before the others.

    `known` names every pairing that is not settled, `gone` are entries that have withdrawn.
    """
    waited = _Waited(graph, states, gone)
    begun = {key for key in waited.matches if known[key].began is not None}
    ordered = [key for key in waited.matches if key in begun]
    ordered += [key for key in waited.matches if key not in begun]
    return tuple(_open(tournament, graph[key], known[key], waited) for key in ordered)


def _open(
    tournament: str,
    pairing: Pairing[PairingKey, EntryId],
    known: Known,
    waited: _Waited[PairingKey, EntryId],
) -> OpenMatch[PairingKey]:
    key = pairing.key
    has_begun = known.began is not None
    again = any(_is_first_loss(source) for _, source in pairing.seats) and known.ready is None
    return OpenMatch(
        key,
        Part(tournament, bracket_kind(pairing.bracket), pairing.round),
        known,
        after=() if has_begun else waited.by[key],
        chance=EVEN if again else 1.0,
        people=waited.people(key),
        comes=() if has_begun else waited.comes[key],
    )


def _is_first_loss(source: Source[PairingKey, EntryId]) -> bool:
    return isinstance(source, FromPairing) and source.outcome == Outcome.FIRST_LOSS


class _Waited(Generic[PairingKey, EntryId]):
    """`matches` still to be ended, in the order of the draw, what each of them waits for (`by`) and who comes there."""

    def __init__(
        self,
        graph: Graph[PairingKey, EntryId],
        states: Mapping[PairingKey, State[EntryId]],
        gone: Collection[EntryId],
    ) -> None:
        played = set(plan_matches(graph).matches)
        self.graph, self.states = graph, states
        self.matches: list[PairingKey] = []
        self.by: dict[PairingKey, tuple[PairingKey, ...]] = {}
        self.comes: dict[PairingKey, tuple[Coming[PairingKey], ...]] = {}
        self.ends: dict[PairingKey, tuple[PairingKey, ...]] = {}
        for pairing in graph:
            key, state = pairing.key, states[pairing.key]
            is_settled = state.result.how is not None
            self.by[key] = () if is_settled else self._before(pairing)
            self.comes[key] = () if is_settled else self._coming(pairing)
            if is_settled:
                self.ends[key] = ()
            elif key not in played or _is_passed(state, gone):
                self.ends[key] = self.by[key]
            else:
                self.ends[key] = (key,)
                self.matches.append(key)

    def people(self, key: PairingKey) -> tuple[EntryId, ...]:
        return tuple(one for one in self.states[key][:2] if one is not None and one is not BYE)

    def _before(self, pairing: Pairing[PairingKey, EntryId]) -> tuple[PairingKey, ...]:
        found: dict[PairingKey, None] = {}
        for _, source in pairing.seats:
            if isinstance(source, FromPairing):
                found.update(dict.fromkeys(self.ends[source.pairing]))
            elif isinstance(source, FromPlace):
                found.update(
                    (key, None)
                    for one in self.graph.ranked_pairings(source.bracket)
                    for key in self.ends[one]
                )
        return tuple(found)

    def _coming(self, pairing: Pairing[PairingKey, EntryId]) -> tuple[Coming[PairingKey], ...]:
        """Whoever is alone in a pairing goes on as its winner."""
        found: list[Coming[PairingKey]] = []
        for _, source in pairing.seats:
            if not isinstance(source, FromPairing):
                continue
            if self.ends[source.pairing] == (source.pairing,):
                found.append(Coming(source.pairing, source.outcome))
            elif source.outcome == Outcome.WINNER:
                found += self.comes[source.pairing][:1]
        return tuple(found)


def _is_passed(state: State[EntryId], gone: Collection[EntryId]) -> bool:
    """Whether whoever comes here goes on unplayed."""
    return any(occupant is BYE or occupant in gone for occupant in (state.left, state.right))
