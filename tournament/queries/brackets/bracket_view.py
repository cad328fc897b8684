"""Data classes of brackets, rounds, pairings and seats for pages, files and the API. Pure.

Texts for the codes are in `labels`.
"""

import uuid
from dataclasses import dataclass, field
from datetime import datetime

from tournament.models import Shape
from tournament.queries.brackets.pairing_state import OVER
from tournament.queries.brackets.round_names import BRACKET_FINAL


@dataclass(frozen=True, slots=True)
class Coming:
    """The source of an expected player: the winner or loser of a pairing, or a place of a bracket.

    `outcome` is winner, loser, first_loss or place; `number` is the number of the pairing in `bracket`, or the place
    there.
    """

    outcome: str
    number: int
    bracket: str = "main"
    called: str = ""


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat. An unknown player has no `entry_id`, and `coming` unless the seat is a bye."""

    entry_id: uuid.UUID | None = None
    name: str = ""
    country: str = ""
    club: str = ""
    seed: int | None = None
    is_bye: bool = False
    is_withdrawn: bool = False
    points: int | None = None
    is_winner: bool = False
    coming: Coming | None = None


@dataclass(frozen=True, slots=True)
class PairingView:
    """`number` counts the pairings of the bracket; `called` is unique among all brackets: “12”, “C12”.

    Byes of the draw have no number, and numbers never change; pairings that arise from a late entry are counted last.
    `state` is waiting, ready, playing, reported, disputed, decided or bye; `how` is the kind of a result that was not
    played. `is_second_final`: played only if the unbeaten side lost the final. `table` is the table of the current
    call, `onward` the pairing of this bracket in which the winner plays next.
    """

    id: int
    number: int | None
    called: str
    round: int
    line: int
    left: SeatView
    right: SeatView
    length: int | None
    state: str
    how: str
    is_crawford: bool
    is_second_final: bool
    match_id: uuid.UUID | None
    table: str = ""
    games: int | None = None
    minutes: int | None = None
    onward: int | None = None


@dataclass(frozen=True, slots=True)
class RoundView:
    """`name` is a code of `rounds`: final, semifinals ... or round_3. `planned_at`: the planned start."""

    id: int
    number: int
    name: str
    length: int | None
    pairings: tuple[PairingView, ...]
    games: int | None = None
    minutes: int | None = None
    planned_at: datetime | None = None

    @property
    def is_decided(self) -> bool:
        return all(pairing.state in OVER for pairing in self.pairings)

    @property
    def has_match(self) -> bool:
        """False for a round of byes only, and for a second final that is not needed."""
        return any(pairing.state != "bye" for pairing in self.pairings)


@dataclass(frozen=True, slots=True)
class BracketView:
    """`shape` is tree or table: a table ranks all entries by their records and has no last match."""

    id: uuid.UUID
    key: str
    shape: str
    version: int
    stamp: str
    is_released: bool
    rounds: tuple[RoundView, ...] = field(default=())

    @property
    def is_table(self) -> bool:
        return self.shape == Shape.TABLE

    @property
    def champion(self) -> SeatView | None:
        """The winner of the decided last pairing; empty if there is no last pairing or it leads to another bracket."""
        is_won_here = self.rounds and not self.is_table and self.rounds[-1].name != BRACKET_FINAL
        last = self.rounds[-1].pairings if is_won_here else ()
        seats = (last[0].left, last[0].right) if len(last) == 1 else ()
        return next((seat for seat in seats if seat.is_winner), None)

    @property
    def current_round(self) -> int:
        """The first undecided round, otherwise the last one with a match. A phone shows it first."""
        waiting = [round_view.number for round_view in self.rounds if not round_view.is_decided][:1]
        played = [round_view.number for round_view in self.rounds if round_view.has_match][-1:]
        return next(iter(waiting + played), self.rounds[-1].number if self.rounds else 0)
