"""The standings: places, records and points of everybody in a tournament. Reads only."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tournament.draw.places import Placing, places
from tournament.models import Entry, Pairing, Result, ResultKind, Tournament
from tournament.showing.path import Path
from tournament.showing.stored import graph_of, seating_of, stored_pairings


@dataclass(frozen=True, slots=True)
class StandingShown:
    """One line. Places `place_from` to `place_to` are shared when the entry is out, still open when it is in.

    `won` and `lost` count matches that were decided; byes are no matches. `walkovers` of them were not played.
    `out_in` is the number of the round in which the entry went out; None while it is in, or for the winner.
    """

    place_from: int
    place_to: int
    is_in: bool
    entry_id: uuid.UUID
    name: str
    country: str
    club: str
    seed: int | None
    won: int
    lost: int
    walkovers: int
    points_for: int
    points_against: int
    out_in: int | None
    is_withdrawn: bool

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
class _Record:
    won: int = 0
    lost: int = 0
    walkovers: int = 0
    points_for: int = 0
    points_against: int = 0
    out_in: int | None = None


def standings_shown(tournament: Tournament) -> list[StandingShown]:
    """Best place first; equal places by name. Empty before the draw."""
    rows = stored_pairings(tournament)
    if not rows:
        return []
    entries = {
        entry.pk: entry for entry in Entry.objects.filter(tournament=tournament).select_related("player")
    }
    records = _records(rows, _results(tournament))
    found = places(graph_of(rows), seating_of(rows))
    lines = [_line(entries[placing.entry], records[placing.entry], placing) for placing in found]
    return sorted(lines, key=lambda line: (line.place_from, line.place_to, line.name.casefold()))


def standing_on(path: Path) -> StandingShown | None:
    """The line of the entry whose way this is; None while nothing of its draw is told."""
    if not path.meetings:
        return None
    return next((line for line in standings_shown(path.tournament) if line.entry_id == path.entry.pk), None)


def _results(tournament: Tournament) -> dict[int, Result]:
    standing = Result.objects.filter(
        pairing__round__bracket__tournament=tournament, superseded_by__isnull=True
    ).exclude(kind=ResultKind.RETRACTED)
    return {result.pairing_id: result for result in standing}


def _records(rows: Iterable[Pairing], results: Mapping[int, Result]) -> dict[uuid.UUID, _Record]:
    records: dict[uuid.UUID, _Record] = {}
    for row in rows:
        for seat in (row.left_id, row.right_id):
            if seat is not None:
                _count(records.setdefault(seat, _Record()), seat, row, results.get(row.pk))
    return records


def _count(record: _Record, entry: uuid.UUID, row: Pairing, result: Result | None) -> None:
    if not row.settled or row.left_is_bye or row.right_is_bye:
        return
    has_won = row.winner_id == entry
    record.won += has_won
    record.lost += not has_won
    record.walkovers += result is None or result.kind != ResultKind.PLAYED
    if not has_won:
        record.out_in = row.round.number
    if result is not None and result.left_points is not None and result.right_points is not None:
        mine, theirs = result.left_points, result.right_points
        if entry != result.left_id:
            mine, theirs = theirs, mine
        record.points_for += mine
        record.points_against += theirs


def _line(entry: Entry, record: _Record, placing: Placing[uuid.UUID]) -> StandingShown:
    return StandingShown(
        place_from=placing.place_from,
        place_to=placing.place_to,
        is_in=placing.still_in,
        entry_id=entry.pk,
        name=entry.player.name,
        country=entry.player.country,
        club=entry.player.club,
        seed=entry.seed,
        won=record.won,
        lost=record.lost,
        walkovers=record.walkovers,
        points_for=record.points_for,
        points_against=record.points_against,
        out_in=record.out_in,
        is_withdrawn=entry.is_withdrawn,
    )
