"""Lines of standings: a name, a place and what adds up to it. Pure: makes lines of rows that are loaded already."""

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


@dataclass(frozen=True, slots=True)
class StepShown:
    """What one tie-break said of an entry; `value` is empty where it was not asked. `decided`: it parted those tied."""

    tie_break: str
    value: str
    decided: bool


@dataclass(frozen=True, slots=True)
class StandingShown:
    """One line. Places `place_from` to `place_to` are shared when the entry is out, still open when it is in.

    `won` and `lost` count matches that were decided; byes are no matches. `walkovers` of them were not played.
    `given_losses` are what a late entrant of an event with lives started with, and none of `lost`.
    `out_in` is the number of the round in which the entry went out; None while it is in, or for the winner.
    `explained` says of a table line by line why it stands there. `prize` is there once the places are certain.
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
    explained: tuple[StepShown, ...] = ()
    prize: Share | None = None

    @property
    def place_text(self) -> str:
        """“3” or “3–4”."""
        one, other = self.place_from, self.place_to
        return f"{one}" if one == other else f"{one}–{other}"

    @property
    def is_shared(self) -> bool:
        return not self.is_in and self.place_from != self.place_to

    @property
    def played(self) -> int:
        """Matches that were played; walkovers were not."""
        return self.won + self.lost - self.walkovers

    @property
    def points_difference(self) -> int:
        return self.points_for - self.points_against


@dataclass(slots=True)
class Sums:
    won: int = 0
    lost: int = 0
    walkovers: int = 0
    points_for: int = 0
    points_against: int = 0
    out_in: int | None = None
    byes: int = 0
    given_losses: int = 0


@dataclass(frozen=True, slots=True)
class Lines:
    """Makes lines of the entries of one tournament."""

    entries: Mapping[uuid.UUID, Entrant]
    rows: Mapping[int, PairingRow]
    results: Mapping[int, PostedResult]

    def of_places(
        self, placings: Iterable[Placing[uuid.UUID]], brackets: Collection[str]
    ) -> list[StandingShown]:
        """Best place first; equal places by name. Sums are those of these brackets."""
        sums = self._sums(brackets)
        lines = [
            self._line(one.entry, sums[one.entry], (one.place_from, one.place_to), is_in=one.still_in)
            for one in placings
        ]
        return sorted(lines, key=lambda line: (line.place_from, line.place_to, line.name.casefold()))

    def of_records(
        self, standings: Iterable[Standing[uuid.UUID]], still_in: Collection[uuid.UUID] = ()
    ) -> list[StandingShown]:
        """In the order of the standings; whoever shares a place by name."""
        lines = [
            self._line(
                one.entry,
                _sums_of(one.record),
                (one.place_from, one.place_to),
                is_in=one.entry in still_in,
                explained=tuple(
                    StepShown(step.tie_break, "" if step.value is None else str(step.value), step.decided)
                    for step in one.steps
                ),
            )
            for one in standings
        ]
        return sorted(lines, key=lambda line: (line.place_from, line.name.casefold()))

    def _line(
        self,
        entry_id: uuid.UUID,
        sums: Sums,
        places: tuple[int, int],
        *,
        is_in: bool,
        explained: tuple[StepShown, ...] = (),
    ) -> StandingShown:
        entry = self.entries[entry_id]
        return StandingShown(
            place_from=places[0],
            place_to=places[1],
            is_in=is_in,
            entry_id=entry_id,
            name=entry.name,
            country=entry.country,
            club=entry.club,
            team=entry.team,
            seed=entry.seed,
            won=sums.won,
            lost=sums.lost,
            walkovers=sums.walkovers,
            points_for=sums.points_for,
            points_against=sums.points_against,
            out_in=sums.out_in,
            is_withdrawn=entry.is_withdrawn,
            byes=sums.byes,
            given_losses=sums.given_losses,
            explained=explained,
        )

    def _sums(self, brackets: Collection[str]) -> dict[uuid.UUID, Sums]:
        sums: dict[uuid.UUID, Sums] = {}
        for pk, row in self.rows.items():
            if row.bracket in brackets:
                for seat in (row.left_id, row.right_id):
                    if seat is not None:
                        _count(sums.setdefault(seat, Sums()), seat, row, self.results.get(pk))
        return sums


def _sums_of(record: Record[uuid.UUID]) -> Sums:
    unplayed = record.walkovers_won + record.walkovers_lost
    return Sums(
        won=record.wins + record.walkovers_won,
        lost=record.losses + record.walkovers_lost,
        walkovers=unplayed,
        points_for=record.points_for,
        points_against=record.points_against,
        byes=record.byes,
        given_losses=record.starting_losses,
    )


def _count(sums: Sums, entry: uuid.UUID, row: PairingRow, result: PostedResult | None) -> None:
    if row.left_is_bye or row.right_is_bye:
        sums.byes += bool(row.settled)
        return
    if not row.settled:
        return
    has_won = row.winner_id == entry
    sums.won += has_won
    sums.lost += not has_won
    sums.walkovers += result is None or result.kind not in (ResultKind.PLAYED, ResultKind.UNFINISHED)
    if not has_won:
        sums.out_in = row.round
    if result is not None and result.left_points is not None and result.right_points is not None:
        mine, theirs = result.left_points, result.right_points
        if entry != result.left_id:
            mine, theirs = theirs, mine
        sums.points_for += mine
        sums.points_against += theirs
