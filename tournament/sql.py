"""The statements of every game and every result, as SQL: to compile them as query sets takes longer than to run them.

See decision 14. A test compares each statement with its query set.
"""

import uuid
from collections.abc import Collection, Iterable
from typing import NamedTuple

from django.db import connection

from tournament.models import Call, Entry, PersonalLink, Result, Tournament

OPEN_LINK = """
SELECT link.*
FROM tournament_personallink link
JOIN tournament_entry entry ON entry.id = link.entry_id
JOIN tournament_tournament tournament ON tournament.id = entry.tournament_id
JOIN tournament_event event ON event.id = tournament.event_id
WHERE link.digest = %s AND link.approved_at IS NOT NULL AND link.revoked_at IS NULL AND event.closed_at IS NULL
AND event.deleted_at IS NULL AND tournament.deleted_at IS NULL
"""
ENTRIES_OF_PLAYER = """
SELECT entry.*
FROM tournament_entry own
JOIN tournament_entry entry ON entry.tournament_id = own.tournament_id AND entry.player_id = own.player_id
WHERE own.id = %s
ORDER BY entry.number DESC
"""
TOURNAMENT_OF_RESULT = """
SELECT tournament.id
FROM tournament_result result
JOIN tournament_pairing pairing ON pairing.id = result.pairing_id
JOIN tournament_round round ON round.id = pairing.round_id
JOIN tournament_bracket bracket ON bracket.id = round.bracket_id
JOIN tournament_tournament tournament ON tournament.id = bracket.tournament_id
WHERE result.id = %s AND result.advanced_at IS NULL
"""
LOCKED_TOURNAMENT = "SELECT * FROM tournament_tournament WHERE id = %s"
CURRENT_RESULTS = """
SELECT result.*
FROM tournament_result result
WHERE result.pairing_id IN ({keys})
AND NOT EXISTS (SELECT 1 FROM tournament_result later WHERE later.supersedes_id = result.id)
"""
CURRENT_CALLS = "SELECT * FROM tournament_call WHERE match_id IN ({keys}) AND ended_at IS NULL"
RAISED_VERSIONS = """
UPDATE tournament_bracket SET version = version + 1 WHERE tournament_id = %s AND id IN ({keys})
RETURNING id, version, EXISTS (
SELECT 1 FROM tournament_draw draw WHERE draw.tournament_id = tournament_bracket.tournament_id
AND draw.replaced_at IS NULL AND draw.released_at IS NOT NULL)
"""


class RaisedVersion(NamedTuple):
    """`is_released`: the current draw of the tournament is public."""

    version: int
    is_released: bool


def open_link(digest: str) -> PersonalLink | None:
    """The link with this digest if it is approved, not revoked, its event is not closed, and nothing is in the bin."""
    return next(iter(PersonalLink.objects.raw(OPEN_LINK, [digest])), None)


def entries_of_player(entry_id: uuid.UUID) -> list[Entry]:
    """All entries of the player of this entry in its tournament, the newest first."""
    return list(Entry.objects.raw(ENTRIES_OF_PLAYER, [_parameter(entry_id)]))


def tournament_of_waiting_result(result_id: uuid.UUID) -> uuid.UUID | None:
    """The tournament of a result that is not advanced yet."""
    rows = Tournament.objects.raw(TOURNAMENT_OF_RESULT, [_parameter(result_id)])
    return next((tournament.pk for tournament in rows), None)


def lock_tournament(tournament_id: uuid.UUID) -> Tournament | None:
    """Locks a tournament. Rows that only refer to it do not wait. On SQLite the transaction has the only lock."""
    for_update = " FOR NO KEY UPDATE" if connection.vendor == "postgresql" else ""
    rows = Tournament.objects.raw(LOCKED_TOURNAMENT + for_update, [_parameter(tournament_id)])
    return next(iter(rows), None)


def current_results(pairing_ids: Collection[int]) -> list[Result]:
    return list(Result.objects.raw(_with_keys(CURRENT_RESULTS, pairing_ids), list(pairing_ids)))


def current_calls(match_ids: Collection[uuid.UUID]) -> list[Call]:
    return list(Call.objects.raw(_with_keys(CURRENT_CALLS, match_ids), _parameters(match_ids)))


def raise_versions(
    tournament_id: uuid.UUID, bracket_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, RaisedVersion]:
    """Raises the versions of these brackets of a tournament; returns the new versions."""
    with connection.cursor() as cursor:
        cursor.execute(_with_keys(RAISED_VERSIONS, bracket_ids), _parameters([tournament_id, *bracket_ids]))
        return {
            uuid.UUID(str(pk)): RaisedVersion(version, bool(is_released))
            for pk, version, is_released in cursor.fetchall()
        }


def _with_keys(sql: str, keys: Collection[object]) -> str:
    return sql.format(keys=", ".join(["%s"] * len(keys)))


def _parameters(ids: Iterable[uuid.UUID]) -> list[uuid.UUID | str]:
    return [_parameter(pk) for pk in ids]


def _parameter(pk: uuid.UUID) -> uuid.UUID | str:
    """SQLite stores ids as text."""
    return pk.hex if connection.vendor == "sqlite" else pk
