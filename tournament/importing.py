"""Takes an entry list into a tournament: shows what it would do, then does exactly that or nothing.

Reading the list and holding it against the players is `entrylist`; this room fetches, locks and writes.
A list only adds and changes: whoever is not on it stays.
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db import IntegrityError
from django.utils import timezone

from tournament import journal, progression
from tournament.actors import Actor
from tournament.entrylist import Line, Listing
from tournament.entrylist.comparison import (
    ENTRY_FIELDS,
    PLAYER_FIELDS,
    Change,
    Known,
    Planned,
    Preview,
    compare,
)
from tournament.errors import Refused
from tournament.journal import Deed
from tournament.models import Entry, Player, Tournament
from tournament.registration import refuse_after_the_draw


@dataclass(frozen=True, slots=True)
class ImportDone:
    """How many entries a list added, changed and found as they are."""

    added: int
    changed: int
    unchanged: int


def preview(tournament: Tournament, listing: Listing) -> Preview:
    """What importing the list would do now. Raises Refused once the draw is made."""
    refuse_after_the_draw(tournament)
    return compare(listing, _known(tournament))


def apply(tournament_id: uuid.UUID, listing: Listing, digest: str, actor: Actor) -> ImportDone:
    """Does what the preview with this digest showed, whole or not at all.

    Raises Refused when the draw is made, when the entries are no longer those of the preview, and when
    there is nothing to do.
    """
    try:
        with progression.changing(tournament_id) as changes:
            plan = preview(changes.tournament, listing)
            _refuse_another_plan(plan, digest)
            _change_players(plan)
            _change_entries(plan)
            entries = _enter(changes.tournament, plan.added)
            journal.write(changes.tournament, actor, _deed(changes.tournament, plan, entries))
    except IntegrityError as clash:  # another tournament of the event entered the same player meanwhile
        raise _stale() from clash
    return ImportDone(len(plan.added), len(plan.changed), len(plan.unchanged))


def _refuse_another_plan(plan: Preview, digest: str) -> None:
    if plan.digest != digest:
        raise _stale()
    if not plan.added and not plan.changed:
        raise Refused("nothing-to-import", "The list changes nothing: everybody on it is entered as it says.")


def _stale() -> Refused:
    return Refused(
        "preview-is-old",
        "The entries have changed since this preview. Look at the list again, then import it.",
    )


def _known(tournament: Tournament) -> list[Known]:
    entries = {entry.player_id: entry for entry in Entry.objects.filter(tournament=tournament)}
    players = Player.objects.filter(event_id=tournament.event_id).order_by("pk")
    return [_as_known(player, entries.get(player.pk)) for player in players]


def _as_known(player: Player, entry: Entry | None) -> Known:
    person = {field: getattr(player, field) for field in PLAYER_FIELDS}
    if entry is None:
        return Known(player.pk, None, **person)
    return Known(
        player.pk,
        entry.pk,
        **person,
        seed=entry.seed,
        paid=entry.is_paid,
        checked_in=entry.checked_in_at is not None,
        withdrawn=entry.is_withdrawn,
    )


def _change_players(plan: Preview) -> None:
    changes = {item.player_id: item.changes_of(PLAYER_FIELDS) for item in (*plan.added, *plan.changed)}
    players = Player.objects.in_bulk([pk for pk, changed in changes.items() if pk and changed])
    for pk, player in players.items():
        for change in changes[pk]:
            setattr(player, change.field, change.after)
    Player.objects.bulk_update(players.values(), PLAYER_FIELDS)


def _change_entries(plan: Preview) -> None:
    """Seeds are taken from everybody who gets another one first, so that two can swap theirs."""
    changes = {item.entry_id: item.changes_of(ENTRY_FIELDS) for item in plan.changed}
    entries = Entry.objects.in_bulk([pk for pk, changed in changes.items() if pk and changed])
    reseeded = [pk for pk in entries if any(change.field == "seed" for change in changes[pk])]
    Entry.objects.filter(pk__in=reseeded).update(seed=None)
    for pk, entry in entries.items():
        for change in changes[pk]:
            _set(entry, change)
    Entry.objects.bulk_update(entries.values(), ["seed", "is_paid", "checked_in_at"])


def _set(entry: Entry, change: Change) -> None:
    if change.field == "checked_in":
        entry.checked_in_at = timezone.now() if change.after else None
    else:
        setattr(entry, {"paid": "is_paid"}.get(change.field, change.field), change.after)


def _enter(tournament: Tournament, added: Sequence[Planned]) -> list[Entry]:
    """Enters the new ones in the order of the list, which is the order that entries are kept in."""
    unknown = [item for item in added if item.player_id is None]
    players = Player.objects.bulk_create(_new_player(tournament, item.line) for item in unknown)
    ids = {item.line.number: player.pk for item, player in zip(unknown, players, strict=True)}
    now = timezone.now()
    return Entry.objects.bulk_create(
        Entry(
            tournament=tournament,
            player_id=item.player_id or ids[item.line.number],
            seed=item.line.seed,
            is_paid=bool(item.line.paid),
            entered_at=now + timedelta(microseconds=place),
            checked_in_at=now if item.line.checked_in else None,
        )
        for place, item in enumerate(added)
    )


def _new_player(tournament: Tournament, line: Line) -> Player:
    return Player(event_id=tournament.event_id, **{field: getattr(line, field) for field in PLAYER_FIELDS})


def _deed(tournament: Tournament, plan: Preview, entries: Sequence[Entry]) -> Deed:
    """What the journal keeps: ids, and every changed field but names, which live in their own row."""
    changed = {str(item.entry_id): item.changes for item in plan.changed}
    changed |= {
        str(entry.pk): item.changes for entry, item in zip(entries, plan.added, strict=True) if item.changes
    }
    return Deed(
        "import entries",
        "tournament",
        tournament.pk,
        before={"entries": {pk: _kept(changes, "before") for pk, changes in changed.items()}},
        after={
            "entries": {pk: _kept(changes, "after") for pk, changes in changed.items()},
            "added": [str(entry.pk) for entry in entries],
        },
    )


def _kept(changes: Iterable[Change], side: str) -> dict[str, Any]:
    values = {change.field: getattr(change, side) for change in changes if change.field != "name"}
    return {field: str(value) if isinstance(value, Decimal) else value for field, value in values.items()}
