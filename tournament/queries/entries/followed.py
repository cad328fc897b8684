"""Players whom somebody follows: what comes next for each of them, at which table, and how it stands. Reads only.

Nothing but what everybody may see, and nothing is known here of who follows whom.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournament.models import Call, Entry, Event, Room, Tournament
from tournament.queries.entries.path import Meeting, Path, path_of
from tournament.queries.events.ends import ended
from tournament.runtime.name_search import sort_key


@dataclass(frozen=True, slots=True)
class Followed:
    """`table` is where the next match was called to; `is_called`: they are called and do not play yet."""

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
class FollowedShown:
    """`listens` are the ids of what changes with them."""

    lines: tuple[Followed, ...]
    listens: tuple[uuid.UUID, ...]


def followed_in(event: Event, wanted: Sequence[uuid.UUID]) -> FollowedShown:
    """Those of these entries that are in this event, in the order in which they are named."""
    rows = Entry.objects.filter(pk__in=wanted, tournament__event=event)
    found = {row.pk: row for row in rows.select_related("player", "tournament__event")}
    paths = [ended(path_of(found[pk])) for pk in wanted if pk in found]
    calls = _calls([path.next.match_id for path in paths if path.next and path.next.match_id])
    room = Room.objects.filter(event=event).values_list("pk", flat=True).first() if paths else None
    brackets = dict.fromkeys(bracket for path in paths for bracket in path.brackets)
    return FollowedShown(tuple(_line(path, calls) for path in paths), (*([room] if room else []), *brackets))


def followed_here(tournament: Tournament, wanted: Sequence[uuid.UUID]) -> list[Entry]:
    """Those of these entries that are in this tournament."""
    rows = (
        Entry.objects.filter(pk__in=wanted, tournament=tournament).select_related("player") if wanted else ()
    )
    return sorted(rows, key=lambda entry: wanted.index(entry.pk))


def everybody_in(event: Event) -> list[Entry]:
    """Everybody entered in any tournament of the event, by name and then by tournament."""
    entries = Entry.objects.filter(tournament__event=event).select_related("player", "tournament__event")
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
    """The calls of these matches that stand."""
    if not matches:
        return {}
    rows = Call.objects.filter(match__in=matches, ended_at__isnull=True).select_related("table")
    return {row.match_id: row for row in rows}
