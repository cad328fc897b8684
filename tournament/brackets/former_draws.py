"""Stores pairings that are taken back, and reads them for the history.

They have seats and no results. If only some brackets were taken back, seats refer to the remaining pairings by id.
"""

import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any, NamedTuple

from django.utils import timezone

from tournament.brackets import storage
from tournament.draw.graph import (
    FromBye,
    FromEntry,
    FromPairing,
    FromPlace,
    Graph,
    Outcome,
    Pairing,
    Seat,
    Source,
)
from tournament.models import FormerDraw, Round, SeatChange, Tournament

EntrySource = Source[int, uuid.UUID]
EntryPairing = Pairing[int, uuid.UUID]


class ManualSeat(NamedTuple):
    """A seat that was given to another entry by hand; None is a bye."""

    pairing: int
    seat: Seat
    before: uuid.UUID | None
    after: uuid.UUID | None
    at: datetime


@dataclass(frozen=True, slots=True)
class DrawnSheet:
    """Pairings in drawn order, their times (None: unknown), and seats changed by hand, newest first."""

    pairings: tuple[EntryPairing, ...]
    drawn_at: Mapping[int, datetime | None]
    manual_seats: tuple[ManualSeat, ...]


def current_sheet(tournament: Tournament, graph: Graph[int, uuid.UUID]) -> DrawnSheet:
    rounds = Round.objects.filter(bracket__tournament=tournament)
    drawn = dict(rounds.values_list("pairings__pk", "drawn_at"))
    changes = SeatChange.objects.filter(feed__target__round__bracket__tournament=tournament)
    manual_seats = (
        ManualSeat(
            change.feed.target_id, Seat(change.feed.seat), change.before_id, change.after_id, change.at
        )
        for change in changes.order_by("-at", "-pk").select_related("feed")
    )
    return DrawnSheet(tuple(graph), drawn, tuple(manual_seats))


def store_former_sheet(tournament: Tournament, rounds: Collection[int] | None = None) -> None:
    """Stores all pairings, or those of these rounds, before their rows are deleted. Requires the tournament's lock."""
    sheet = current_sheet(tournament, storage.read(tournament).graph)
    pairings = sheet.pairings
    if rounds is not None:
        own = Round.objects.filter(pk__in=rounds).values_list("pairings__pk", flat=True)
        pairings = tuple(pairing for pairing in pairings if pairing.key in set(own))
    numbers = {pairing.key: number for number, pairing in enumerate(pairings)}
    document = {
        "pairings": [_pairing_json(pairing, sheet.drawn_at[pairing.key], numbers) for pairing in pairings],
        "given": [
            _manual_seat_json(change, numbers) for change in sheet.manual_seats if change.pairing in numbers
        ],
    }
    FormerDraw(tournament=tournament, document=document, taken_back_at=timezone.now()).save(force_insert=True)


def sheets_in_force_at(tournament: Tournament, moment: datetime) -> Iterator[DrawnSheet]:
    """The sheets that were taken back after this moment. The keys of their pairings are negative."""
    new_keys = count(-1, -1)
    rows = FormerDraw.objects.filter(tournament=tournament, taken_back_at__gt=moment)
    sheets = [(row.document, [next(new_keys) for _ in row.document["pairings"]]) for row in rows]
    since = {
        pairing["id"]: key
        for document, keys in sheets
        for pairing, key in zip(document["pairings"], keys, strict=True)
        if "id" in pairing
    }
    for document, keys in sheets:
        yield _sheet(document, keys, since)


def _pairing_json(
    pairing: EntryPairing, drawn_at: datetime | None, numbers: Mapping[int, int]
) -> dict[str, Any]:
    return {
        "id": pairing.key,
        "bracket": pairing.bracket,
        "round": pairing.round,
        "line": pairing.line,
        "drawn_at": drawn_at.isoformat() if drawn_at else None,
        "left": _source_json(pairing.left, numbers),
        "right": _source_json(pairing.right, numbers),
    }


def _source_json(source: EntrySource, numbers: Mapping[int, int]) -> dict[str, Any]:
    match source:
        case FromEntry(entry):
            return {"entry": str(entry) if entry else None}
        case FromPairing(pairing, outcome) if pairing in numbers:
            return {"pairing": numbers[pairing], "outcome": outcome.value}
        case FromPairing(pairing, outcome):
            return {"stayed": pairing, "outcome": outcome.value}
        case FromPlace():
            return {"bracket": source.bracket, "place": source.place}
    return {"bye": True}


def _manual_seat_json(change: ManualSeat, numbers: Mapping[int, int]) -> dict[str, Any]:
    return {
        "pairing": numbers[change.pairing],
        "seat": change.seat.value,
        "before": str(change.before) if change.before else None,
        "after": str(change.after) if change.after else None,
        "at": change.at.isoformat(),
    }


def _sheet(document: Mapping[str, Any], keys: list[int], since: Mapping[int, int]) -> DrawnSheet:
    """`since`: keys by id of the pairings that remained at the time and were taken back later."""
    rows: list[dict[str, Any]] = document["pairings"]
    return DrawnSheet(
        tuple(_pairing(row, key, keys, since) for row, key in zip(rows, keys, strict=True)),
        {key: _moment(row["drawn_at"]) for row, key in zip(rows, keys, strict=True)},
        tuple(_manual_seats(document["given"], keys)),
    )


def _pairing(row: Mapping[str, Any], key: int, keys: list[int], since: Mapping[int, int]) -> EntryPairing:
    left, right = (_source(row[side], keys, since) for side in ("left", "right"))
    return Pairing(key, row["bracket"], row["round"], row["line"], left, right)


def _source(source: Mapping[str, Any], keys: list[int], since: Mapping[int, int]) -> EntrySource:
    """The source of a seat. A place of another bracket is read as open, because nothing was played there."""
    if "stayed" in source:
        return FromPairing(since.get(source["stayed"], source["stayed"]), Outcome(source["outcome"]))
    if "pairing" in source:
        return FromPairing(keys[source["pairing"]], Outcome(source["outcome"]))
    if "bye" in source:
        return FromBye()
    return FromEntry(_entry(source.get("entry")))


def _manual_seats(rows: Iterable[Mapping[str, Any]], keys: list[int]) -> Iterator[ManualSeat]:
    for row in rows:
        at = datetime.fromisoformat(row["at"])
        yield ManualSeat(
            keys[row["pairing"]], Seat(row["seat"]), _entry(row["before"]), _entry(row["after"]), at
        )


def _entry(text: str | None) -> uuid.UUID | None:
    return uuid.UUID(text) if text else None


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
