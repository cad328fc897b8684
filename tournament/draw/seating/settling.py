"""Settles one pairing: from its occupants, decision and withdrawals to its winner and loser.

`resolve` and `advance` both call `settle`, so they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Generic, NamedTuple

from tournament.draw.graph import BYE, EntryId, Occupant, Outcome, Seat


class How(StrEnum):
    """The way in which a pairing was settled."""

    PLAYED = "played"
    BYE = "bye"
    WALKOVER = "walkover"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Decision(Generic[EntryId]):
    """The posted outcome of a pairing. It names both entries and counts only while these two sit there.

    Either one entry won, or both lost because neither came: `Decision(winner, loser)` or `Decision.both_lost(a, b)`.
    """

    winner: EntryId | None
    loser: EntryId
    also_lost: EntryId | None = None
    points: tuple[int, int] | None = None
    """The points of the winner and of the loser, if known. They affect rankings only."""

    def __post_init__(self) -> None:
        if (self.winner is None) == (self.also_lost is None):
            raise ValueError("A decision names a winner and a loser, or two losers.")
        if self.loser in (self.winner, self.also_lost):
            raise ValueError("A decision is between two different entries.")

    @classmethod
    def both_lost(cls, first: EntryId, second: EntryId) -> Decision[EntryId]:
        return cls(winner=None, loser=first, also_lost=second)

    def fits(self, left: Occupant[EntryId], right: Occupant[EntryId]) -> bool:
        """Returns True if the decision is between these two occupants, in either order."""
        rival = self.also_lost if self.winner is None else self.winner
        return (left == self.loser and right == rival) or (left == rival and right == self.loser)


class Settled(NamedTuple, Generic[EntryId]):
    """The winner, the loser and how the pairing was settled. All None while it is open."""

    winner: Occupant[EntryId]
    loser: Occupant[EntryId]
    how: How | None


UNDECIDED: Final[Settled[Any]] = Settled(None, None, None)
_NOBODY: Final[Settled[Any]] = Settled(BYE, BYE, How.NOBODY)


class State(NamedTuple, Generic[EntryId]):
    """The two seats of a pairing and its result."""

    left: Occupant[EntryId]
    right: Occupant[EntryId]
    result: Settled[EntryId]

    def at(self, seat: Seat) -> Occupant[EntryId]:
        return self.left if seat == Seat.LEFT else self.right

    def sent_on(self, outcome: Outcome) -> Occupant[EntryId]:
        """Returns the occupant that this outcome sends on; None while the pairing is open."""
        if outcome == Outcome.WINNER:
            return self.result.winner
        if outcome == Outcome.LOSER or self.result.loser is None or self.result.loser == self.left:
            return self.result.loser
        return BYE

    def with_occupant(self, seat: Seat, occupant: Occupant[EntryId]) -> State[EntryId]:
        """Returns the state with another occupant on one seat. The result is unchanged."""
        if seat == Seat.LEFT:
            return State(occupant, self.right, self.result)
        return State(self.left, occupant, self.result)


def settle(
    left: Occupant[EntryId],
    right: Occupant[EntryId],
    decision: Decision[EntryId] | None,
    withdrawn: Mapping[EntryId, float],
) -> Settled[EntryId]:
    """Returns the result of a pairing with these two occupants.

    A bye lets the opponent advance, even if that is another bye or a withdrawn entry, whose next opponent then gets a
    walkover. Between two entries a fitting decision takes precedence over withdrawals. `withdrawn` maps entries to the
    time of withdrawal. If both withdrew, the first to withdraw loses, so a later withdrawal never cancels an earlier
    walkover. If nobody wins, a bye advances both as winner and as loser.
    """
    if left is None or right is None:
        return UNDECIDED
    if left is BYE:
        return Settled(right, BYE, How.BYE)
    if right is BYE:
        return Settled(left, BYE, How.BYE)
    if decision is not None and decision.fits(left, right):
        return _NOBODY if decision.winner is None else Settled(decision.winner, decision.loser, How.PLAYED)
    absent = [entry for entry in (left, right) if entry in withdrawn]
    if not absent:
        return UNDECIDED
    loser = min(absent, key=withdrawn.__getitem__)
    return Settled(right if loser == left else left, loser, How.WALKOVER)
