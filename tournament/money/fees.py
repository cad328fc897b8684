"""Sets the fees of a tournament or an event, and posts the differences to what entries were charged."""

import json
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.fees.other_currency import with_other_currency
from tournament.fees.refunds import RefundTier
from tournament.fees.schedule import EventFees, FeeSchedule
from tournament.fees.stored import event_fees_as_json, schedule_as_json
from tournament.ledger.charging import (
    Difference,
    charge_players,
    chargeable_entries,
    differences_of,
    lock_fees,
    prices_of,
    refuse_uneven_price,
    schedule_of,
)
from tournament.ledger.recording import lock_book
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import AccountKind, Deed, Entry, Event, Tournament, Transfer
from tournament.money.awards import follows_changes, repost_awards
from tournament.money.due_awards import AwardChange, due_prizes
from tournament.money.prize_structures import (
    follow_currency,
    refuse_other_currency,
    structure_in_currency,
)
from tournament.money.revisions import refund_settings, schedule_settings
from tournament.prizes.stored import structure_as_json
from tournament.refusals.money import FEES_CHANGED, FEES_NOT_CONFIRMED, NO_FEES, REFUND_RULES_CHANGED
from tournament.runtime.errors import Refused
from tournament.runtime.revisions import refuse_changed_settings


@dataclass(frozen=True, slots=True)
class FeeChange:
    """New fees as they are stored, the differences that they would post, and the awarded prizes that change."""

    fees: Mapping[str, Any]
    differences: Sequence[Difference]
    prizes: Sequence[AwardChange] = ()

    @property
    def changes_money(self) -> bool:
        """True if a person must confirm it: somebody is charged or awarded another amount."""
        return bool(self.differences or self.prizes)

    @property
    def charges(self) -> list[Difference]:
        """The differences that change what a player is charged."""
        return [difference for difference in self.differences if any(difference.amounts)]

    @property
    def split_count(self) -> int:
        """The number of entries of whose charge only the parts change, such as that of the pot."""
        return len(self.differences) - len(self.charges)

    @property
    def digest(self) -> str:
        """Changes whenever fees, differences or prizes change, so that a director confirms what was shown."""
        lines = sorted(f"{row.entry.pk} {sorted(map(repr, row.lines))}" for row in self.differences)
        lines += sorted(f"{row.entry.pk} {row.amount_before} {row.amount_after}" for row in self.prizes)
        return uuid.uuid5(uuid.NAMESPACE_OID, "\n".join([json.dumps(self.fees, sort_keys=True), *lines])).hex


def preview_schedule(tournament: Tournament, schedule: FeeSchedule) -> FeeChange:
    prices = prices_of(tournament.event_id).with_schedule(tournament.pk, schedule)
    entries = chargeable_entries(tournament.event_id).filter(tournament=tournament)
    differences = differences_of(prices, list(entries))
    prizes: Sequence[AwardChange] = ()
    if follows_changes(tournament):
        changed = copy(tournament)
        changed.fees = schedule_as_json(schedule)
        structure = structure_in_currency(tournament, schedule.currency)
        changed.prize_structure = structure_as_json(structure) if structure else {}
        prizes = due_prizes(changed, pot_changes=_pot_changes(tournament, differences)).changes
    return FeeChange(schedule_as_json(schedule), differences, prizes)


def _pot_changes(tournament: Tournament, differences: Sequence[Difference]) -> Counter[tuple[str, str]]:
    changes = Counter[tuple[str, str]]()
    for line in (line for difference in differences for line in difference.lines):
        for account, minor in ((line.source, line.minor), (line.target, -line.minor)):
            if account.kind == AccountKind.POT and account.tournament_id == tournament.pk:
                changes[account.name, account.currency] += minor
    return changes


def set_schedule(
    tournament_id: uuid.UUID,
    schedule: FeeSchedule,
    actor: Actor,
    confirmed: str = "",
    *,
    revision: str = "",
    keeps_refunds: bool = False,
) -> FeeChange:
    """Stores the schedule and charges every entry by it. Entries that withdrew keep what they were charged.

    In a new currency the prizes have the same numbers. Raises Refused if prizes are awarded in the former one.
    `keeps_refunds`: the stored refunds stay, not those of the schedule; in a new currency they have the same numbers.
    `confirmed`: the digest of the shown preview.
    `revision`: that of the stored fees that these replace; empty to replace any.
    Raises Refused if those are others now, and if `confirmed` is not the digest of a change that needs one: amounts
    change, and fees were set before, or one of those players has paid, or an awarded prize changes.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        tournament = locked.tournament
        lock_fees(tournament)
        refuse_changed_settings(schedule_settings(tournament.fees), revision, FEES_CHANGED)
        present = schedule_of(tournament)
        if present is not None and keeps_refunds:
            refunds = with_other_currency(present, schedule.currency).refunds
            schedule = replace(schedule, refunds=refunds)
        refuse_other_currency(tournament, schedule.currency)
        change = preview_schedule(tournament, schedule)
        _refuse_unless_confirmed(confirmed, change, is_first=present is None)
        refuse_uneven_price(schedule, tournament.jackpots.values_list("price", flat=True))
        _leave_removed_pools(tournament, schedule)
        _store_schedule(tournament, schedule, actor)
        follow_currency(tournament, schedule.currency, actor)
        players = tournament.entries.values_list("player", flat=True)
        charged = charge_players(tournament.event_id, set(players), actor)
        return FeeChange(tournament.fees, charged, repost_awards(locked, actor, ""))


def set_refunds(
    tournament_id: uuid.UUID, tiers: Sequence[RefundTier], actor: Actor, *, revision: str = ""
) -> None:
    """Stores the refunds of entries that withdraw. Charges do not change. Raises Refused without fees.

    `revision`: that of the stored rules that these replace, as in `set_schedule`.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        schedule = schedule_of(locked.tournament)
        if schedule is None:
            raise Refused(NO_FEES)
        refuse_changed_settings(refund_settings(locked.tournament.fees), revision, REFUND_RULES_CHANGED)
        _store_schedule(locked.tournament, replace(schedule, refunds=tuple(tiers)), actor)


def _store_schedule(tournament: Tournament, schedule: FeeSchedule, actor: Actor) -> None:
    tournament.fees = schedule_as_json(schedule)
    tournament.save(update_fields=["fees"])
    after = {"currency": schedule.currency}
    journal.write(tournament, actor, JournalEntry("set fees", "tournament", tournament.pk, after=after))


def _leave_removed_pools(tournament: Tournament, schedule: FeeSchedule) -> None:
    """A new side pool may get the key of a removed one, and starts without players."""
    keys = {pool.key for pool in schedule.pools}
    leaving = [entry for entry in tournament.entries.all() if not keys.issuperset(entry.pools)]
    for entry in leaving:
        entry.pools = [key for key in entry.pools if key in keys]
    Entry.objects.bulk_update(leaving, ["pools"])


def _refuse_unless_confirmed(confirmed: str, change: FeeChange, *, is_first: bool) -> None:
    if not change.changes_money or change.digest == confirmed:
        return
    if not is_first or change.prizes or _has_paid(change.differences):
        raise Refused(FEES_NOT_CONFIRMED)


def _has_paid(differences: Sequence[Difference]) -> bool:
    """True if one of these players has paid, in the book or by a tick of an entry without fees."""
    players = {difference.entry.player_id for difference in differences}
    payments = Transfer.objects.filter(
        transaction__deed=Deed.PAYMENT, transaction__reversed_by__isnull=True, source__player__in=players
    )
    without_fees = Entry.objects.filter(tournament__fees={}, tournament__event__fees={})
    return payments.exists() or without_fees.filter(player__in=players, is_paid=True).exists()


def preview_event_fees(event: Event, fees: EventFees) -> FeeChange:
    prices = replace(prices_of(event.pk), event=fees)
    return FeeChange(event_fees_as_json(fees), differences_of(prices, list(chargeable_entries(event.pk))))


def set_event_fees(
    event: Event, fees: EventFees, actor: Actor, confirmed: str = "", *, revision: str = ""
) -> FeeChange:
    """Stores what players pay once in the event, and charges them by it. Raises Refused like `set_schedule`."""
    with lock_book(event.pk) as book:
        refuse_changed_settings(book.event.fees, revision, FEES_CHANGED)
        change, is_first = preview_event_fees(book.event, fees), prices_of(event.pk).event is None
        _refuse_unless_confirmed(confirmed, change, is_first=is_first)
        book.event.fees = event_fees_as_json(fees)
        book.event.save(update_fields=["fees"])
        journal.write_many(
            book.event,
            actor,
            [JournalEntry("set fees", "event", event.pk, after={"currency": fees.currency})],
        )
        players = book.event.players.values_list("pk", flat=True)
        return FeeChange(book.event.fees, charge_players(event.pk, set(players), actor))
