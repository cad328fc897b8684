"""Builds the lines of standings from loaded rows: name, places and totals. Pure."""

import uuid
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from tournament.brackets.ranking import PairingRow
from tournament.brackets.states import PostedResult
from tournament.draw.prizes import Share
from tournament.draw.standings import Record, Standing
from tournament.draw.standings.knockout_places import Placing
from tournament.models import ResultKind
from tournament.queries.entries.names import Entrant

NO_WALKOVERS = (ResultKind.PLAYED, ResultKind.UNFINISHED, ResultKind.SETTLED)


@dataclass(frozen=True, slots=True)
class TieBreakStep:
    """The value of one tie-break, empty if it does not apply. `decided`: it separated the entry from tied entries."""

    tie_break: str
    value: str
    decided: bool


@dataclass(frozen=True, slots=True)
class StandingLine:
    """Places `place_from` to `place_to` are shared if the entry is out, and still open if it is in.

    `won` and `lost` count decided matches without byes, including `walkovers`, which were not played.
    `given_losses` are the starting losses of a late entrant in an event with lives; `lost` does not include them.
    `out_in` is the round in which the entry was knocked out; None for the winner and while it is in.
    `explained` are the tie-breaks of a ranking by records. `prize` is set once the places are certain.
    """

    place_from: int
    place_to: int
    is_in: bool
    entry_id: uuid.UUID
    name: str
    country: str
    club: str
    team: str
    seed: int | None
    won: int
    lost: int
    walkovers: int
    points_for: int
    points_against: int
    out_in: int | None
    is_withdrawn: bool
    byes: int = 0
    given_losses: int = 0
    explained: tuple[TieBreakStep, ...] = ()
    prize: Share | None = None

    @property
    def place_text(self) -> str:
        """“3” or “3–4”."""
        first, last = self.place_from, self.place_to
        return f"{first}" if first == last else f"{first}–{last}"

    @property
    def is_shared(self) -> bool:
        return not self.is_in and self.place_from != self.place_to

    @property
    def played(self) -> int:
        """Matches without walkovers."""
        return self.won + self.lost - self.walkovers

    @property
    def points_difference(self) -> int:
        return self.points_for - self.points_against


@dataclass(slots=True)
class Totals:
    won: int = 0
    lost: int = 0
    walkovers: int = 0
    points_for: int = 0
    points_against: int = 0
    out_in: int | None = None
    byes: int = 0
    given_losses: int = 0


@dataclass(frozen=True, slots=True)
class LineBuilder:
    entries: Mapping[uuid.UUID, Entrant]
    rows: Mapping[int, PairingRow]
    results: Mapping[int, PostedResult]

    def lines_of_places(
        self, placings: Iterable[Placing[uuid.UUID]], brackets: Collection[str]
    ) -> list[StandingLine]:
        """Best place first, equal places by name. The totals cover these brackets."""
        totals = self._bracket_totals(brackets)
        lines = [
            self._line(
                placing.entry,
                totals[placing.entry],
                (placing.place_from, placing.place_to),
                is_in=placing.still_in,
            )
            for placing in placings
        ]
        return sorted(lines, key=lambda line: (line.place_from, line.place_to, line.name.casefold()))

    def lines_of_records(
        self, standings: Iterable[Standing[uuid.UUID]], still_in: Collection[uuid.UUID] = ()
    ) -> list[StandingLine]:
        """In the order of the standings, shared places by name."""
        lines = [
            self._line(
                standing.entry,
                _record_totals(standing.record),
                (standing.place_from, standing.place_to),
                is_in=standing.entry in still_in,
                explained=tuple(
                    TieBreakStep(step.tie_break, "" if step.value is None else str(step.value), step.decided)
                    for step in standing.steps
                ),
            )
            for standing in standings
        ]
        return sorted(lines, key=lambda line: (line.place_from, line.name.casefold()))

    def _line(
        self,
        entry_id: uuid.UUID,
        totals: Totals,
        places: tuple[int, int],
        *,
        is_in: bool,
        explained: tuple[TieBreakStep, ...] = (),
    ) -> StandingLine:
        entry = self.entries[entry_id]
        return StandingLine(
            place_from=places[0],
            place_to=places[1],
            is_in=is_in,
            entry_id=entry_id,
            name=entry.name,
            country=entry.country,
            club=entry.club,
            team=entry.team,
            seed=entry.seed,
            won=totals.won,
            lost=totals.lost,
            walkovers=totals.walkovers,
            points_for=totals.points_for,
            points_against=totals.points_against,
            out_in=totals.out_in,
            is_withdrawn=entry.is_withdrawn,
            byes=totals.byes,
            given_losses=totals.given_losses,
            explained=explained,
        )

    def _bracket_totals(self, brackets: Collection[str]) -> dict[uuid.UUID, Totals]:
        totals: dict[uuid.UUID, Totals] = {}
        for pk, row in self.rows.items():
            if row.bracket in brackets:
                for seat in (row.left_id, row.right_id):
                    if seat is not None:
                        _add_pairing(totals.setdefault(seat, Totals()), seat, row, self.results.get(pk))
        return totals


def _record_totals(record: Record[uuid.UUID]) -> Totals:
    unplayed = record.walkovers_won + record.walkovers_lost
    return Totals(
        won=record.wins + record.walkovers_won,
        lost=record.losses + record.walkovers_lost,
        walkovers=unplayed,
        points_for=record.points_for,
        points_against=record.points_against,
        byes=record.byes,
        given_losses=record.starting_losses,
    )


def _add_pairing(totals: Totals, entry: uuid.UUID, row: PairingRow, result: PostedResult | None) -> None:
    if row.left_is_bye or row.right_is_bye:
        totals.byes += bool(row.settled)
        return
    if not row.settled:
        return
    has_won = row.winner_id == entry
    totals.won += has_won
    totals.lost += not has_won
    totals.walkovers += result is None or result.kind not in NO_WALKOVERS
    if not has_won:
        totals.out_in = row.round
    if result is not None and result.left_points is not None and result.right_points is not None:
        mine, theirs = result.left_points, result.right_points
        if entry != result.left_id:
            mine, theirs = theirs, mine
        totals.points_for += mine
        totals.points_against += theirs
