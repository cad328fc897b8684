"""Sets the fees of a tournament or an event, and posts the differences to what entries were charged."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.fees.schedule import EventFees, FeeSchedule
from tournament.fees.stored import event_fees_as_json, schedule_as_json
from tournament.ledger.charging import (
    Difference,
    charge_players,
    chargeable_entries,
    differences_of,
    prices_of,
)
from tournament.ledger.recording import lock_book
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Event, Tournament
from tournament.money.awards import repost_awards


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
    prices = prices_of(tournament.event_id).with_schedule(tournament.pk, schedule)
    entries = chargeable_entries(tournament.event_id).filter(tournament=tournament)
    return FeeChange(differences_of(prices, list(entries)))


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
        players = tournament.entries.values_list("player", flat=True)
        change = FeeChange(charge_players(tournament.event_id, set(players), actor))
        repost_awards(locked, actor, "")
        return change


def preview_event_fees(event: Event, fees: EventFees) -> FeeChange:
    prices = replace(prices_of(event.pk), event=fees)
    return FeeChange(differences_of(prices, list(chargeable_entries(event.pk))))


def set_event_fees(event: Event, fees: EventFees, actor: Actor) -> FeeChange:
    """Stores what players pay once in the event, and charges them by it."""
    with lock_book(event.pk) as book:
        book.event.fees = event_fees_as_json(fees)
        book.event.save(update_fields=["fees"])
        journal.write_many(
            book.event,
            actor,
            [JournalEntry("set fees", "event", event.pk, after={"currency": fees.currency})],
        )
        players = book.event.players.values_list("pk", flat=True)
        return FeeChange(charge_players(event.pk, set(players), actor))
