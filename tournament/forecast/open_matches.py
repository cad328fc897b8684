"""The open matches of a draw, and the matches that each of them waits for.

Byes, walkovers and empty pairings are skipped, and decided pairings left out.
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
    """The round of a match.

    `tournament` is any label that is unique to a tournament. All groups are one bracket, "group".
    """

    tournament: str
    bracket: str
    round: int


class MatchStatus(NamedTuple):
    """The status of an undecided match: its length, the minutes at which it became ready and began, and its score.

    A session of stake play has the length of a match that takes as long.
    """

    length: int
    ready: float | None = None
    began: float | None = None
    left: int = 0
    right: int = 0
    is_crawford: bool = False
    is_session: bool = False


class AwaitedPlayer(NamedTuple, Generic[PairingKey]):
    """The winner or the loser of an open match."""

    match: PairingKey
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class OpenMatch(Generic[PairingKey]):
    """An open match. It starts when all matches in `after` have ended, and not before `earliest`.

    `chance` is the probability that it is played at all: a second final is not always needed. `people` are its known
    players, `awaited` its other ones. Players who are in another match delay it too.
    """

    key: PairingKey
    part: Part
    status: MatchStatus
    after: tuple[PairingKey, ...] = ()
    chance: float = 1.0
    earliest: float | None = None
    people: tuple[Hashable, ...] = ()
    awaited: tuple[AwaitedPlayer[PairingKey], ...] = ()

    @property
    def stage(self) -> Stage:
        if self.status.began is not None:
            return Stage.PLAYING
        return Stage.READY if self.status.ready is not None and not self.after else Stage.WAITING


def open_matches(
    tournament: str,
    graph: Graph[PairingKey, EntryId],
    states: Mapping[PairingKey, State[EntryId]],
    statuses: Mapping[PairingKey, MatchStatus],
    withdrawn: Collection[EntryId] = (),
) -> tuple[OpenMatch[PairingKey], ...]:
    """Returns the open matches: those under way first, then each after the matches it waits for.

    `statuses` has every pairing that is not settled.
    """
    open_draw = _OpenDraw(graph, states, withdrawn)
    ordered = sorted(open_draw.matches, key=lambda key: statuses[key].began is None)
    return tuple(_open_match(tournament, graph[key], statuses[key], open_draw) for key in ordered)


def _open_match(
    tournament: str,
    pairing: Pairing[PairingKey, EntryId],
    status: MatchStatus,
    open_draw: _OpenDraw[PairingKey, EntryId],
) -> OpenMatch[PairingKey]:
    key = pairing.key
    has_begun = status.began is not None
    is_second_final = any(_is_first_loss(source) for _, source in pairing.seats) and status.ready is None
    return OpenMatch(
        key,
        Part(tournament, bracket_kind(pairing.bracket), pairing.round),
        status,
        after=() if has_begun else open_draw.after[key],
        chance=EVEN if is_second_final else 1.0,
        people=open_draw.people(key),
        awaited=() if has_begun else open_draw.awaited[key],
    )


def _is_first_loss(source: Source[PairingKey, EntryId]) -> bool:
    return isinstance(source, FromPairing) and source.outcome == Outcome.FIRST_LOSS


class _OpenDraw(Generic[PairingKey, EntryId]):
    """The open matches of a draw, in its order.

    `after` are the open matches that a pairing waits for, `awaited` the players it waits for, and `decided_by` the open
    matches that decide its outcome.
    """

    def __init__(
        self,
        graph: Graph[PairingKey, EntryId],
        states: Mapping[PairingKey, State[EntryId]],
        withdrawn: Collection[EntryId],
    ) -> None:
        planned = set(plan_matches(graph).matches)
        self.graph, self.states = graph, states
        self.matches: list[PairingKey] = []
        self.open_keys: set[PairingKey] = set()
        self.after: dict[PairingKey, tuple[PairingKey, ...]] = {}
        self.awaited: dict[PairingKey, tuple[AwaitedPlayer[PairingKey], ...]] = {}
        self.decided_by: dict[PairingKey, tuple[PairingKey, ...]] = {}
        for pairing in graph:
            key, state = pairing.key, states[pairing.key]
            is_settled = state.result.how is not None
            self.after[key] = () if is_settled else self._matches_before(pairing)
            self.awaited[key] = () if is_settled else self._awaited_players(pairing)
            if is_settled:
                self.decided_by[key] = ()
            elif key not in planned or _advances_unplayed(state, withdrawn):
                self.decided_by[key] = self.after[key]
            else:
                self.decided_by[key] = (key,)
                self.matches.append(key)
                self.open_keys.add(key)

    def people(self, key: PairingKey) -> tuple[EntryId, ...]:
        return tuple(
            occupant for occupant in self.states[key][:2] if occupant is not None and occupant is not BYE
        )

    def _matches_before(self, pairing: Pairing[PairingKey, EntryId]) -> tuple[PairingKey, ...]:
        keys: list[PairingKey] = []
        for _, source in pairing.seats:
            if isinstance(source, FromPairing):
                keys += self.decided_by[source.pairing]
            elif isinstance(source, FromPlace):
                for member in self.graph.ranked_pairings(source.bracket):
                    keys += self.decided_by[member]
        return tuple(dict.fromkeys(keys))

    def _awaited_players(
        self, pairing: Pairing[PairingKey, EntryId]
    ) -> tuple[AwaitedPlayer[PairingKey], ...]:
        sources = [source for _, source in pairing.seats if isinstance(source, FromPairing)]
        players = [self._awaited_player(source) for source in sources]
        return tuple(player for player in players if player is not None)

    def _awaited_player(self, source: FromPairing[PairingKey]) -> AwaitedPlayer[PairingKey] | None:
        """Returns the outcome of an open match that fills this seat, or None if there is none."""
        if source.pairing in self.open_keys:
            return AwaitedPlayer(source.pairing, source.outcome)
        # A pairing with a bye is not played: its only player advances as the winner.
        players = self.awaited[source.pairing]
        return players[0] if players and source.outcome == Outcome.WINNER else None


def _advances_unplayed(state: State[EntryId], withdrawn: Collection[EntryId]) -> bool:
    """Returns True if the pairing has a bye or a withdrawn player."""
    return any(occupant is BYE or occupant in withdrawn for occupant in (state.left, state.right))
