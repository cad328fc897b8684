"""Public calls and tables of an event for screens. Reads only.

Leaves out matches of draws that are not released. Running scores follow the score visibility of spectators.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models.functions import Coalesce
from django.utils import timezone

from tournament.access.draw_visibility import released_draws
from tournament.access.score_visibility import MatchFacts, VisibleMatch, score_visibility, visible_matches
from tournament.access.tournament_lists import is_current
from tournament.models import Call, Event, Table
from tournament.queries.brackets.round_names import round_codes_by_id

NEW_CALL = timedelta(minutes=10)
RELATED = (
    "table",
    "match",
    "pairing__left__player",
    "pairing__right__player",
    "pairing__round__bracket__tournament",
)


@dataclass(frozen=True, slots=True)
class ScreenCall:
    """A called match. `at`: time of the last call. `points`: the running score if spectators may see it, else None."""

    id: uuid.UUID
    table_id: int | None
    table: str
    left: str
    right: str
    tournament: str
    bracket: str
    round_name: str
    length: int | None
    games: int | None
    minutes: int | None
    at: datetime
    is_second: bool
    is_playing: bool
    points: tuple[int, int] | None

    @property
    def is_new_until(self) -> datetime:
        return self.at + NEW_CALL


@dataclass(frozen=True, slots=True)
class ScreenTable:
    id: int
    name: str
    note: str
    is_reserved: bool
    call: ScreenCall | None


def new_calls(event: Event) -> list[uuid.UUID]:
    """Returns the calls that are new now. A call stays new for NEW_CALL, and until its match has begun."""
    since = timezone.now() - NEW_CALL
    calls = Call.objects.filter(room__event=event, ended_at__isnull=True, playing_at__isnull=True)
    at_last = Coalesce("second_call_at", "called_at")
    return list(calls.annotate(at=at_last).filter(at__gt=since).order_by("pk").values_list("pk", flat=True))


def screen_calls(event: Event) -> list[ScreenCall]:
    """Returns all current calls, newest first."""
    return list(_calls_by_id(_current_calls(event)).values())


def screen_tables(event: Event, calls: Sequence[ScreenCall]) -> list[ScreenTable]:
    """Returns all open tables in the order of the room. `calls`: all current calls."""
    call_by_table = {call.table_id: call for call in calls}
    rows = Table.objects.filter(room__event=event, closed_at__isnull=True)
    return [
        ScreenTable(row.pk, row.name, row.note, row.is_reserved, call_by_table.get(row.pk)) for row in rows
    ]


def _current_calls(event: Event) -> list[Call]:
    rows = Call.objects.filter(
        is_current("pairing__round__bracket__tournament"),
        room__event=event,
        ended_at__isnull=True,
        pairing__round__bracket__tournament__in=released_draws.values("tournament"),
    )
    return list(rows.select_related(*RELATED).order_by("-called_at", "pk"))


def _calls_by_id(rows: Sequence[Call]) -> Mapping[uuid.UUID, ScreenCall]:
    codes = round_codes_by_id({row.pairing.round.bracket_id for row in rows}) if rows else {}
    visible = _public_matches(rows)
    return {row.pk: _screen_call(row, codes[row.pairing.round_id], visible[row.match_id]) for row in rows}


def _public_matches(rows: Sequence[Call]) -> dict[uuid.UUID, VisibleMatch]:
    """Returns what spectators see of these matches. Takes a statement for each tournament with delayed scores."""
    tournaments = {
        row.pairing.round.bracket.tournament_id: row.pairing.round.bracket.tournament for row in rows
    }
    visible: dict[uuid.UUID, VisibleMatch] = {}
    for tournament in tournaments.values():
        matches = [
            MatchFacts.of(row.match)
            for row in rows
            if row.pairing.round.bracket.tournament_id == tournament.pk
        ]
        visible |= visible_matches(matches, score_visibility(tournament))
    return visible


def _screen_call(row: Call, code: str, visible: VisibleMatch) -> ScreenCall:
    pairing, match = row.pairing, row.match
    bracket = pairing.round.bracket
    has_kept_seats = match.left == pairing.left_id
    mine, theirs = (visible.left, visible.right) if has_kept_seats else (visible.right, visible.left)
    return ScreenCall(
        id=row.pk,
        table_id=row.table_id,
        table=row.table.name if row.table else "",
        left=pairing.left.name if pairing.left else "",
        right=pairing.right.name if pairing.right else "",
        tournament=bracket.tournament.name,
        bracket=bracket.key,
        round_name=code,
        length=pairing.round.length,
        games=pairing.round.games,
        minutes=pairing.round.minutes,
        at=row.second_call_at or row.called_at,
        is_second=row.second_call_at is not None,
        is_playing=row.playing_at is not None or match.has_begun,
        points=None if mine is None or theirs is None else (mine, theirs),
    )
