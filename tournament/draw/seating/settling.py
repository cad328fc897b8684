"""One pairing: who sits there, what was decided, and so who goes on. The one rule that moves anybody.

Two ways to the same answer, a full resolve and an advance, both ask `settle`, so they cannot disagree. No format is
named here and nothing is remembered here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Generic, NamedTuple

from tournament.draw.graph import BYE, EntryId, Occupant, Outcome, Seat


class How(StrEnum):
    """How a pairing was settled."""

    PLAYED = "played"
    BYE = "bye"
    WALKOVER = "walkover"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Decision(Generic[EntryId]):
    """The posted outcome of a pairing, naming both entries: it counts only while these two sit there.

    Either somebody won, or both lost (neither came): `Decision(winner, loser)` or
    `Decision.both_lost(one, other)`.
    """

    winner: EntryId | None
    loser: EntryId
    also_lost: EntryId | None = None
    points: tuple[int, int] | None = None
    """The winner's and the loser's, where they are known; they move nobody on but in a ranking."""

    def __post_init__(self) -> None:
        if (self.winner is None) == (self.also_lost is None):
            raise ValueError("A decision names a winner and a loser, or two losers.")
        if self.loser in (self.winner, self.also_lost):
            raise ValueError("A decision is between two different entries.")

    @classmethod
    def both_lost(cls, first: EntryId, second: EntryId) -> Decision[EntryId]:
        return cls(winner=None, loser=first, also_lost=second)

    def fits(self, left: Occupant[EntryId], right: Occupant[EntryId]) -> bool:
        """Whether these two, on whichever seat, are the entries it was decided between."""
        rival = self.also_lost if self.winner is None else self.winner
        return (left == self.loser and right == rival) or (left == rival and right == self.loser)


class Settled(NamedTuple, Generic[EntryId]):
    """Who goes on as winner and as loser, and how; all None while that is open."""

    winner: Occupant[EntryId]
    loser: Occupant[EntryId]
    how: How | None


UNDECIDED: Final[Settled[Any]] = Settled(None, None, None)
_NOBODY: Final[Settled[Any]] = Settled(BYE, BYE, How.NOBODY)


class State(NamedTuple, Generic[EntryId]):
    """A pairing's two seats and what came of them."""

    left: Occupant[EntryId]
    right: Occupant[EntryId]
    result: Settled[EntryId]

    def at(self, seat: Seat) -> Occupant[EntryId]:
        return self.left if seat == Seat.LEFT else self.right

    def sent_on(self, outcome: Outcome) -> Occupant[EntryId]:
        """Who goes on by this outcome; None while that is open."""
        if outcome == Outcome.WINNER:
            return self.result.winner
        if outcome == Outcome.LOSER or self.result.loser is None or self.result.loser == self.left:
            return self.result.loser
        return BYE

    def with_occupant(self, seat: Seat, occupant: Occupant[EntryId]) -> State[EntryId]:
        """The same with one seat taken by another; its result is still the one of before."""
        if seat == Seat.LEFT:
            return State(occupant, self.right, self.result)
        return State(self.left, occupant, self.result)


def settle(
    left: Occupant[EntryId],
    right: Occupant[EntryId],
    decision: Decision[EntryId] | None,
    withdrawn: Mapping[EntryId, float],
) -> Settled[EntryId]:
    """What follows from these two seats.

    A bye lets the other through, also another bye and also an entry that has withdrawn (its next
    opponent gets the walkover). Between two entries a decision that fits them counts before any
    withdrawal. `withdrawn` says when each entry left: of two that are gone the first to leave gives the
    walkover, so that a later withdrawal never undoes an earlier walkover. Where nobody wins a bye travels
    on, both as winner and as loser.
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
