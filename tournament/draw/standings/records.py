"""Records of entries: the matches of each in order and their sums, read from the draw and its decisions.

Facts only. `counting` gives the value of byes and walkovers, `ranking` the order.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from tournament.draw.graph import BYE, EntryId, PairingKey
from tournament.draw.seating import Decision, How, State

Key_co = TypeVar("Key_co", bound=Hashable, covariant=True)


UNKNOWN_POINTS: Final = (None, None)


class PairingPlace(Protocol[Key_co]):
    """The key and the location of a pairing."""

    @property
    def key(self) -> Key_co: ...
    @property
    def bracket(self) -> str: ...
    @property
    def round(self) -> int: ...
    @property
    def line(self) -> int: ...


class Notes(NamedTuple, Generic[PairingKey]):
    """Facts that decisions do not hold: match lengths (None for stake play) and pairings that were awarded unplayed."""

    lengths: Mapping[PairingKey, int | None] = MappingProxyType({})
    awarded: Collection[PairingKey] = frozenset()


class Meeting(NamedTuple, Generic[EntryId]):
    """A settled match from the view of one player. NOBODY is a walkover that both lost.

    `opponent` is None for a bye. Points are None if they were not recorded or nothing was played.
    """

    round: int
    opponent: EntryId | None
    won: bool
    how: How
    length: int | None = None
    points_for: int | None = None
    points_against: int | None = None


@dataclass(frozen=True, slots=True)
class Record(Generic[EntryId]):
    """The matches of an entry in order and their sums. `wins` and `losses` are played ones; the rest is counted apart.

    `starting_losses` are losses with which a late entrant of a lives event started. Points are those of played matches
    with known points, raw and credited up to the match length.
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
    starting_losses: int = 0

    @property
    def opponents(self) -> tuple[EntryId, ...]:
        """All opponents in order, without byes."""
        return tuple(meeting.opponent for meeting in self.meetings if meeting.opponent is not None)

    @property
    def all_losses(self) -> int:
        return self.losses + self.walkovers_lost + self.starting_losses


def records_of(
    pairings: Iterable[PairingPlace[PairingKey]],
    states: Mapping[PairingKey, State[EntryId]],
    decisions: Mapping[PairingKey, Decision[EntryId]],
    notes: Notes[PairingKey] | None = None,
) -> dict[EntryId, Record[EntryId]]:
    """Returns the record of every entry in these pairings, in the order in which they first sit down.

    The order of the pairings does not matter. Open matches do not count.
    """
    known_notes = notes or Notes()
    meetings: dict[EntryId, list[Meeting[EntryId]]] = {}
    for pairing in sorted(pairings, key=lambda pairing: (pairing.round, pairing.bracket, pairing.line)):
        key, state = pairing.key, states[pairing.key]
        for occupant in (state.left, state.right):
            if occupant is not None and occupant is not BYE:
                meetings.setdefault(occupant, [])
        if state.result.how is not None:
            how = _how_settled(state.result.how, awarded=key in known_notes.awarded)
            decision = decisions.get(key) if how is How.PLAYED else None
            points = None if decision is None else decision.points
            length = known_notes.lengths.get(key)
            for entry, opponent, won in _sides(state):
                own, theirs = UNKNOWN_POINTS if points is None else points if won else points[::-1]
                meetings[entry].append(Meeting(pairing.round, opponent, won, how, length, own, theirs))
    return {entry: _record(entry, own) for entry, own in meetings.items()}


def with_starting_losses(
    records: Mapping[EntryId, Record[EntryId]], starting_losses: Mapping[EntryId, int]
) -> dict[EntryId, Record[EntryId]]:
    """Returns the records with these starting losses. Entries named only in `starting_losses` have played nothing."""
    all_records = {entry: records.get(entry, Record(entry)) for entry in (*records, *starting_losses)}
    return {
        entry: record
        if record.starting_losses == (losses := starting_losses.get(entry, 0))
        else replace(record, starting_losses=losses)
        for entry, record in all_records.items()
    }


def _how_settled(how: How, *, awarded: bool) -> How:
    return How.WALKOVER if awarded and how is How.PLAYED else how


def _sides(state: State[EntryId]) -> list[tuple[EntryId, EntryId | None, bool]]:
    """Returns each entry of a settled pairing with its opponent and whether it won. If both lost, neither won."""
    left, right, (winner, _, _) = state
    if left is None or right is None:
        return []
    if left is BYE:
        return [] if right is BYE else [(right, None, True)]
    if right is BYE:
        return [(left, None, True)]
    return [(left, right, left == winner), (right, left, right == winner)]


def _record(entry: EntryId, meetings: list[Meeting[EntryId]]) -> Record[EntryId]:
    played = [meeting for meeting in meetings if meeting.how is How.PLAYED]
    wins = sum([meeting.won for meeting in played])
    byes = sum([meeting.how is How.BYE for meeting in meetings]) if len(played) < len(meetings) else 0
    walkovers_won = sum([meeting.won for meeting in meetings]) - wins - byes
    walkovers_lost = len(meetings) - len(played) - byes - walkovers_won
    sums = (wins, len(played) - wins, byes, walkovers_won, walkovers_lost)
    return Record(entry, tuple(meetings), *sums, *_sum_points(played))


def _sum_points(played: list[Meeting[EntryId]]) -> tuple[int, int, int, int]:
    """Returns raw points for and against, then credited points for and against. Credit ends at the match length."""
    raw_for = raw_against = credited_for = credited_against = 0
    for _, _, _, _, length, own, others in played:
        if own is not None and others is not None:
            raw_for += own
            raw_against += others
            credited_for += own if length is None or own < length else length
            credited_against += others if length is None or others < length else length
    return raw_for, raw_against, credited_for, credited_against
