"""The room as the desk sees it: tables with who sits there, matches that wait, what is overdue. Reads only.

A constant number of statements, however many tables and matches there are.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from matches.models import MatchState
from tournament.live.channels import private_channel
from tournament.models import Bracket, Call, Event, Pairing, Room, Table
from tournament.models.entries import name_of_entry
from tournament.queries.brackets.round_names import round_codes_by_id
from tournament.room.waiting import busy_players, players_of
from tournament.runtime.name_search import has_words, split_words
from tournament.runtime.snapshot import consistent_read

AROUND = ("match", "round__bracket__tournament", "left__player", "right__player")
DEFAULT_WAIT = 5


@dataclass(frozen=True, slots=True)
class MatchInRoom:
    """A match that is called, or waits to be. `opened_at`: since when both players are known."""

    pairing: int
    match: uuid.UUID
    left: str
    right: str
    event: str
    tournament: str
    slug: str
    bracket: str
    round_name: str
    length: int | None
    games: int | None
    opened_at: datetime
    has_begun: bool
    state: str


@dataclass(frozen=True, slots=True)
class CallInRoom:
    """A call that stands. `state` is called, second or playing; `due_at`: when the next step is overdue."""

    id: uuid.UUID
    at: MatchInRoom
    table_id: int | None
    table: str
    called_at: datetime
    second_call_at: datetime | None
    playing_at: datetime | None
    due_at: datetime | None
    is_overdue: bool

    @property
    def state(self) -> str:
        if self.playing_at is not None:
            return "playing"
        return "second" if self.second_call_at is not None else "called"

    @property
    def since(self) -> datetime:
        """When the state that it is in began."""
        return self.playing_at or self.second_call_at or self.called_at


@dataclass(frozen=True, slots=True)
class TableInRoom:
    """A table with whoever is called to it. A closed one is there while somebody still plays."""

    id: int
    name: str
    note: str
    is_reserved: bool
    is_closed: bool
    call: CallInRoom | None

    @property
    def is_free(self) -> bool:
        return self.call is None and not self.is_closed


@dataclass(frozen=True, slots=True)
class Waiting:
    """A match without a call. `busy` are those of its players who sit elsewhere, each with the table's name."""

    at: MatchInRoom
    busy: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class RoomShown:
    """`listens` are the channels on which changes are told. Without a row of the room there are no tables yet, and the
    first is told on the event's channel.

    `standing` are all calls that stand, the latest first; `waiting` is by the longest wait, `begun` play without one:
    those that were asked for, of so many in all.
    """

    listens: tuple[uuid.UUID | str, ...]
    auto_call: bool
    second_call_after: int
    tables: tuple[TableInRoom, ...]
    standing: tuple[CallInRoom, ...]
    waiting: tuple[Waiting, ...]
    begun: tuple[Waiting, ...]
    waiting_in_all: int
    begun_in_all: int

    @property
    def without_table(self) -> tuple[CallInRoom, ...]:
        return tuple(call for call in self.standing if call.table_id is None)

    @property
    def to_read(self) -> tuple[CallInRoom, ...]:
        """Calls whose players are not seen playing yet, the latest first."""
        return tuple(call for call in self.standing if call.playing_at is None)

    @property
    def free(self) -> int:
        return sum(table.is_free and not table.is_reserved for table in self.tables)


@consistent_read()
def room_shown(event: Event, most: int | None = None, find: str = "") -> RoomShown:
    """`most`: only so many matches without a call, of each kind; `find`: only those with these words in a name."""
    room = Room.objects.filter(event=event).first()
    calls = list(_standing(event))
    without = _without_call(event, calls, split_words(find))
    pairings = list(_in_full([*without[False][:most], *without[True][:most]]))
    codes = round_codes_by_id(
        {row.round.bracket_id for row in [*pairings, *(call.pairing for call in calls)]}
    )
    wait = room.second_call_after if room else DEFAULT_WAIT
    standing = [_call(row, event, codes, wait) for row in calls]
    where = _where(calls)
    busy = busy_players(room) if room else set()
    waiting = [_waiting(row, event, codes, where, busy) for row in pairings]
    return RoomShown(
        listens=_listens(event, room),
        auto_call=room is not None and room.auto_call,
        second_call_after=wait,
        tables=tuple(_tables(room, standing)) if room else (),
        standing=tuple(standing),
        waiting=tuple(one for one in waiting if not one.at.has_begun),
        begun=tuple(one for one in waiting if one.at.has_begun),
        waiting_in_all=len(without[False]),
        begun_in_all=len(without[True]),
    )


def call_shown(call: Call) -> CallInRoom:
    """One call, for its text to be read aloud."""
    row = _around(Call.objects.filter(pk=call.pk)).get()
    codes = round_codes_by_id({row.pairing.round.bracket_id})
    return _call(row, row.room.event, codes, row.room.second_call_after)


def _around(rows: QuerySet[Call]) -> QuerySet[Call]:
    return rows.select_related("table", "room__event", *(f"pairing__{name}" for name in AROUND))


def _standing(event: Event) -> Iterable[Call]:
    return _around(Call.objects.filter(room__event=event, ended_at__isnull=True)).order_by("-called_at", "pk")


def _without_call(event: Event, calls: Sequence[Call], wanted: Sequence[str]) -> Mapping[bool, list[int]]:
    """Those that wait, and under True those that have begun, the longest wait first: light rows of what may be many."""
    inside = Pairing.objects.filter(round__bracket__tournament__event=event, match__state=MatchState.OPEN)
    rows = inside.exclude(match__in=[call.match_id for call in calls])
    told = rows.order_by("match__opened_at", "round__number", "line").values_list(
        "pk",
        "match__began_at",
        "left__player__name",
        "left__number",
        "right__player__name",
        "right__number",
    )
    found: dict[bool, list[int]] = {False: [], True: []}
    for pairing, began_at, left, left_number, right, right_number in told:
        names = name_of_entry(left, left_number), name_of_entry(right, right_number)
        if has_words(" ".join(names), wanted):
            found[began_at is not None].append(pairing)
    return found


def _in_full(pairings: Sequence[int]) -> Iterable[Pairing]:
    rows = Pairing.objects.filter(pk__in=pairings).select_related(*AROUND)
    return rows.order_by("match__opened_at", "round__number", "line")


def _listens(event: Event, room: Room | None) -> tuple[uuid.UUID | str, ...]:
    brackets = Bracket.objects.filter(tournament__event=event).order_by("tournament__created_at", "position")
    own = (private_channel(event.pk) if room is None else room.pk,)
    return (*own, *brackets.values_list("pk", flat=True))


def _tables(room: Room, standing: Iterable[CallInRoom]) -> Iterable[TableInRoom]:
    """Those that are open, and closed ones at which somebody still plays."""
    taken = {call.table_id: call for call in standing}
    for row in Table.objects.filter(room=room).order_by("position", "pk"):
        if row.closed_at is None or row.pk in taken:
            is_closed = row.closed_at is not None
            yield TableInRoom(row.pk, row.name, row.note, row.is_reserved, is_closed, taken.get(row.pk))


def _call(row: Call, event: Event, codes: Mapping[int, str], wait: int) -> CallInRoom:
    since = row.second_call_at or row.called_at
    due_at = None if row.playing_at else since + timedelta(minutes=wait)
    return CallInRoom(
        id=row.pk,
        at=_match(row.pairing, event, codes),
        table_id=row.table_id,
        table=row.table.name if row.table else "",
        called_at=row.called_at,
        second_call_at=row.second_call_at,
        playing_at=row.playing_at,
        due_at=due_at,
        is_overdue=due_at is not None and timezone.now() >= due_at,
    )


def _match(row: Pairing, event: Event, codes: Mapping[int, str]) -> MatchInRoom:
    bracket, match = row.round.bracket, row.match
    if match is None:
        raise ValueError("only an open match is in the room")
    return MatchInRoom(
        pairing=row.pk,
        match=match.pk,
        left=row.left.name if row.left else "",
        right=row.right.name if row.right else "",
        event=event.slug,
        tournament=bracket.tournament.name,
        slug=bracket.tournament.slug,
        bracket=bracket.key,
        round_name=codes[row.round_id],
        length=match.length,
        games=match.games,
        opened_at=match.opened_at,
        has_begun=match.has_begun,
        state=match.state,
    )


def _where(calls: Iterable[Call]) -> dict[uuid.UUID, str]:
    """Where whoever is called sits."""
    return {
        player: call.table.name if call.table else "" for call in calls for player in players_of(call.pairing)
    }


def _waiting(
    row: Pairing,
    event: Event,
    codes: Mapping[int, str],
    where: Mapping[uuid.UUID, str],
    busy: set[uuid.UUID],
) -> Waiting:
    found = Waiting(_match(row, event, codes))
    if found.at.has_begun:
        return found
    both = [entry.player for entry in (row.left, row.right) if entry is not None]
    names = [(one.name, where.get(one.pk, "")) for one in both if one.pk in busy or one.pk in where]
    return replace(found, busy=tuple(names))
