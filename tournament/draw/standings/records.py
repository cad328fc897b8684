"""What everybody did: each entry's matches in order, and their sums, read off the draw and its decisions.

Facts only. What a bye or a walkover is worth is `counting`'s business, who comes before whom `ranking`'s.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Generic, NamedTuple, Protocol, TypeVar

from tournament.draw.graph import BYE, EntryId, PairingKey
from tournament.draw.seating import Decision, How, State

Key_co = TypeVar("Key_co", bound=Hashable, covariant=True)


class Located(Protocol[Key_co]):
    """A pairing as far as records ask: its key and where it stands."""

    @property
    def key(self) -> Key_co: ...
    @property
    def bracket(self) -> str: ...
    @property
    def round(self) -> int: ...
    @property
    def line(self) -> int: ...


class Notes(NamedTuple, Generic[PairingKey]):
    """What decisions do not say: match lengths, and which pairings were awarded without being played."""

    lengths: Mapping[PairingKey, int] = MappingProxyType({})
    awarded: Collection[PairingKey] = frozenset()


class Meeting(NamedTuple, Generic[EntryId]):
    """One settled match as one of its players saw it; NOBODY is a walkover that both lost.

    `opponent` is None for a bye, points are None where nobody wrote them down or nothing was played.
    """

    round: int
    opponent: EntryId | None
    won: bool
    how: How
    length: int | None = None
    points_for: int | None = None
    points_against: int | None = None

    @property
    def credited_for(self) -> int:
        return self._credited(self.points_for)

    @property
    def credited_against(self) -> int:
        return self._credited(self.points_against)

    def _credited(self, points: int | None) -> int:
        """Points beyond the length of the match are not credited."""
        return min(points or 0, points or 0 if self.length is None else self.length)


@dataclass(frozen=True, slots=True)
class Record(Generic[EntryId]):
    """One entry's matches in order, and their sums: `wins` and `losses` at the board, everything else beside them.

    Points are those of played matches whose points are known, raw as played and credited up to the match length.
    """

    entry: EntryId
    meetings: tuple[Meeting[EntryId], ...] = ()
    wins: int = 0
    losses: int = 0
    byes: int = 0
    walkovers_won: int = 0
    walkovers_lost: int = 0
    points_for: int = 0
    points_against: int = 0
    credited_for: int = 0
    credited_against: int = 0

    @property
    def opponents(self) -> tuple[EntryId, ...]:
        """Everybody it was paired with, in order; byes are nobody."""
        return tuple(meeting.opponent for meeting in self.meetings if meeting.opponent is not None)

    @property
    def all_losses(self) -> int:
        return self.losses + self.walkovers_lost


def records_of(
    pairings: Iterable[Located[PairingKey]],
    states: Mapping[PairingKey, State[EntryId]],
    decisions: Mapping[PairingKey, Decision[EntryId]],
    notes: Notes[PairingKey] | None = None,
) -> dict[EntryId, Record[EntryId]]:
    """The record of everybody who sits in one of these pairings, in the order in which they first sit down.

    The order in which the pairings are handed in does not matter; matches still open count for nothing yet.
    """
    noted = notes or Notes()
    meetings: dict[EntryId, list[Meeting[EntryId]]] = {}
    for pairing in sorted(pairings, key=lambda pairing: (pairing.round, pairing.bracket, pairing.line)):
        key, state = pairing.key, states[pairing.key]
        for occupant in (state.left, state.right):
            if occupant is not None and occupant is not BYE:
                meetings.setdefault(occupant, [])
        if state.result.how is not None:
            seen = _Seen(
                pairing.round,
                _how(state.result.how, awarded=key in noted.awarded),
                noted.lengths.get(key),
                decisions.get(key),
            )
            for entry, meeting in seen.by_both(state):
                meetings[entry].append(meeting)
    return {entry: _record(entry, own) for entry, own in meetings.items()}


def _how(how: How, *, awarded: bool) -> How:
    return How.WALKOVER if awarded and how is How.PLAYED else how


class _Seen(NamedTuple, Generic[EntryId]):
    """A settled pairing, to be told to its players."""

    round: int
    how: How
    length: int | None
    decision: Decision[EntryId] | None

    def by_both(self, state: State[EntryId]) -> Iterator[tuple[EntryId, Meeting[EntryId]]]:
        sides = (state.left, state.right)
        for entry, opponent in (sides, sides[::-1]):
            if entry is not None and entry is not BYE:
                met = None if opponent is BYE else opponent
                yield (
                    entry,
                    self._by_one(met, won=self.how is not How.NOBODY and entry == state.result.winner),
                )

    def _by_one(self, opponent: EntryId | None, *, won: bool) -> Meeting[EntryId]:
        points = self.decision.points if self.decision is not None and self.how is How.PLAYED else None
        if points is None:
            return Meeting(self.round, opponent, won, self.how, self.length)
        own, others = points if won else points[::-1]
        return Meeting(self.round, opponent, won, self.how, self.length, own, others)


def _record(entry: EntryId, meetings: list[Meeting[EntryId]]) -> Record[EntryId]:
    played = [meeting for meeting in meetings if meeting.how is How.PLAYED]
    wins = sum(meeting.won for meeting in played)
    byes = sum(meeting.how is How.BYE for meeting in meetings)
    walkovers_won = sum(meeting.won for meeting in meetings) - wins - byes
    return Record(
        entry,
        tuple(meetings),
        wins=wins,
        losses=len(played) - wins,
        byes=byes,
        walkovers_won=walkovers_won,
        walkovers_lost=len(meetings) - len(played) - byes - walkovers_won,
        points_for=sum(meeting.points_for or 0 for meeting in played),
        points_against=sum(meeting.points_against or 0 for meeting in played),
        credited_for=sum(meeting.credited_for for meeting in played),
        credited_against=sum(meeting.credited_against for meeting in played),
    )
