"""The calls and tables of an event as everybody in the hall sees them. Reads only.

A match of a draw that is not released is told nowhere. A running score stands here as onlookers see it.
"""

import uuid
from collections.abc import Mapping, Sequence

from tournament.access.draw_visibility import released_draws
from tournament.models import Call, Event, Table
from tournament.queries.brackets.round_names import round_codes_by_id
from tournament.queries.matches.running_scores import NO_SCORE, Score, delay_for, visible_scores
from tournament.queries.screens.shown import CallShown, TableShown

AROUND = (
    "table",
    "match",
    "pairing__left__player",
    "pairing__right__player",
    "pairing__round__bracket__tournament",
)


def calls_of(event: Event) -> list[CallShown]:
    """Every match that is called and not over, the newest first."""
    return list(_shown(_standing(event)).values())


def tables_of(event: Event, calls: Sequence[CallShown]) -> list[TableShown]:
    """Every open table in the order of the room; `calls` are those that stand."""
    taken = {call.table_id: call for call in calls}
    rows = Table.objects.filter(room__event=event, closed_at__isnull=True)
    return [TableShown(row.pk, row.name, row.note, row.is_reserved, taken.get(row.pk)) for row in rows]


def _standing(event: Event) -> list[Call]:
    rows = Call.objects.filter(
        room__event=event,
        ended_at__isnull=True,
        pairing__round__bracket__tournament__in=released_draws.values("tournament"),
    )
    return list(rows.select_related(*AROUND).order_by("-called_at", "pk"))


def _shown(rows: Sequence[Call]) -> Mapping[uuid.UUID, CallShown]:
    codes = round_codes_by_id({row.pairing.round.bracket_id for row in rows}) if rows else {}
    seen = _seen(rows)
    return {row.pk: _call(row, codes[row.pairing.round_id], seen.get(row.match_id, NO_SCORE)) for row in rows}


def _seen(rows: Sequence[Call]) -> dict[uuid.UUID, Score]:
    """The running score of each match that has begun, as onlookers see it: two or three statements for each tournament
    that is seen late."""
    tournaments = {
        row.pairing.round.bracket.tournament_id: row.pairing.round.bracket.tournament for row in rows
    }
    found: dict[uuid.UUID, Score] = {}
    for tournament in tournaments.values():
        matches = [row.match for row in rows if row.pairing.round.bracket.tournament_id == tournament.pk]
        kept = {
            one.pk: Score(one.left_points, one.right_points, one.is_crawford)
            for one in matches
            if one.has_begun
        }
        found |= visible_scores(kept, delay_for(tournament)) if kept else {}
    return found


def _call(row: Call, code: str, score: Score) -> CallShown:
    pairing, match = row.pairing, row.match
    bracket = pairing.round.bracket
    has_kept_seats = match.left == pairing.left_id
    mine, theirs = (score.left, score.right) if has_kept_seats else (score.right, score.left)
    return CallShown(
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
