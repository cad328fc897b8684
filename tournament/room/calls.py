"""Calls a match to a table, calls it again, sees it played, moves it, takes the call back.

Each takes the match's lock, then the room's. Whatever can be seen before is refused in a sentence; the constraints
say the same should a lock ever be missing.
"""

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils import timezone

from matches import scorecard
from matches.models import Match, MatchState
from tournament.access.actors import Actor
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Call, Pairing, Player, Room, Table, TableOccupancy, Tournament
from tournament.occupancy import locking, releasing
from tournament.occupancy.locking import LockedRoom
from tournament.runtime import publish
from tournament.runtime.errors import NotFound, Refused

NOT_NOW: Mapping[str, tuple[str, str]] = {
    MatchState.POSTED: (
        "match-is-over",
        "This match is over: its result is posted. Nobody needs to be called.",
    ),
    MatchState.CANCELLED: ("match-cancelled", "This match is not played any more. Load the page again."),
    MatchState.REPORTED: ("result-is-in", "A result is reported for this match. Confirm it at the desk."),
    MatchState.DISPUTED: ("result-is-in", "The desk is deciding this match. Close that first."),
}
TAKEN = ("table-taken", "Somebody was called to this table meanwhile. Choose another.")
BUSY = ("player-at-table", "One of them was called to another table meanwhile. Wait until they are free.")
CALLED = ("called-already", "This match was called meanwhile. Load the page again.")
SAYS: Mapping[str, tuple[str, str]] = {
    "table_holds_one_match": TAKEN, "tournament_call.table_id": TAKEN,
    "match_called_once": CALLED, "tournament_call.match_id": CALLED,
    "player_is_at_one_table": BUSY, "tournament_tableoccupancy.player_id": BUSY,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Calling:
    """A call about to be changed: its match and its room are under their locks."""

    pairing: Pairing
    match: Match
    changes: LockedRoom

    @property
    def room(self) -> Room:
        return self.changes.room

    @property
    def tournament(self) -> Tournament:
        tournament: Tournament = self.pairing.round.bracket.tournament
        return tournament

    @property
    def players(self) -> list[Player]:
        """One of them where somebody meets their own second entry."""
        both = [entry.player for entry in (self.pairing.left, self.pairing.right) if entry is not None]
        return list({player.pk: player for player in both}.values())

    @property
    def names(self) -> dict[uuid.UUID, str]:
        """What they are called as those who enter this match, by player."""
        both = (self.pairing.left, self.pairing.right)
        return {entry.player_id: entry.name for entry in both if entry is not None}


def call(pairing_id: int, table_id: int | None, actor: Actor) -> Call:
    """Calls a match to a table (None: without one). Again to the same table: the call that stands.

    Raises NotFound, and Refused where the match cannot be called, the table is taken or a player sits at another.
    """
    with _changing(pairing_id) as calling:
        standing = Call.objects.filter(match=calling.match, ended_at__isnull=True).first()
        if standing is not None and standing.table_id == table_id:
            return standing
        if standing is not None:
            raise Refused("called-already", "This match is called already. Move it to another table instead.")
        if calling.match.state != MatchState.OPEN:
            raise Refused(*NOT_NOW[calling.match.state])
        table = _free_table(calling, table_id)
        _refuse_busy(calling)
        now = timezone.now()
        made = Call.objects.create(
            room=calling.room,
            pairing=calling.pairing,
            match=calling.match,
            table=table,
            called_at=now,
            called_by=actor.user,
            playing_at=now if calling.match.has_begun else None,
        )
        TableOccupancy.objects.bulk_create(
            TableOccupancy(call=made, player=player) for player in calling.players
        )
        _note(calling, actor, "call match", {}, {"table": table.name if table else ""})
        return made


def call_again(call_id: uuid.UUID, actor: Actor) -> Call:
    """The second call. Once is enough: again changes nothing."""
    with _standing(call_id) as (calling, found):
        if found.second_call_at is not None:
            return found
        if found.playing_at is not None:
            raise Refused("they-play", "They play already, so they need no second call.")
        found.second_call_at = timezone.now()
        found.save(update_fields=["second_call_at"])
        _note(calling, actor, "call again", {}, {"table": _name(found)})
        return found


def see_playing(call_id: uuid.UUID, actor: Actor) -> Call:
    """Both are at the table and play. Again changes nothing."""
    with _standing(call_id) as (calling, found):
        if found.playing_at is None:
            found.playing_at = timezone.now()
            found.save(update_fields=["playing_at"])
            _note(calling, actor, "see playing", {}, {"table": _name(found)})
        return found


def take_back(call_id: uuid.UUID, actor: Actor) -> Call:
    """The match waits again, and table and players are free. Again changes nothing."""
    before = _found(call_id)
    if before.is_taken_back:
        return before
    with _standing(call_id) as (calling, found):
        releasing.end_calls(calling.changes, [found.pk], is_taken_back=True)
        calling.changes.has_freed_tables = (
            False  # or a room that calls by itself would call them back at once
        )
        _note(calling, actor, "take call back", {"table": _name(found)}, {})
    return _found(call_id)


def move(call_id: uuid.UUID, table_id: int | None, actor: Actor) -> Call:
    """To another table (None: to none). To where it is changes nothing."""
    with _standing(call_id) as (calling, found):
        if found.table_id == table_id:
            return found
        before = _name(found)
        found.table = _free_table(calling, table_id)
        found.save(update_fields=["table"])
        calling.changes.has_freed_tables = True
        _note(calling, actor, "move match", {"table": before}, {"table": _name(found)})
        return found


@contextmanager
def _changing(pairing_id: int) -> Iterator[Calling]:
    """The match's lock, then the room's. Whoever looks at the match is told that something changed."""
    try:
        with transaction.atomic():
            pairing = _pairing(pairing_id)
            if pairing.match_id is None:
                raise Refused("no-match", "This match is not open yet: its players are not known.")
            match = scorecard.lock(pairing.match_id)
            bracket = pairing.round.bracket
            with locking.lock_room(bracket.tournament.event_id) as locked:
                yield Calling(pairing, match, locked)
                scorecard.note_call(match)
            transaction.on_commit(lambda: publish.publish_score(bracket.pk), robust=True)
    except IntegrityError as error:
        says = next((said for name, said in SAYS.items() if name in str(error)), None)
        if says is None:
            raise
        raise Refused(*says) from error


@contextmanager
def _standing(call_id: uuid.UUID) -> Iterator[tuple[Calling, Call]]:
    """A call that stands, under both locks; raises NotFound, and Refused where it has ended."""
    with _changing(_found(call_id).pairing_id) as calling:
        found = _found(call_id)
        if found.is_taken_back:
            raise Refused("call-taken-back", "This call was taken back. Call the match again.")
        if found.ended_at is not None:
            raise Refused("match-is-over", "This match is over, so its call has ended. Load the page again.")
        yield calling, found


def _found(call_id: uuid.UUID) -> Call:
    found = Call.objects.select_related("table").filter(pk=call_id).first()
    if found is None:
        raise NotFound
    return found


def _pairing(pairing_id: int) -> Pairing:
    rows = Pairing.objects.select_related("round__bracket__tournament", "left__player", "right__player")
    found = rows.filter(pk=pairing_id).first()
    if found is None:
        raise NotFound
    return found


def _free_table(calling: Calling, table_id: int | None) -> Table | None:
    if table_id is None:
        return None
    table = Table.objects.filter(pk=table_id, room=calling.room).first()
    if table is None:
        raise NotFound
    if table.closed_at is not None:
        raise Refused(
            "table-closed", "Table {name} is closed. Open it first, or choose another.", name=table.name
        )
    if Call.objects.filter(table=table, ended_at__isnull=True).exists():
        raise Refused("table-taken", "At table {name} another match is called or played.", name=table.name)
    return table


def _refuse_busy(calling: Calling) -> None:
    busy = TableOccupancy.objects.filter(player__in=calling.players, left_at__isnull=True)
    sitting = busy.select_related("call__table").first()
    if sitting is None:
        return
    player, table = calling.names[sitting.player_id], sitting.call.table
    if table is None:
        raise Refused("player-at-table", "{player} is called to another match already.", player=player)
    raise Refused("player-at-table", "{player} is at table {name} already.", player=player, name=table.name)


def _name(found: Call) -> str:
    return found.table.name if found.table else ""


def _note(
    calling: Calling, actor: Actor, verb: str, before: dict[str, object], after: dict[str, object]
) -> None:
    journal.write(calling.tournament, actor, JournalEntry(verb, "match", calling.match.pk, before, after))
