"""Copies players of another tournament, of this event or another, as new entries.

Name, country, club, team, federation number and rating are copied; seeds, payments and arrivals are not.
"""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.entries.attendance import BATCH, Batch
from tournament.entries.closed_entries import refuse_while_closed
from tournament.entries.lists.listing import Line
from tournament.entries.lists.matching import ExistingPlayer, Matching
from tournament.entries.registration import (
    EntryDetails,
    NewEntry,
    create_entries,
    details_of,
    refuse_after_the_draw,
)
from tournament.entries.removal import delete_entries
from tournament.ledger import charging
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Entry, JournalLine, Player, Tournament
from tournament.refusals.entries import NOBODY_TO_COPY
from tournament.runtime.errors import NotFound, Refused

COPY = "copy entries"
"""The verb of a copy in the journal."""


@dataclass(frozen=True, slots=True)
class CopyLine:
    """An entry to copy. `player_id` is the same player in the event that it is copied to; None: new in that event."""

    entry: Entry
    player_id: uuid.UUID | None
    is_entered: bool


def plan_copy(tournament: Tournament, source: Tournament) -> list[CopyLine]:
    """Returns the players of the source by name, each once. Removed players are left out."""
    entries = (
        Entry.objects.filter(tournament=source, number=1, player__removed_at=None)
        .select_related("player", "tournament")
        .order_by("player__name", "pk")
    )
    entered = set(Entry.objects.filter(tournament=tournament).values_list("player_id", flat=True))
    player_ids = _players_in_event(tournament, source, list(entries))
    return [CopyLine(entry, player_id, player_id in entered) for entry, player_id in player_ids.items()]


def copy_entries(
    tournament_id: uuid.UUID, source: Tournament, entry_ids: Collection[uuid.UUID], actor: Actor
) -> Batch:
    """Enters these players of the source who are not entered yet.

    Raises Refused after the draw, like `create_entries`, and if nobody is left to enter.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        tournament = locked.tournament
        refuse_after_the_draw(tournament)
        charging.lock_fees(tournament)
        lines = [
            line
            for line in plan_copy(tournament, source)
            if line.entry.pk in entry_ids and not line.is_entered
        ]
        if not lines:
            raise Refused(NOBODY_TO_COPY)
        new_entries = [
            NewEntry(EntryDetails(details_of(line.entry).player), line.player_id) for line in lines
        ]
        entries = create_entries(locked, new_entries, actor)
        batch = Batch(uuid.uuid4(), len(entries))
        values = {
            BATCH: str(batch.id), "source": str(source.pk), "added": [str(entry.pk) for entry in entries],
        }  # fmt: skip
        journal.write(tournament, actor, JournalEntry(COPY, "tournament", tournament.pk, after=values))
    return batch


def undo_copy(tournament: Tournament, batch: uuid.UUID, actor: Actor) -> int:
    """Removes the entries of a copy that are still there. Returns their number.

    Raises NotFound if no line of the journal has this id, and Refused after the draw and while entries are closed.
    """
    lines = JournalLine.objects.filter(tournament=tournament, verb=COPY, **{f"after__{BATCH}": str(batch)})
    line = lines.first()
    if line is None:
        raise NotFound
    with advancing.lock_tournament(tournament.pk) as locked:
        refuse_after_the_draw(locked.tournament)
        refuse_while_closed(locked.tournament)
        entries = Entry.objects.filter(tournament=tournament, pk__in=line.after["added"])
        removed = [str(pk) for pk in entries.values_list("pk", flat=True)]
        delete_entries(locked.tournament, entries, actor)
        values = {BATCH: str(batch), "removed": removed}
        journal.write(
            tournament, actor, JournalEntry("undo copy", "tournament", tournament.pk, before=values)
        )
    return len(removed)


def _players_in_event(
    tournament: Tournament, source: Tournament, entries: Sequence[Entry]
) -> dict[Entry, uuid.UUID | None]:
    """The player of each entry in the event of the tournament, matched like the lines of an imported list."""
    if source.event_id == tournament.event_id:
        return {entry: entry.player_id for entry in entries}
    people = [
        _as_existing(player) for player in Player.objects.filter(event=tournament.event_id, removed_at=None)
    ]
    lines = {number: (entry, _as_line(number, entry.player)) for number, entry in enumerate(entries, 1)}
    matched = Matching([line for _, line in lines.values()], people, {}).player_of
    return {
        entry: matched[number].player_id if number in matched else None
        for number, (entry, _) in lines.items()
    }


def _as_line(number: int, player: Player) -> Line:
    return Line(
        number, player.registered_name, player.country, player.club, player.team, player.federation_id
    )


def _as_existing(player: Player) -> ExistingPlayer:
    name = player.registered_name
    return ExistingPlayer(
        player.pk, None, name, player.country, player.club, player.team, player.federation_id
    )
