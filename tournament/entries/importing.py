"""Takes an entry list into a tournament: shows what it would do, then does exactly that or nothing.

Reading the list and holding it against the players is `entrylist`; this room fetches, locks and writes.
A list only adds and changes: whoever is not on it stays.
"""

import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db import IntegrityError
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.entries.closed_entries import refuse_players_while_closed, refuse_while_closed
from tournament.entries.lists import Line, Listing
from tournament.entries.lists.comparison import (
    ENTRY_FIELDS,
    PLAYER_FIELDS,
    Change,
    ExistingPlayer,
    PlannedLine,
    Preview,
    compare,
)
from tournament.entries.player_names import Naming
from tournament.entries.registration import refuse_a_full_field, refuse_after_the_draw
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Entry, Player, Tournament
from tournament.runtime.errors import Refused


@dataclass(frozen=True, slots=True)
class ImportDone:
    """How many entries a list added, changed and found as they are."""

    added: int
    changed: int
    unchanged: int


def preview(tournament: Tournament, listing: Listing) -> Preview:
    """What importing the list would do now. Raises Refused once the draw is made, or entries are closed for it."""
    refuse_after_the_draw(tournament)
    refuse_while_closed(tournament)
    plan = compare(listing, _known(tournament))
    refuse_a_full_field(tournament, len(plan.added))
    changed = [one.player_id for one in (*plan.added, *plan.changed) if one.changes_of(PLAYER_FIELDS)]
    refuse_players_while_closed([player for player in changed if player])
    return plan


def apply(
    tournament_id: uuid.UUID,
    listing: Listing,
    digest: str,
    actor: Actor,
    other_people: Collection[int] = (),
) -> ImportDone:
    """Does what the preview with this digest showed, whole or not at all.

    Lines whose numbers are in `other_people` become new players where the preview showed a player of another
    tournament. Raises Refused when the draw is made, when the entries are no longer those of the preview, and
    when there is nothing to do.
    """
    try:
        with advancing.lock_tournament(tournament_id) as locked:
            _refuse_another_plan(preview(locked.tournament, listing), digest)
            plan = compare(listing, _known(locked.tournament), other_people)
            naming = Naming.of(locked.tournament.event)
            _change_players(plan, naming)
            _change_entries(plan)
            entries = _enter(locked.tournament, plan.added, naming)
            journal.write(locked.tournament, actor, _deed(locked.tournament, plan, entries))
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


def _known(tournament: Tournament) -> list[ExistingPlayer]:
    entries = {entry.player_id: entry for entry in Entry.objects.filter(tournament=tournament)}
    players = Player.objects.filter(event_id=tournament.event_id).order_by("pk")
    elsewhere = _other_tournaments(tournament)
    return [_as_known(player, entries.get(player.pk), elsewhere.get(player.pk, ())) for player in players]


def _other_tournaments(tournament: Tournament) -> dict[uuid.UUID, tuple[str, ...]]:
    """The names of the event's other tournaments, by the players entered in them."""
    others = Entry.objects.filter(tournament__event_id=tournament.event_id).exclude(tournament=tournament)
    names: dict[uuid.UUID, tuple[str, ...]] = {}
    for player_id, name in others.order_by("tournament__name").values_list("player_id", "tournament__name"):
        if name not in names.get(player_id, ()):
            names[player_id] = (*names.get(player_id, ()), name)
    return names


def _as_known(player: Player, entry: Entry | None, elsewhere: tuple[str, ...]) -> ExistingPlayer:
    person = {field: getattr(player, field) for field in PLAYER_FIELDS} | {"name": player.registered_name}
    if entry is None:
        return ExistingPlayer(player.pk, None, **person, elsewhere=elsewhere)
    return ExistingPlayer(
        player.pk,
        entry.pk,
        **person,
        seed=entry.seed,
        paid=entry.is_paid,
        checked_in=entry.checked_in_at is not None,
        withdrawn=entry.is_withdrawn,
        elsewhere=elsewhere,
    )


def _change_players(plan: Preview, naming: Naming) -> None:
    changes = {item.player_id: item.changes_of(PLAYER_FIELDS) for item in (*plan.added, *plan.changed)}
    players = Player.objects.in_bulk([pk for pk, changed in changes.items() if pk and changed])
    for pk, player in players.items():
        for change in changes[pk]:
            if change.field == "name":
                naming.give(player, str(change.after))
            else:
                setattr(player, change.field, change.after)
    Player.objects.bulk_update(players.values(), [*PLAYER_FIELDS, "full_name"])


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


def _enter(tournament: Tournament, added: Sequence[PlannedLine], naming: Naming) -> list[Entry]:
    """Enters the new ones in the order of the list, which is the order that entries are kept in."""
    unknown = [item for item in added if item.player_id is None]
    players = Player.objects.bulk_create(_new_player(tournament, item.line, naming) for item in unknown)
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


def _new_player(tournament: Tournament, line: Line, naming: Naming) -> Player:
    player = Player(event_id=tournament.event_id, **{field: getattr(line, field) for field in PLAYER_FIELDS})
    player.name = ""
    naming.give(player, line.name)
    return player


def _deed(tournament: Tournament, plan: Preview, entries: Sequence[Entry]) -> JournalEntry:
    """What the journal keeps: ids and changed fields; of a name only that it changed, since it lives in its own row."""
    changed = {str(item.entry_id): item.changes for item in plan.changed}
    changed |= {
        str(entry.pk): item.changes for entry, item in zip(entries, plan.added, strict=True) if item.changes
    }
    return JournalEntry(
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
    if side == "after" and any(change.field == "name" for change in changes):
        values["name_changed"] = True
    return {field: str(value) if isinstance(value, Decimal) else value for field, value in values.items()}
