"""Finds the lines of a journal that can be undone: their effect still holds, and nothing later depends on it.

Reads only. The number of statements does not depend on the number of lines.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import F, Max, Q
from django.db.models.fields.json import KT

from matches.models import MatchState
from tournament.entries.attendance import BATCH
from tournament.models import Call, Correction, Entry, JournalLine, Round, RoundPreview, Table
from tournament.queries.brackets.labels import MAIN
from tournament.room.tables import ADDED, holds_change, is_as_added

Ids = tuple[object, ...]


class Undo(NamedTuple):
    """The ids that the undo needs: of the line alone, and of all lines of the same change. None: not possible."""

    alone: Ids | None = None
    together: Ids | None = None


def _is_called(call: Call) -> bool:
    return call.ended_at is None


ENTRY_STATES: Mapping[str, Callable[[Entry], bool]] = {
    "check in": lambda entry: entry.checked_in_at is not None,
    "check in at kiosk": lambda entry: entry.checked_in_at is not None,
    "undo check in": lambda entry: entry.checked_in_at is None,
    "undo check in at kiosk": lambda entry: entry.checked_in_at is None,
    "mark paid": lambda entry: entry.is_paid,
    "mark unpaid": lambda entry: not entry.is_paid,
    "withdraw": lambda entry: entry.is_withdrawn,
    "undo withdrawal": lambda entry: not entry.is_withdrawn,
}
CALL_STATES: Mapping[str, Callable[[Call], bool]] = {
    "call match": lambda call: _is_called(call) and not call.match.has_begun,
    "restore call": lambda call: _is_called(call) and not call.match.has_begun,
    "call again": lambda call: _is_called(call) and call.playing_at is None,
    "undo call again": lambda call: _is_called(call) and call.playing_at is None,
    "see playing": lambda call: _is_called(call) and not call.match.has_begun,
    "undo see playing": _is_called,
    "move match": _is_called,
    "take call back": lambda call: call.is_taken_back and call.match.state == MatchState.OPEN,
}
UNDONE_VERBS: Mapping[str, str] = {
    "restore call": "call match",
    "undo call again": "call again",
    "undo see playing": "see playing",
}
"""Verbs that change the same as another: only the newest line of the two can be undone."""
TABLE_VERBS = ("add tables", "change table", "remove table", "close table", "open table")
RELEASE_VERBS = ("pair round", "release round")


def find_undos(rows: Sequence[JournalLine]) -> dict[int, Undo]:
    """Returns the lines of one event that can be undone. `rows` have the newest line first."""
    finders = (_of_entries, _of_corrections, _of_calls, _of_tables, _of_rounds)
    return {pk: undo for find in finders for pk, undo in find(rows)}


def _of_entries(rows: Sequence[JournalLine]) -> Iterator[tuple[int, Undo]]:
    """The newest line of its kind about each entry. A withdrawal comes back only while its undo is the last line."""
    about_entries = [row for row in rows if row.subject == "entry" and row.verb in ENTRY_STATES]
    if not about_entries:
        return
    subjects = {row.subject_id for row in about_entries}
    newest = _newest_of_entries(about_entries[-1], subjects)
    entries = Entry.objects.in_bulk([UUID(entry_id) for entry_id in subjects])
    for row in about_entries:
        entry = entries.get(UUID(row.subject_id))
        kinds = newest[row.subject_id]
        is_newest = row.pk == (max(kinds.values()) if row.verb == "undo withdrawal" else kinds[row.verb])
        if entry is not None and is_newest and ENTRY_STATES[row.verb](entry):
            yield row.pk, Undo((entry.pk,), _batch(row))


def _newest_of_entries(oldest: JournalLine, entries: Collection[str]) -> dict[str, dict[str, int]]:
    """The newest line of each verb about each of these entries, among those since the `oldest`."""
    lines = JournalLine.objects.filter(
        event=oldest.event_id, subject="entry", subject_id__in=entries, pk__gte=oldest.pk
    )
    newest: dict[str, dict[str, int]] = {}
    for entry, verb, pk in lines.order_by("pk").values_list("subject_id", "verb", "pk"):
        newest.setdefault(entry, {})[verb] = pk
    return newest


def _of_corrections(rows: Sequence[JournalLine]) -> Iterator[tuple[int, Undo]]:
    made = {row.after.get("correction"): row for row in rows if row.verb == "correct with consequences"}
    corrections = Correction.objects.filter(pk__in=[pk for pk in made if pk], undone_at__isnull=True)
    for pk in corrections.values_list("pk", flat=True):
        yield made[str(pk)].pk, Undo((pk,))


def _of_calls(rows: Sequence[JournalLine]) -> Iterator[tuple[int, Undo]]:
    """The newest line of its kind about the last call of each match."""
    about_calls = [row for row in rows if row.subject == "match" and row.verb in CALL_STATES]
    if not about_calls:
        return
    matches = {row.subject_id for row in about_calls}
    newest = _newest_of_calls(about_calls[-1], matches)
    last_calls = (
        Call.objects.filter(match__in=[UUID(match) for match in matches])
        .select_related("match", "table")
        .order_by(F("ended_at").asc(nulls_last=True))
    )
    calls = {str(call.match_id): call for call in last_calls}
    tables = _tables_by_name(rows) if any(row.verb == "move match" for row in about_calls) else {}
    for row in about_calls:
        call = calls.get(row.subject_id)
        if call is None or row.pk not in newest or not CALL_STATES[row.verb](call):
            continue
        if row.verb != "move match":
            yield row.pk, Undo((call.pk,), _batch(row) if row.verb == "see playing" else None)
        elif (table := _table_before(row, tables)) is not None:
            yield row.pk, Undo((call.pk, call.table_id or 0, table))


def _newest_of_calls(oldest: JournalLine, matches: Collection[str]) -> set[int]:
    """The newest lines of each kind about the last call of these matches, among those since the `oldest`."""
    lines = JournalLine.objects.filter(
        event=oldest.event_id,
        subject="match",
        subject_id__in=matches,
        verb__in=list(CALL_STATES),
        pk__gte=oldest.pk,
    )
    newest: dict[str, dict[str, int]] = {}
    for match, verb, pk in lines.order_by("pk").values_list("subject_id", "verb", "pk"):
        if verb == "call match":
            newest[match] = {}
        newest.setdefault(match, {})[UNDONE_VERBS.get(verb, verb)] = pk
    return {pk for kinds in newest.values() for pk in kinds.values()}


def _table_before(row: JournalLine, tables: Mapping[str, Table]) -> int | None:
    """The id of the table that a match was moved away from; 0 for no table, None if the table is gone."""
    name = row.before.get("table", "")
    if not name:
        return 0
    return tables[name].pk if name in tables else None


def _of_tables(rows: Sequence[JournalLine]) -> Iterator[tuple[int, Undo]]:
    about_tables = [row for row in rows if row.verb in TABLE_VERBS]
    if not about_tables:
        return
    by_name = _tables_by_name(rows)
    by_id = {str(table.pk): table for table in by_name.values()}
    in_use = Q(calls__isnull=False) | Q(pins__isnull=False)
    used = set(Table.objects.filter(in_use, room__event=rows[0].event_id).values_list("pk", flat=True))
    sizes = _batch_sizes(about_tables)
    last_removals = _last_removals(about_tables)
    positions = {pk: number for number, pk in enumerate(by_id, start=1)}
    for row in about_tables:
        if row.verb == "remove table" and row.pk not in last_removals:
            continue
        if not _holds(row, by_name, by_id, positions, used):
            continue
        if row.verb in ("close table", "open table"):
            yield row.pk, Undo((row.subject_id,))
        elif (batch := _batch(row)) is not None:
            yield row.pk, Undo(together=batch) if sizes[row.after[BATCH]] > 1 else Undo(batch)


def _last_removals(rows: Sequence[JournalLine]) -> set[int]:
    """The last removal of each table name."""
    names = {row.before.get("table") for row in rows if row.verb == "remove table"}
    if not names:
        return set()
    lines = JournalLine.objects.filter(
        event=rows[0].event_id, verb="remove table", before__table__in=list(names)
    )
    return set(dict(lines.order_by("pk").values_list(KT("before__table"), "pk")).values())


def _batch_sizes(rows: Sequence[JournalLine]) -> Counter[str]:
    """The number of lines of each change of tables, also of lines on other pages of the journal."""
    batches = [row.after[BATCH] for row in rows if BATCH in row.after]
    lines = JournalLine.objects.filter(
        event=rows[0].event_id, verb__in=TABLE_VERBS, **{f"after__{BATCH}__in": batches}
    )
    return Counter(lines.values_list(KT(f"after__{BATCH}"), flat=True))


def _holds(
    row: JournalLine,
    by_name: Mapping[str, Table],
    by_id: Mapping[str, Table],
    positions: Mapping[str, int],
    used: Collection[int],
) -> bool:
    if row.verb == "remove table":
        return row.before.get("table") not in by_name
    if row.verb == "add tables":
        names = zip(row.after.get(ADDED, ()), row.after.get("tables", ()), strict=False)
        added = [(by_id[str(pk)], name) for pk, name in names if str(pk) in by_id]
        return bool(added) and all(table.pk not in used and is_as_added(table, name) for table, name in added)
    table = by_id.get(row.subject_id)
    if table is None:
        return False
    if row.verb != "change table":
        return (table.closed_at is not None) == (row.verb == "close table")
    return holds_change(table, positions[row.subject_id], row.before, row.after)


def _tables_by_name(rows: Sequence[JournalLine]) -> dict[str, Table]:
    return {table.name: table for table in Table.objects.filter(room__event=rows[0].event_id)}


def _of_rounds(rows: Sequence[JournalLine]) -> Iterator[tuple[int, Undo]]:
    """The last round of a tournament, while no match of it has begun and no next round is paired."""
    released = {row.subject_id: row for row in rows if row.verb in RELEASE_VERBS}
    if not released:
        return
    tournaments = {row.tournament_id for row in released.values()}
    of_tournaments = Round.objects.filter(bracket__tournament__in=tournaments, bracket__key=MAIN)
    last = of_tournaments.values("bracket").annotate(last=Max("number"))
    numbers = dict(last.values_list("bracket", "last"))
    played = Q(pairings__match__began_at__isnull=False) | Q(pairings__results__isnull=False)
    previewed = RoundPreview.objects.filter(tournament__in=tournaments).values("tournament")
    rounds = of_tournaments.filter(pk__in=released, number__gt=1).exclude(
        pk__in=of_tournaments.filter(played).values("pk")
    )
    for row in rounds.exclude(bracket__tournament__in=previewed):
        if row.number == numbers[row.bracket_id]:
            yield released[str(row.pk)].pk, Undo((row.pk,))


def _batch(row: JournalLine) -> Ids | None:
    batch: Any = row.after.get(BATCH)
    return (batch,) if batch else None
