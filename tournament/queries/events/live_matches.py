"""Matches on now, called matches and next matches of the tournaments of an event, as spectators see them. Reads only.

Contains matches of released draws only. Running scores follow the score visibility of spectators, so the answer is the
same for everybody. The number of statements depends on the different score delays, not on matches or tournaments.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from matches.models import MatchState
from tournament.access.draw_visibility import released_draws
from tournament.access.score_visibility import (
    UNDECIDED,
    MatchFacts,
    VisibleMatch,
    score_visibility,
    visible_matches,
)
from tournament.models import Call, Pairing, Tournament
from tournament.models.entries import name_of_entry
from tournament.queries.brackets.round_names import round_codes_by_id
from tournament.queries.room.called import CurrentCall, current_calls

MOST_PLAYING, MOST_CALLED, MOST_READY = 24, 12, 8
MOST_SEARCHED = 256
FIELDS = (
    "pk",
    "round__bracket__tournament_id",
    "round__bracket_id",
    "round__bracket__key",
    "round_id",
    "round__length",
    "round__games",
    "round__minutes",
    "left_id",
    "left__player__name",
    "left__number",
    "right_id",
    "right__player__name",
    "right__number",
    "match_id",
    "match__state",
    "match__began_at",
    "match__left",
    "match__left_points",
    "match__right_points",
    "match__is_crawford",
)


class LiveState(StrEnum):
    """CALLED: the players were called and do not play yet. READY: both players are known, and nobody was called."""

    PLAYING = "playing"
    CALLED = "called"
    READY = "ready"


class _Row(NamedTuple):
    """An undecided pairing with its match: `FIELDS`."""

    id: int
    tournament_id: uuid.UUID
    bracket_id: uuid.UUID
    bracket: str
    round_id: int
    length: int | None
    games: int | None
    minutes: int | None
    left_id: uuid.UUID
    left_name: str
    left_number: int
    right_id: uuid.UUID
    right_name: str
    right_number: int
    match_id: uuid.UUID
    state: str
    began_at: datetime | None
    match_left: uuid.UUID
    left_points: int | None
    right_points: int | None
    is_crawford: bool


@dataclass(frozen=True, slots=True)
class LiveSide:
    entry_id: uuid.UUID
    name: str
    points: int | None


@dataclass(frozen=True, slots=True)
class LiveMatch:
    """An undecided match. Points are None before it has begun, and while they are hidden.

    `is_reported`: its result waits for confirmation. `table` is empty without a call to a table.
    """

    pairing_id: int
    match_id: uuid.UUID
    tournament: Tournament
    bracket: str
    round_name: str
    length: int | None
    games: int | None
    minutes: int | None
    left: LiveSide
    right: LiveSide
    state: LiveState
    is_reported: bool
    is_crawford: bool
    is_second_call: bool
    table: str


@dataclass(frozen=True, slots=True)
class LiveMatches:
    """At most `MOST_PLAYING`, `MOST_CALLED` and `MOST_READY` matches. `left_out` counts the other matches on now.

    `ready` has each player once, and no player who plays or is called.
    """

    playing: tuple[LiveMatch, ...] = ()
    called: tuple[LiveMatch, ...] = ()
    ready: tuple[LiveMatch, ...] = ()
    left_out: int = 0

    @property
    def count(self) -> int:
        """All matches on now."""
        return len(self.playing) + self.left_out


def live_matches(tournaments: Iterable[Tournament]) -> LiveMatches:
    """Returns the undecided matches of these tournaments. Later rounds come first among the matches on now."""
    tournaments_by_id = {tournament.pk: tournament for tournament in tournaments}
    playing, called, ready = _pairings(tournaments_by_id)
    on = _rows(playing.order_by("-round__number", "round__bracket__position", "line"), MOST_PLAYING)
    waiting = _rows(called, MOST_CALLED)
    groups = (on, waiting, _next_rows(ready, (playing, called)))
    rows = [row for group in groups for row in group]
    calls = current_calls(row.match_id for row in rows)
    codes = round_codes_by_id({row.bracket_id for row in rows}) if rows else {}
    visible = _visible(rows, tournaments_by_id)
    on_now, called_now, ready_now = (
        tuple(
            _match(
                row, tournaments_by_id[row.tournament_id], codes[row.round_id], visible[row.match_id], calls
            )
            for row in group
        )
        for group in groups
    )
    left_out = playing.count() - len(on) if len(on) == MOST_PLAYING else 0
    return LiveMatches(on_now, called_now, ready_now, left_out)


def _pairings(tournaments: Mapping[uuid.UUID, Tournament]) -> tuple["QuerySet[Pairing]", ...]:
    """Returns the pairings whose matches are on, called (newest first), and neither."""
    released = released_draws.filter(tournament__in=tournaments).values("tournament")
    undecided = Pairing.objects.filter(
        round__bracket__tournament__in=released,
        settled="",
        match__state__in=UNDECIDED,
        left__isnull=False,
        right__isnull=False,
    )
    current = Call.objects.filter(match=OuterRef("match"), ended_at__isnull=True)
    has_begun = Q(match__began_at__isnull=False) | ~Q(match__state=MatchState.OPEN)
    is_on = has_begun | Exists(current.filter(playing_at__isnull=False))
    waiting = undecided.filter(~is_on).annotate(called_at=Subquery(current.values("called_at")[:1]))
    return (
        undecided.filter(is_on),
        waiting.filter(called_at__isnull=False).order_by("-called_at", "pk"),
        waiting.filter(called_at__isnull=True),
    )


def _rows(pairings: "QuerySet[Pairing]", most: int) -> list[_Row]:
    return [_Row(*values) for values in pairings.values_list(*FIELDS)[:most]]


def _next_rows(ready: "QuerySet[Pairing]", busy: Iterable["QuerySet[Pairing]"]) -> list[_Row]:
    """Returns the matches that can be called next, the longest wait first."""
    seen = {entry for pairings in busy for seats in pairings.values_list("left", "right") for entry in seats}
    rows: list[_Row] = []
    for row in _rows(ready.order_by("round__number", "match__opened_at", "pk"), MOST_SEARCHED):
        if not seen & {row.left_id, row.right_id}:
            rows.append(row)
        seen |= {row.left_id, row.right_id}
    return rows[:MOST_READY]


def _visible(
    rows: Sequence[_Row], tournaments: Mapping[uuid.UUID, Tournament]
) -> Mapping[uuid.UUID, VisibleMatch]:
    """The visible facts of these matches for spectators. Takes a statement for each different delay."""
    visible: dict[uuid.UUID, VisibleMatch] = {}
    by_delay: dict[int | None, list[_Row]] = {}
    for row in rows:
        by_delay.setdefault(tournaments[row.tournament_id].score_delay, []).append(row)
    for delayed in by_delay.values():
        facts = (
            MatchFacts(
                row.match_id,
                row.state,
                row.began_at is not None,
                row.left_points,
                row.right_points,
                row.is_crawford,
            )
            for row in delayed
        )
        visible |= visible_matches(facts, score_visibility(tournaments[delayed[0].tournament_id]))
    return visible


def _match(
    row: _Row,
    tournament: Tournament,
    round_name: str,
    visible: VisibleMatch,
    calls: Mapping[uuid.UUID, CurrentCall],
) -> LiveMatch:
    call = calls.get(row.match_id)
    has_begun = row.began_at is not None or row.state != MatchState.OPEN
    is_on = has_begun or (call is not None and call.is_playing)
    points = (visible.left, visible.right) if row.match_left == row.left_id else (visible.right, visible.left)
    return LiveMatch(
        pairing_id=row.id,
        match_id=row.match_id,
        tournament=tournament,
        bracket=row.bracket,
        round_name=round_name,
        length=row.length,
        games=row.games,
        minutes=row.minutes,
        left=LiveSide(row.left_id, name_of_entry(row.left_name, row.left_number), points[0]),
        right=LiveSide(row.right_id, name_of_entry(row.right_name, row.right_number), points[1]),
        state=LiveState.PLAYING if is_on else LiveState.CALLED if call else LiveState.READY,
        is_reported=visible.state != MatchState.OPEN,
        is_crawford=visible.is_crawford,
        is_second_call=call is not None and call.is_second,
        table=call.table if call else "",
    )
