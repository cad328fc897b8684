"""Calls of matches to tables: first and second call, playing, moved to another table, taken back, and their undo.

Each function locks the match, then the room. Violated constraints raise the same refusals as the checks before them.
"""

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils import timezone

from matches import scorecard
from matches.locking import lock_match
from matches.models import Match, MatchState
from matches.refusals import Refusal
from tournament.access.actors import Actor
from tournament.access.tournament_lists import is_current
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Call, Pairing, Player, Room, Table, TableOccupancy, Tournament
from tournament.occupancy import locking, releasing
from tournament.occupancy.locking import LockedRoom
from tournament.refusals.results import NO_MATCH
from tournament.refusals.room import (
    ALREADY_PLAYING,
    CALL_TAKEN_BACK,
    CALLED_ALREADY,
    CALLED_MATCH_CANCELLED,
    CALLED_MATCH_IS_OVER,
    CALLED_MEANWHILE,
    GAME_IS_WRITTEN,
    MATCH_MOVED_AGAIN,
    PLAYER_AT_TABLE,
    PLAYER_CALLED,
    PLAYER_CALLED_MEANWHILE,
    RESULT_IS_DISPUTED,
    RESULT_IS_REPORTED,
    TABLE_CLOSED,
    TABLE_TAKEN,
    TABLE_TAKEN_MEANWHILE,
    TOURNAMENT_LEFT_ROOM,
)
from tournament.runtime import publish
from tournament.runtime.errors import NotFound, Refused

STATE_REFUSALS: Mapping[str, Refusal] = {
    MatchState.POSTED: CALLED_MATCH_IS_OVER,
    MatchState.CANCELLED: CALLED_MATCH_CANCELLED,
    MatchState.REPORTED: RESULT_IS_REPORTED,
    MatchState.DISPUTED: RESULT_IS_DISPUTED,
}
CONSTRAINT_REFUSALS: Mapping[str, Refusal] = {
    "table_holds_one_match": TABLE_TAKEN_MEANWHILE, "tournament_call.table_id": TABLE_TAKEN_MEANWHILE,
    "match_called_once": CALLED_MEANWHILE, "tournament_call.match_id": CALLED_MEANWHILE,
    "player_is_at_one_table": PLAYER_CALLED_MEANWHILE,
    "tournament_tableoccupancy.player_id": PLAYER_CALLED_MEANWHILE,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LockedCall:
    """A match and its room, both locked, for a change of a call."""

    pairing: Pairing
    match: Match
    room_lock: LockedRoom

    @property
    def room(self) -> Room:
        return self.room_lock.room

    @property
    def tournament(self) -> Tournament:
        tournament: Tournament = self.pairing.round.bracket.tournament
        return tournament

    @property
    def players(self) -> list[Player]:
        """Both players; only one if a player meets their own second entry."""
        players = [entry.player for entry in (self.pairing.left, self.pairing.right) if entry is not None]
        return list({player.pk: player for player in players}.values())

    @property
    def names(self) -> dict[uuid.UUID, str]:
        """The names of the two entries by player."""
        entries = (self.pairing.left, self.pairing.right)
        return {entry.player_id: entry.name for entry in entries if entry is not None}


def call(pairing_id: int, table_id: int | None, actor: Actor) -> Call:
    """Calls a match to a table (None: without a table). A repeated call to the same table returns the current call.

    Raises NotFound. Raises Refused if the match cannot be called, the table is taken or a player is at another table.
    """
    with _lock_match(pairing_id) as locked:
        current = Call.objects.filter(match=locked.match, ended_at__isnull=True).first()
        if current is not None and current.table_id == table_id:
            return current
        _refuse_uncallable(locked)
        table = _free_table(locked, table_id)
        now = timezone.now()
        new_call = Call.objects.create(
            room=locked.room,
            pairing=locked.pairing,
            match=locked.match,
            table=table,
            called_at=now,
            called_by=actor.user,
            playing_at=now if locked.match.has_begun else None,
        )
        TableOccupancy.objects.bulk_create(
            TableOccupancy(call=new_call, player=player) for player in locked.players
        )
        _write_journal(locked, actor, "call match", {}, {"table": table.name if table else ""})
        return new_call


def call_again(call_id: uuid.UUID, actor: Actor) -> Call:
    """Makes the second call. Idempotent."""
    with _lock_current_call(call_id) as (locked, call):
        if call.second_call_at is not None:
            return call
        if call.playing_at is not None:
            raise Refused(ALREADY_PLAYING)
        call.second_call_at = timezone.now()
        call.save(update_fields=["second_call_at"])
        _write_journal(locked, actor, "call again", {}, {"table": _table_name(call)})
        return call


def mark_playing(call_id: uuid.UUID, actor: Actor) -> Call:
    """Records that both players are at the table and play. Idempotent."""
    with _lock_current_call(call_id) as (locked, call):
        if call.playing_at is None:
            call.playing_at = timezone.now()
            call.save(update_fields=["playing_at"])
            _write_journal(locked, actor, "see playing", {}, {"table": _table_name(call)})
        return call


def undo_second_call(call_id: uuid.UUID, actor: Actor) -> Call:
    """Undoes `call_again` until the players play. Idempotent."""
    with _lock_current_call(call_id) as (locked, call):
        if call.playing_at is not None:
            raise Refused(ALREADY_PLAYING)
        if call.second_call_at is not None:
            call.second_call_at = None
            call.save(update_fields=["second_call_at"])
            _write_journal(locked, actor, "undo call again", {"table": _table_name(call)}, {})
        return call


def undo_playing(call_id: uuid.UUID, actor: Actor) -> Call:
    """Undoes `mark_playing` until a game is written. Idempotent."""
    with _lock_current_call(call_id) as (locked, call):
        if locked.match.has_begun:
            raise Refused(GAME_IS_WRITTEN)
        if call.playing_at is not None:
            call.playing_at = None
            call.save(update_fields=["playing_at"])
            _write_journal(locked, actor, "undo see playing", {"table": _table_name(call)}, {})
        return call


def take_back(call_id: uuid.UUID, actor: Actor) -> Call:
    """Takes a call back: the match waits again, table and players are free. Idempotent."""
    before = _load_call(call_id)
    if before.is_taken_back:
        return before
    with _lock_current_call(call_id) as (locked, call):
        releasing.end_calls(locked.room_lock, [call.pk], is_taken_back=True)
        locked.room_lock.has_freed_tables = (
            False  # otherwise a room with automatic calls would call the match again at once
        )
        _write_journal(locked, actor, "take call back", {"table": _table_name(call)}, {})
    return _load_call(call_id)


def restore(call_id: uuid.UUID, actor: Actor) -> Call:
    """Undoes `take_back`: table and players are taken again, with the old times. Idempotent.

    Raises Refused if the match was called again or is over, or if the table or a player was taken in the meantime.
    """
    with _lock_match(_load_call(call_id).pairing_id) as locked:
        call = _load_call(call_id)
        if not call.is_taken_back:
            return call
        if call.match_id != locked.match.pk:
            raise Refused(CALLED_MATCH_CANCELLED)
        _refuse_uncallable(locked)
        call.table = _free_table(locked, call.table_id)
        call.ended_at, call.is_taken_back = None, False
        call.save(update_fields=["ended_at", "is_taken_back"])
        TableOccupancy.objects.filter(call=call).update(left_at=None)
        _write_journal(locked, actor, "restore call", {}, {"table": _table_name(call)})
        return call


def move(call_id: uuid.UUID, table_id: int | None, actor: Actor) -> Call:
    """Moves a called match to another table (None: to no table). Idempotent."""
    with _lock_current_call(call_id) as (locked, call):
        _move(locked, call, table_id, actor)
        return call


def undo_move(call_id: uuid.UUID, moved_to: int | None, table_id: int | None, actor: Actor) -> Call:
    """Moves a match back from `moved_to` to its earlier table. Idempotent. Raises Refused if it moved again since."""
    with _lock_current_call(call_id) as (locked, call):
        if call.table_id not in (moved_to, table_id):
            raise Refused(MATCH_MOVED_AGAIN)
        _move(locked, call, table_id, actor)
        return call


def _move(locked: LockedCall, call: Call, table_id: int | None, actor: Actor) -> None:
    if call.table_id == table_id:
        return
    before = _table_name(call)
    call.table = _free_table(locked, table_id)
    call.save(update_fields=["table"])
    locked.room_lock.has_freed_tables = True
    _write_journal(locked, actor, "move match", {"table": before}, {"table": _table_name(call)})


@contextmanager
def _lock_match(pairing_id: int) -> Iterator[LockedCall]:
    """Locks the match, then the room. Publishes the change of the match after the commit.

    The players are read under the lock: two players may be merged meanwhile.
    """
    try:
        with transaction.atomic():
            pairing = _load_pairing(pairing_id)
            if pairing.match_id is None:
                raise Refused(NO_MATCH)
            match = lock_match(pairing.match_id).match
            bracket = pairing.round.bracket
            with locking.lock_room(bracket.tournament.event_id) as room_lock:
                yield LockedCall(_load_pairing(pairing_id), match, room_lock)
                scorecard.note_call(match)
            transaction.on_commit(lambda: publish.publish_score(bracket.pk), robust=True)
    except IntegrityError as error:
        refusal = next((refusal for name, refusal in CONSTRAINT_REFUSALS.items() if name in str(error)), None)
        if refusal is None:
            raise
        raise Refused(refusal) from error


@contextmanager
def _lock_current_call(call_id: uuid.UUID) -> Iterator[tuple[LockedCall, Call]]:
    """Locks the match and the room of a current call. Raises NotFound, or Refused if the call has ended."""
    with _lock_match(_load_call(call_id).pairing_id) as locked:
        call = _load_call(call_id)
        if call.is_taken_back:
            raise Refused(CALL_TAKEN_BACK)
        if call.ended_at is not None:
            raise Refused(CALLED_MATCH_IS_OVER)
        yield locked, call


def _load_call(call_id: uuid.UUID) -> Call:
    call = Call.objects.select_related("table").filter(pk=call_id).first()
    if call is None:
        raise NotFound
    return call


def _load_pairing(pairing_id: int) -> Pairing:
    rows = Pairing.objects.select_related("round__bracket__tournament", "left__player", "right__player")
    pairing = rows.filter(pk=pairing_id).first()
    if pairing is None:
        raise NotFound
    return pairing


def _refuse_uncallable(locked: LockedCall) -> None:
    """Raises Refused if the match has a call, left the room, is not open, or has a player at another table."""
    if Call.objects.filter(match=locked.match, ended_at__isnull=True).exists():
        raise Refused(CALLED_ALREADY)
    if not Tournament.objects.filter(is_current(), pk=locked.tournament.pk).exists():
        raise Refused(TOURNAMENT_LEFT_ROOM)
    if locked.match.state != MatchState.OPEN:
        raise Refused(STATE_REFUSALS[locked.match.state])
    _refuse_busy(locked)


def _free_table(locked: LockedCall, table_id: int | None) -> Table | None:
    if table_id is None:
        return None
    table = Table.objects.filter(pk=table_id, room=locked.room).first()
    if table is None:
        raise NotFound
    if table.closed_at is not None:
        raise Refused(TABLE_CLOSED, name=table.name)
    if Call.objects.filter(table=table, ended_at__isnull=True).exists():
        raise Refused(TABLE_TAKEN, name=table.name)
    return table


def _refuse_busy(locked: LockedCall) -> None:
    busy = TableOccupancy.objects.filter(player__in=locked.players, left_at__isnull=True)
    occupancy = busy.select_related("call__table").first()
    if occupancy is None:
        return
    player, table = locked.names[occupancy.player_id], occupancy.call.table
    if table is None:
        raise Refused(PLAYER_CALLED, player=player)
    raise Refused(PLAYER_AT_TABLE, player=player, name=table.name)


def _table_name(call: Call) -> str:
    return call.table.name if call.table else ""


def _write_journal(
    locked: LockedCall, actor: Actor, verb: str, before: dict[str, object], after: dict[str, object]
) -> None:
    journal.write(locked.tournament, actor, JournalEntry(verb, "match", locked.match.pk, before, after))
