"""Loads the next match, table and score of the players that a spectator follows. Reads only.

Contains public data only. The server does not store who follows whom.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournament.access.tournament_lists import is_listed
from tournament.models import Call, Entry, Event, Room, Tournament
from tournament.queries.entries.path import Meeting, Path, load_path
from tournament.queries.events.ends import mark_finished
from tournament.runtime.name_search import sort_key


@dataclass(frozen=True, slots=True)
class Followed:
    """`table` is the table of the next match. `is_called`: the match is called and has not begun."""

    path: Path
    table: str
    is_called: bool

    @property
    def entry(self) -> Entry:
        return self.path.entry

    @property
    def meeting(self) -> Meeting | None:
        return self.path.next


@dataclass(frozen=True, slots=True)
class FollowedPlayers:
    """`listens` are the channels of a live page that shows these players."""

    lines: tuple[Followed, ...]
    listens: tuple[uuid.UUID, ...]


def followed_players(event: Event, entry_ids: Sequence[uuid.UUID]) -> FollowedPlayers:
    """Returns the entries that belong to this event, in the order of `entry_ids`."""
    rows = Entry.objects.filter(is_listed("tournament"), pk__in=entry_ids, tournament__event=event)
    entries_by_id = {row.pk: row for row in rows.select_related("player", "tournament__event")}
    paths = [mark_finished(load_path(entries_by_id[pk])) for pk in entry_ids if pk in entries_by_id]
    calls = _calls([path.next.match_id for path in paths if path.next and path.next.match_id])
    room = Room.objects.filter(event=event).values_list("pk", flat=True).first() if paths else None
    brackets = dict.fromkeys(bracket for path in paths for bracket in path.brackets)
    return FollowedPlayers(
        tuple(_line(path, calls) for path in paths), (*([room] if room else []), *brackets)
    )


def followed_entries(tournament: Tournament, entry_ids: Sequence[uuid.UUID]) -> list[Entry]:
    """Returns the entries that belong to this tournament, in the order of `entry_ids`."""
    rows = (
        Entry.objects.filter(pk__in=entry_ids, tournament=tournament).select_related("player")
        if entry_ids
        else ()
    )
    return sorted(rows, key=lambda entry: entry_ids.index(entry.pk))


def list_event_entries(event: Event) -> list[Entry]:
    """Returns the entries of the listed tournaments of the event by name, then by tournament."""
    rows = Entry.objects.filter(is_listed("tournament"), tournament__event=event)
    entries = rows.select_related("player", "tournament__event")
    return sorted(
        entries, key=lambda entry: (sort_key(entry.player.name), entry.tournament.created_at, entry.number)
    )


def _line(path: Path, calls: Mapping[uuid.UUID, Call]) -> Followed:
    meeting = path.next
    call = calls.get(meeting.match_id) if meeting is not None and meeting.match_id else None
    if meeting is None or call is None:
        return Followed(path, "", is_called=False)
    is_called = call.playing_at is None and meeting.state == "ready"
    return Followed(path, call.table.name if call.table else "", is_called)


def _calls(matches: Sequence[uuid.UUID]) -> Mapping[uuid.UUID, Call]:
    """Returns the current calls by match."""
    if not matches:
        return {}
    rows = Call.objects.filter(match__in=matches, ended_at__isnull=True).select_related("table")
    return {row.match_id: row for row in rows}
