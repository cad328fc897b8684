"""One entry's way through a draw: whom they met, whom they meet next, how it ended. Reads only.

Nothing of a draw that is not released; a handful of statements at any size of the draw.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Max, Q

from matches.models import Match, MatchState
from tournament.draw.recipes import RoundName, round_name
from tournament.errors import NotFound
from tournament.models import Entry, Feed, Pairing, Result, ResultKind, Tournament
from tournament.progression import current_draw
from tournament.showing.state import OVER, how_decided, state_of


class Way(StrEnum):
    """Where an entry stands in its tournament."""

    UNDRAWN = "undrawn"
    MEETS = "meets"
    WAITS = "waits"
    OUT = "out"
    CHAMPION = "champion"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Meeting:
    """A pairing as one of its two entries sees it. `feeders` are names from which the opponent will come.

    `state` is waiting, ready, playing, reported, disputed, decided or bye; `how` says what else than play decided it.
    """

    match_id: uuid.UUID | None
    round_name: RoundName
    length: int
    opponent: Entry | None
    feeders: tuple[str, ...]
    mine: int | None
    theirs: int | None
    state: str
    how: str
    is_won: bool
    is_mine_to_confirm: bool


@dataclass(frozen=True, slots=True)
class Path:
    """`next` is the meeting that is not decided yet; `bracket_id` is what a live page listens to."""

    entry: Entry
    tournament: Tournament
    way: Way
    meetings: tuple[Meeting, ...]
    bracket_id: uuid.UUID | None

    @property
    def next(self) -> Meeting | None:
        if self.way is Way.WITHDRAWN:
            return None
        return next((one for one in self.meetings if one.state not in OVER), None)

    @property
    def past(self) -> list[Meeting]:
        """What is over, the latest first."""
        return [one for one in reversed(self.meetings) if one.state in OVER]

    @property
    def last(self) -> Meeting | None:
        return next(iter(self.past), None)


def path_of(entry: Entry) -> Path:
    """The way of this entry, loaded with its player and tournament."""
    tournament = entry.tournament
    draw = current_draw(tournament)
    if draw is None or not draw.is_released:
        way = Way.WITHDRAWN if entry.is_withdrawn else Way.UNDRAWN
        return Path(entry, tournament, way, (), None)
    rows = list(_pairings(entry))
    total = _rounds_in_all(tournament)
    results = _results(rows)
    feeders = _feeders(entry, rows)
    meetings = tuple(_meeting(row, entry, total[row.round.bracket_id], results, feeders) for row in rows)
    bracket_id = rows[-1].round.bracket_id if rows else None
    return Path(entry, tournament, _way(entry, rows, meetings, total), meetings, bracket_id)


def entry_of(tournament: Tournament, entry_id: uuid.UUID) -> Entry:
    """An entry of this tournament; raises NotFound."""
    found = Entry.objects.select_related("player", "tournament__event").filter(
        pk=entry_id, tournament=tournament
    )
    entry = found.first()
    if entry is None:
        raise NotFound
    return entry


def _pairings(entry: Entry) -> Iterable[Pairing]:
    seated = Pairing.objects.filter(Q(left=entry) | Q(right=entry))
    related = seated.select_related("round", "match", "left__player", "right__player")
    return related.order_by("round__bracket__position", "round__number")


def _rounds_in_all(tournament: Tournament) -> Mapping[uuid.UUID, int]:
    counted = tournament.brackets.annotate(last=Max("rounds__number"))
    return {pk: last or 1 for pk, last in counted.values_list("pk", "last")}


def _results(rows: Sequence[Pairing]) -> Mapping[int, Result]:
    standing = Result.objects.filter(pairing__in=rows, superseded_by__isnull=True)
    return {row.pairing_id: row for row in standing.exclude(kind=ResultKind.RETRACTED)}


def _feeders(entry: Entry, rows: Sequence[Pairing]) -> tuple[str, ...]:
    """Who may still come to the seat opposite in the last pairing."""
    if not rows or None not in (rows[-1].left_id, rows[-1].right_id):
        return ()
    seat = "right" if rows[-1].left_id == entry.pk else "left"
    feed = Feed.objects.filter(target=rows[-1], seat=seat).select_related(
        "source__left__player", "source__right__player"
    )
    source = next((one.source for one in feed), None)
    seated = (source.left, source.right) if source is not None else ()
    return tuple(one.player.name for one in seated if one is not None)


def _meeting(
    row: Pairing, entry: Entry, rounds: int, results: Mapping[int, Result], feeders: tuple[str, ...]
) -> Meeting:
    is_left = row.left_id == entry.pk
    result = results.get(row.pk)
    mine, theirs = _points(row, result) if is_left else tuple(reversed(_points(row, result)))
    opponent = row.right if is_left else row.left
    return Meeting(
        match_id=row.match_id,
        round_name=round_name(rounds, row.round.number),
        length=row.round.length,
        opponent=opponent,
        feeders=feeders if opponent is None else (),
        mine=mine,
        theirs=theirs,
        state=_state(row, result),
        how=how_decided(row.settled, result.kind if result else None),
        is_won=row.winner_id == entry.pk or (result is not None and result.winner_id == entry.pk),
        is_mine_to_confirm=_reported_by_other(row.match, is_left=is_left),
    )


def _points(row: Pairing, result: Result | None) -> tuple[int | None, int | None]:
    if result is not None:
        return result.left_points, result.right_points
    if row.match is None or not row.match.has_begun:
        return None, None
    return row.match.left_points, row.match.right_points


def _state(row: Pairing, result: Result | None) -> str:
    match = row.match
    return state_of(
        row.settled,
        match.state if match else None,
        is_posted=result is not None,
        has_begun=match is not None and match.has_begun,
    )


def _reported_by_other(match: Match | None, *, is_left: bool) -> bool:
    if match is None or match.state != MatchState.REPORTED:
        return False
    return match.reported_by == ("right" if is_left else "left")


def _way(
    entry: Entry, rows: Sequence[Pairing], meetings: Sequence[Meeting], total: Mapping[uuid.UUID, int]
) -> Way:
    if not rows:
        return Way.WITHDRAWN if entry.is_withdrawn else Way.UNDRAWN
    last, meeting = rows[-1], meetings[-1]
    if meeting.is_won and last.round.number == total[last.round.bracket_id]:
        return Way.CHAMPION
    if entry.is_withdrawn:
        return Way.WITHDRAWN
    if meeting.state not in OVER:
        return Way.MEETS if meeting.match_id is not None else Way.WAITS
    return Way.WAITS if meeting.is_won else Way.OUT
