"""The room page of the desk: tables with their matches, waiting matches, overdue calls. Reads only.

The number of statements does not depend on the number of tables and matches.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from matches.models import MatchState
from tournament.access.tournament_lists import is_current
from tournament.live.channels import private_channel
from tournament.models import Bracket, Call, Event, Pairing, Room, Table
from tournament.models.entries import name_of_entry
from tournament.queries.brackets.round_names import round_codes_by_id
from tournament.room.assignment_input import busy_players, players_of
from tournament.runtime.name_search import has_words, split_words
from tournament.runtime.snapshot import consistent_read

RELATED = ("match", "round__bracket__tournament", "left__player", "right__player")
DEFAULT_WAIT = 5


@dataclass(frozen=True, slots=True)
class MatchInRoom:
    """A match that is called or waits for a call. `opened_at`: when both players became known."""

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
    """A current call. `state`: called, second or playing. `due_at`: time at which the next step is overdue."""

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
        """Start of the current state."""
        return self.playing_at or self.second_call_at or self.called_at


@dataclass(frozen=True, slots=True)
class TableInRoom:
    """A table with its current call. A closed table is listed while its match continues."""

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
class WaitingMatch:
    """A match without a call. `busy`: names of its players who are at another table, each with the table's name."""

    at: MatchInRoom
    busy: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class RoomPage:
    """`channels` publish changes. Before a room exists, its first table is published on the event's channel.

    `calls`: all current calls, latest first. `waiting`: matches without a call, longest wait first. `begun`: matches
    played without a call. Both are limited to the requested number; `…_in_all` is the total.
    """

    channels: tuple[uuid.UUID | str, ...]
    auto_call: bool
    second_call_after: int
    tables: tuple[TableInRoom, ...]
    calls: tuple[CallInRoom, ...]
    waiting: tuple[WaitingMatch, ...]
    begun: tuple[WaitingMatch, ...]
    waiting_in_all: int
    begun_in_all: int

    @property
    def without_table(self) -> tuple[CallInRoom, ...]:
        return tuple(call for call in self.calls if call.table_id is None)

    @property
    def to_announce(self) -> tuple[CallInRoom, ...]:
        """Calls whose players are not playing yet, latest first."""
        return tuple(call for call in self.calls if call.playing_at is None)

    @property
    def free_tables(self) -> tuple[TableInRoom, ...]:
        """All free tables, including reserved ones."""
        return tuple(table for table in self.tables if table.is_free)

    @property
    def free(self) -> int:
        """The number of free tables that take any match."""
        return sum(not table.is_reserved for table in self.free_tables)


@consistent_read()
def room_page(event: Event, most: int | None = None, find: str = "") -> RoomPage:
    """`most`: limit for waiting and for begun matches. `find`: only matches with these words in the players' names."""
    room = Room.objects.filter(event=event).first()
    calls = list(_current_calls(event))
    pairings_without_call = _pairings_without_call(event, calls, split_words(find))
    pairings = list(
        _load_pairings([*pairings_without_call[False][:most], *pairings_without_call[True][:most]])
    )
    codes = round_codes_by_id(
        {row.round.bracket_id for row in [*pairings, *(call.pairing for call in calls)]}
    )
    wait = room.second_call_after if room else DEFAULT_WAIT
    current = [_call_in_room(row, event, codes, wait) for row in calls]
    tables_by_player = _tables_by_player(calls)
    busy = busy_players(room) if room else set()
    waiting = [_waiting_match(row, event, codes, tables_by_player, busy) for row in pairings]
    return RoomPage(
        channels=_channels(event, room),
        auto_call=room is not None and room.auto_call,
        second_call_after=wait,
        tables=tuple(_tables(room, current)) if room else (),
        calls=tuple(current),
        waiting=tuple(match for match in waiting if not match.at.has_begun),
        begun=tuple(match for match in waiting if match.at.has_begun),
        waiting_in_all=len(pairings_without_call[False]),
        begun_in_all=len(pairings_without_call[True]),
    )


def call_in_room(call: Call) -> CallInRoom:
    row = _with_related(Call.objects.filter(pk=call.pk)).get()
    codes = round_codes_by_id({row.pairing.round.bracket_id})
    return _call_in_room(row, row.room.event, codes, row.room.second_call_after)


def _with_related(rows: QuerySet[Call]) -> QuerySet[Call]:
    return rows.select_related("table", "room__event", *(f"pairing__{name}" for name in RELATED))


def _current_calls(event: Event) -> Iterable[Call]:
    return _with_related(Call.objects.filter(room__event=event, ended_at__isnull=True)).order_by(
        "-called_at", "pk"
    )


def _pairings_without_call(
    event: Event, calls: Sequence[Call], wanted: Sequence[str]
) -> Mapping[bool, list[int]]:
    """Returns waiting pairings under False and begun ones under True, longest wait first."""
    open_pairings = Pairing.objects.filter(
        is_current("round__bracket__tournament"),
        round__bracket__tournament__event=event,
        match__state=MatchState.OPEN,
    )
    rows = open_pairings.exclude(match__in=[call.match_id for call in calls])
    values = rows.order_by("match__opened_at", "round__number", "line").values_list(
        "pk",
        "match__began_at",
        "left__player__name",
        "left__number",
        "right__player__name",
        "right__number",
    )
    pairings: dict[bool, list[int]] = {False: [], True: []}
    for pairing, began_at, left, left_number, right, right_number in values:
        names = name_of_entry(left, left_number), name_of_entry(right, right_number)
        if has_words(" ".join(names), wanted):
            pairings[began_at is not None].append(pairing)
    return pairings


def _load_pairings(pairings: Sequence[int]) -> Iterable[Pairing]:
    rows = Pairing.objects.filter(pk__in=pairings).select_related(*RELATED)
    return rows.order_by("match__opened_at", "round__number", "line")


def _channels(event: Event, room: Room | None) -> tuple[uuid.UUID | str, ...]:
    brackets = Bracket.objects.filter(tournament__event=event).order_by("tournament__created_at", "position")
    own = (private_channel(event.pk) if room is None else room.pk,)
    return (*own, *brackets.values_list("pk", flat=True))


def _tables(room: Room, current: Iterable[CallInRoom]) -> Iterable[TableInRoom]:
    """Open tables, and closed ones with a current call."""
    taken = {call.table_id: call for call in current}
    for row in Table.objects.filter(room=room).order_by("position", "pk"):
        if row.closed_at is None or row.pk in taken:
            is_closed = row.closed_at is not None
            yield TableInRoom(row.pk, row.name, row.note, row.is_reserved, is_closed, taken.get(row.pk))


def _call_in_room(row: Call, event: Event, codes: Mapping[int, str], wait: int) -> CallInRoom:
    since = row.second_call_at or row.called_at
    due_at = None if row.playing_at else since + timedelta(minutes=wait)
    return CallInRoom(
        id=row.pk,
        at=_match_in_room(row.pairing, event, codes),
        table_id=row.table_id,
        table=row.table.name if row.table else "",
        called_at=row.called_at,
        second_call_at=row.second_call_at,
        playing_at=row.playing_at,
        due_at=due_at,
        is_overdue=due_at is not None and timezone.now() >= due_at,
    )


def _match_in_room(row: Pairing, event: Event, codes: Mapping[int, str]) -> MatchInRoom:
    bracket, match = row.round.bracket, row.match
    if match is None:
        raise ValueError("This pairing has no match.")
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


def _tables_by_player(calls: Iterable[Call]) -> dict[uuid.UUID, str]:
    return {
        player: call.table.name if call.table else "" for call in calls for player in players_of(call.pairing)
    }


def _waiting_match(
    row: Pairing,
    event: Event,
    codes: Mapping[int, str],
    tables_by_player: Mapping[uuid.UUID, str],
    busy: set[uuid.UUID],
) -> WaitingMatch:
    match = WaitingMatch(_match_in_room(row, event, codes))
    if match.at.has_begun:
        return match
    players = [entry.player for entry in (row.left, row.right) if entry is not None]
    names = [
        (player.name, tables_by_player.get(player.pk, ""))
        for player in players
        if player.pk in busy or player.pk in tables_by_player
    ]
    return replace(match, busy=tuple(names))
