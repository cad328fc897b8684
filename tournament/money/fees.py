"""Sets the fee schedule of a tournament, and posts the differences to what its entries were charged."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.fees.schedule import FeeSchedule
from tournament.fees.stored import schedule_as_json
from tournament.ledger.charging import Difference, charge_entries, differences_of
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Entry, Tournament


@dataclass(frozen=True, slots=True)
class FeeChange:
    """What a new schedule would post."""

    differences: Sequence[Difference]

    @property
    def digest(self) -> str:
        """Changes whenever the differences change, so that a director confirms what was shown."""
        lines = [f"{row.entry.pk} {sorted(row.amounts.items())}" for row in self.differences]
        return uuid.uuid5(uuid.NAMESPACE_OID, "\n".join(lines)).hex


def preview_schedule(tournament: Tournament, schedule: FeeSchedule) -> FeeChange:
    return FeeChange(differences_of(tournament, schedule, _entries(tournament)))


def set_schedule(tournament_id: uuid.UUID, schedule: FeeSchedule, actor: Actor) -> FeeChange:
    """Stores the schedule and charges every entry by it. Entries that withdrew keep what they were charged."""
    with advancing.lock_tournament(tournament_id) as locked:
        tournament = locked.tournament
        tournament.fees = schedule_as_json(schedule)
        tournament.save(update_fields=["fees"])
        journal.write(
            tournament,
            actor,
            JournalEntry("set fees", "tournament", tournament.pk, after={"currency": schedule.currency}),
        )
        return FeeChange(charge_entries(tournament, _entries(tournament), actor))


def _entries(tournament: Tournament) -> list[Entry]:
    rows = Entry.objects.filter(tournament=tournament, withdrawn_at__isnull=True)
    return list(rows.select_related("player").order_by("entered_at"))
