"""Computes the value of every tie-break from the records, exactly and in integers.

The formulas are documented at `TieBreak`. Nothing is ordered here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from decimal import Decimal
from functools import cached_property
from itertools import compress
from types import MappingProxyType
from typing import Any, Final, Generic, NamedTuple, TypeAlias

from tournament.draw.chance import shuffle
from tournament.draw.graph import EntryId
from tournament.draw.seating import Decision, How
from tournament.draw.standings.counting import CountingRules, StandIn, Unplayed
from tournament.draw.standings.records import Meeting, Record
from tournament.draw.standings.tie_breaks import TieBreak

Value: TypeAlias = int | Decimal

AMONG_THE_TIED: Final = frozenset({TieBreak.HEAD_TO_HEAD, TieBreak.PLAY_OFF})
"""Their values are defined among tied entries only."""


class ExternalValues(NamedTuple, Generic[EntryId]):
    """Values that records do not hold: ratings, play-offs and the lot; for lives events, lives left and the last
    round.
    """

    performance_ratings: Mapping[EntryId, Value] = MappingProxyType({})
    play_offs: Collection[Decision[EntryId]] = ()
    lot: Mapping[EntryId, int] = MappingProxyType({})
    lasted: Mapping[EntryId, int] = MappingProxyType({})
    lives_left: Mapping[EntryId, int] = MappingProxyType({})


def lot_numbers(entries: Iterable[EntryId], seed_text: str) -> dict[EntryId, int]:
    """Returns the number that each entry draws with a published seed. The order of `entries` is part of the lot."""
    return {entry: number for number, entry in enumerate(shuffle(entries, seed_text), 1)}


class Formulas(Generic[EntryId]):
    """The values of every tie-break for one set of records."""

    def __init__(
        self,
        records: Mapping[EntryId, Record[EntryId]],
        counting: CountingRules,
        external: ExternalValues[EntryId],
    ) -> None:
        self.records, self.counting, self.external = records, counting, external
        self.last_round = max((m.round for record in records.values() for m in record.meetings), default=0)
        self.scores = {entry: self._score(record) for entry, record in records.items()}
        self._columns: dict[TieBreak, Mapping[EntryId, Value]] = {}

    def values(self, tie_break: TieBreak, tied: Collection[EntryId]) -> Mapping[EntryId, Value]:
        """Returns the values of at least all tied entries; empty if the tie-break cannot be applied to them."""
        if tie_break in AMONG_THE_TIED:
            return self._values_among_tied(tie_break, set(tied)) if len(tied) > 1 else {}
        column = self._columns.get(tie_break)
        if column is None:
            column = self._columns[tie_break] = self._column(tie_break)
        is_applicable = tie_break not in _EXTERNAL or all(entry in column for entry in tied)
        return column if is_applicable else {}

    def _values_among_tied(self, tie_break: TieBreak, tied: set[EntryId]) -> Mapping[EntryId, Value]:
        return self._head_to_head(tied) if tie_break is TieBreak.HEAD_TO_HEAD else self._play_off(tied)

    def _column(self, tie_break: TieBreak) -> Mapping[EntryId, Value]:
        if tie_break is TieBreak.SCORE:
            return self.scores
        if tie_break in _EXTERNAL:
            return _EXTERNAL[tie_break](self.external)
        formula = _FORMULAS[tie_break]
        return {entry: formula(self, record) for entry, record in self.records.items()}

    def _rule_of(self, meeting: Meeting[EntryId]) -> Unplayed:
        return self.counting.bye if meeting.how is How.BYE else self.counting.walkover

    def _score(self, record: Record[EntryId]) -> int:
        byes = record.byes if self.counting.bye.wins else 0
        return record.wins + byes + (record.walkovers_won if self.counting.walkover.wins else 0)

    @cached_property
    def _counts_as_win(self) -> dict[EntryId, list[bool]]:
        """For each entry and each of its meetings in order: True if the meeting adds one to the score."""
        return {
            entry: [
                meeting.won and (meeting.how is How.PLAYED or self._rule_of(meeting).wins)
                for meeting in record.meetings
            ]
            for entry, record in self.records.items()
        }

    @cached_property
    def _opponent_scores(self) -> dict[EntryId, list[int]]:
        """For each entry and each of its meetings in order: the score of the opponent or stand-in."""
        pairs = [*self.scores.items(), (None, 0)]
        scores: dict[EntryId | None, int] = dict(pairs)
        return {
            entry: [
                scores[meeting.opponent if meeting.how is How.PLAYED else self._stand_in(entry, meeting)]
                for meeting in record.meetings
            ]
            for entry, record in self.records.items()
        }

    def _stand_in(self, entry: EntryId, meeting: Meeting[EntryId]) -> EntryId | None:
        stand_in = self._rule_of(meeting).stand_in
        if stand_in is StandIn.OWN_SCORE:
            return entry
        return meeting.opponent if stand_in is StandIn.OPPONENT else None

    def buchholz(self, record: Record[EntryId]) -> int:
        return sum(self._opponent_scores[record.entry])

    def median_buchholz(self, record: Record[EntryId]) -> int:
        return sum(sorted(self._opponent_scores[record.entry])[1:-1])

    def buchholz_without_worst(self, record: Record[EntryId]) -> int:
        return sum(sorted(self._opponent_scores[record.entry])[1:])

    def sonneborn_berger(self, record: Record[EntryId]) -> int:
        return sum(compress(self._opponent_scores[record.entry], self._counts_as_win[record.entry]))

    def defeated_scores(self, record: Record[EntryId]) -> int:
        return sum(
            self.records[meeting.opponent].wins
            for meeting in record.meetings
            if meeting.won and meeting.how is How.PLAYED and meeting.opponent is not None
        )

    def points_difference(self, record: Record[EntryId]) -> int:
        return record.points_for - record.points_against

    def credited_difference(self, record: Record[EntryId]) -> int:
        unplayed = sum(
            (meeting.length or 0) * (1 if meeting.won else -1)
            for meeting in record.meetings
            if meeting.how is not How.PLAYED and self._rule_of(meeting).credited
        )
        return record.credited_for - record.credited_against + unplayed

    def cumulative(self, record: Record[EntryId]) -> int:
        counted = compress(record.meetings, self._counts_as_win[record.entry])
        return sum([self.last_round + 1 - meeting.round for meeting in counted])

    def losses(self, record: Record[EntryId]) -> int:
        return record.all_losses

    def _head_to_head(self, tied: set[EntryId]) -> Mapping[EntryId, Value]:
        wins: dict[EntryId, Value] = {}
        numbers: set[int] = set()
        for entry in tied:
            meetings = [
                meeting
                for meeting in self.records[entry].meetings
                if meeting.opponent in tied and self._met(meeting)
            ]
            numbers.add(len(meetings))
            if len({meeting.opponent for meeting in meetings}) < len(tied) - 1 or len(numbers) > 1:
                return {}
            wins[entry] = sum(meeting.won for meeting in meetings)
        return wins

    def _met(self, meeting: Meeting[EntryId]) -> bool:
        return meeting.how is How.PLAYED or self._rule_of(meeting).wins

    def _play_off(self, tied: set[EntryId]) -> Mapping[EntryId, Value]:
        wins: dict[EntryId, Value] = {}
        for decision in self.external.play_offs:
            rival = decision.also_lost if decision.winner is None else decision.winner
            if rival in tied and decision.loser in tied:
                for entry in (rival, decision.loser):
                    wins[entry] = wins.get(entry, 0) + (entry == decision.winner)
        return wins if len(wins) == len(tied) else {}


_EXTERNAL: Final[Mapping[TieBreak, Callable[[ExternalValues[Any]], Mapping[Any, Value]]]] = {
    TieBreak.PERFORMANCE_RATING: lambda external: external.performance_ratings,
    TieBreak.LOT: lambda external: external.lot,
    TieBreak.LASTED: lambda external: external.lasted,
    TieBreak.LIVES_LEFT: lambda external: external.lives_left,
}
_FORMULAS: Final[Mapping[TieBreak, Callable[[Formulas[Any], Record[Any]], int]]] = {
    TieBreak.BUCHHOLZ: Formulas.buchholz,
    TieBreak.MEDIAN_BUCHHOLZ: Formulas.median_buchholz,
    TieBreak.BUCHHOLZ_WITHOUT_WORST: Formulas.buchholz_without_worst,
    TieBreak.SONNEBORN_BERGER: Formulas.sonneborn_berger,
    TieBreak.DEFEATED_SCORES: Formulas.defeated_scores,
    TieBreak.POINTS_DIFFERENCE: Formulas.points_difference,
    TieBreak.CREDITED_DIFFERENCE: Formulas.credited_difference,
    TieBreak.CUMULATIVE: Formulas.cumulative,
    TieBreak.LOSSES: Formulas.losses,
}
