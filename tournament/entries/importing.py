"""Imports an entry list into a tournament in two steps: a preview, then exactly the previewed changes or none.

`entries.lists` reads the list and compares it with the players; this module loads, locks and writes. An import adds
and changes entries; it never removes one.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.db import IntegrityError
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.entries.choices import store_choices
from tournament.entries.closed_entries import refuse_players_while_closed, refuse_while_closed
from tournament.entries.lists import Listing, remarks
from tournament.entries.lists.choices import CHOICES, POOL_KEY_OF, chosen_columns, columns_of, fee_choices
from tournament.entries.lists.comparison import (
    ENTRY_FIELDS,
    PAID_AMOUNT,
    PLAYER_FIELDS,
    Change,
    PlannedLine,
    Preview,
    compare,
)
from tournament.entries.lists.listing import PoolNames
from tournament.entries.lists.matching import Answers, ExistingPlayer
from tournament.entries.player_names import Naming
from tournament.entries.registration import (
    EntryDetails,
    NewEntry,
    PlayerDetails,
    create_entries,
    refuse_after_the_draw,
    refuse_too_many_entries,
)
from tournament.fees.amounts import Amount
from tournament.ledger import charging
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Entry, Player, Tournament
from tournament.refusals.entries import IMPORT_PREVIEW_OLD, NOTHING_TO_IMPORT
from tournament.runtime.errors import Refused


@dataclass(frozen=True, slots=True)
class ImportCounts:
    """`payments`: the payments in advance that the list adds, by player. The caller records them."""

    added: int
    changed: int
    unchanged: int
    payments: Mapping[uuid.UUID, Amount]


@dataclass(frozen=True, slots=True)
class PlayerBalances:
    """Payments in advance that earlier imports recorded for this tournament, and open amounts, by player.

    `above_debt`: the import also records payments of more than the player owes.
    """

    imported: Mapping[uuid.UUID, Amount]
    owed: Mapping[uuid.UUID, Amount]
    above_debt: bool = False


NO_BALANCES = PlayerBalances({}, {})


def pool_names(tournament: Tournament) -> PoolNames:
    """The side pools of the tournament, by the columns of a list that are about them."""
    schedule = charging.schedule_of(tournament)
    columns = {key: column for column, key in POOL_KEY_OF.items()}
    return {columns[pool.key]: pool.name for pool in schedule.pools} if schedule else {}


def preview(
    tournament: Tournament,
    listing: Listing,
    answers: Answers | None = None,
    balances: PlayerBalances = NO_BALANCES,
) -> Preview:
    """Returns the changes that an import would make. Raises Refused after the draw and while the entries are closed.

    The digest does not depend on the answers, so that a person can answer and import in one step.
    """
    refuse_after_the_draw(tournament)
    refuse_while_closed(tournament)
    players = _existing_players(tournament, balances)
    if tournament.charges_fees:
        listing = _without_ticks(listing)
    schedule = charging.schedule_of(tournament)
    plan = compare(listing, players, schedule=schedule)
    if answers or balances.above_debt:
        answered = compare(listing, players, answers or {}, schedule, above_debt=balances.above_debt)
        plan = replace(answered, digest=plan.digest)
    refuse_too_many_entries(tournament, len(plan.added))
    changed = [
        planned_line.player_id
        for planned_line in (*plan.added, *plan.changed)
        if planned_line.changes_of(PLAYER_FIELDS)
    ]
    refuse_players_while_closed([player for player in changed if player])
    return plan


def apply(
    tournament_id: uuid.UUID,
    listing: Listing,
    digest: str,
    actor: Actor,
    answers: Answers | None = None,
    balances: PlayerBalances = NO_BALANCES,
) -> ImportCounts:
    """Makes the changes of the preview with this digest, all or none.

    `answers` decide who a line is, where the preview asks. Raises Refused after the draw, if the entries have changed
    since the preview, and if there is nothing to import.
    """
    try:
        with advancing.lock_tournament(tournament_id) as locked:
            charging.lock_fees(locked.tournament)
            plan = preview(locked.tournament, listing, answers, balances)
            _refuse_stale_preview(plan, digest)
            _change_players(plan, Naming.of(locked.tournament.event))
            _change_entries(plan)
            _change_choices(locked.tournament, plan, actor)
            entries = create_entries(locked, [_new_entry(item) for item in plan.added], actor)
            journal.write(locked.tournament, actor, _journal_entry(locked.tournament, plan, entries))
    except (
        IntegrityError
    ) as clash:  # another tournament of the event entered the same player at the same time
        raise _preview_is_old() from clash
    payments = {item.player_id: item.payment for item in plan.changed if item.player_id and item.payment}
    for entry, item in zip(entries, plan.added, strict=True):
        if item.payment:
            payments[entry.player_id] = item.payment
    return ImportCounts(len(plan.added), len(plan.changed), len(plan.unchanged), payments)


def _without_ticks(listing: Listing) -> Listing:
    """The list without yes and no under "Paid"."""
    rows = tuple(replace(line, paid=None) for line in listing.rows)
    is_left_out = any(line.paid for line in listing.rows)
    problems = [remarks.PAYMENTS_LEFT_OUT.on(None)] if is_left_out else []
    return replace(listing, rows=rows, problems=(*listing.problems, *problems))


def _refuse_stale_preview(plan: Preview, digest: str) -> None:
    if plan.digest != digest:
        raise _preview_is_old()
    if not plan.added and not plan.changed:
        raise Refused(NOTHING_TO_IMPORT)


def _preview_is_old() -> Refused:
    return Refused(IMPORT_PREVIEW_OLD)


def _existing_players(tournament: Tournament, balances: PlayerBalances) -> list[ExistingPlayer]:
    rows = Entry.objects.filter(tournament=tournament).order_by("-number")
    entries = {entry.player_id: entry for entry in rows}
    players = Player.objects.filter(event_id=tournament.event_id).order_by("pk")
    elsewhere = _other_tournaments(tournament)
    return [
        replace(
            _existing_player(player, entries.get(player.pk), elsewhere.get(player.pk, ())),
            imported=balances.imported.get(player.pk),
            owed=balances.owed.get(player.pk),
        )
        for player in players
    ]


def _other_tournaments(tournament: Tournament) -> dict[uuid.UUID, tuple[str, ...]]:
    """Returns the names of the event's other tournaments by player."""
    elsewhere = Tournament.objects.filter(event=tournament.event_id).exclude(pk=tournament.pk)
    others = Entry.objects.filter(tournament__in=elsewhere)
    names: dict[uuid.UUID, tuple[str, ...]] = {}
    for player_id, name in others.order_by("tournament__name").values_list("player_id", "tournament__name"):
        if name not in names.get(player_id, ()):
            names[player_id] = (*names.get(player_id, ()), name)
    return names


def _existing_player(player: Player, entry: Entry | None, elsewhere: tuple[str, ...]) -> ExistingPlayer:
    person = {field: getattr(player, field) for field in PLAYER_FIELDS} | {"name": player.registered_name}
    if entry is None:
        choices = columns_of(player.conditions, ())
        return ExistingPlayer(player.pk, None, **person, choices=choices, elsewhere=elsewhere)
    return ExistingPlayer(
        player.pk,
        entry.pk,
        **person,
        seed=entry.seed,
        paid=entry.is_paid,
        checked_in=entry.checked_in_at is not None,
        withdrawn=entry.is_withdrawn,
        choices=columns_of(player.conditions, entry.pools),
        elsewhere=elsewhere,
    )


def _change_players(plan: Preview, naming: Naming) -> None:
    changes = {item.player_id: item.changes_of(PLAYER_FIELDS) for item in (*plan.added, *plan.changed)}
    players = Player.objects.in_bulk([pk for pk, changed in changes.items() if pk and changed])
    for pk, player in players.items():
        for change in changes[pk]:
            if change.field == "name":
                naming.name_player(player, str(change.after))
            else:
                setattr(player, change.field, change.after)
    Player.objects.bulk_update(players.values(), [*PLAYER_FIELDS, "full_name"])


def _change_entries(plan: Preview) -> None:
    """Clears all seeds that change before writing the new ones, so that two entries can swap seeds."""
    changes = {item.entry_id: item.changes_of(ENTRY_FIELDS) for item in plan.changed}
    entries = Entry.objects.in_bulk([pk for pk, changed in changes.items() if pk and changed])
    reseeded = [pk for pk in entries if any(change.field == "seed" for change in changes[pk])]
    Entry.objects.filter(pk__in=reseeded).update(seed=None)
    for pk, entry in entries.items():
        for change in changes[pk]:
            _apply_change(entry, change)
    Entry.objects.bulk_update(entries.values(), ["seed", "checked_in_at", "is_paid"])


def _apply_change(entry: Entry, change: Change) -> None:
    if change.field == "checked_in":
        entry.checked_in_at = timezone.now() if change.after else None
    else:
        setattr(entry, {"paid": "is_paid"}.get(change.field, change.field), change.after)


def _change_choices(tournament: Tournament, plan: Preview, actor: Actor) -> None:
    """Stores the conditions and side pools of the lines that change them, and charges their players."""
    items = {
        item.entry_id: item
        for item in plan.changed
        if item.entry_id and item.changes_of([column.value for column in CHOICES])
    }
    entries = list(Entry.objects.filter(pk__in=items).select_related("player"))
    chosen = [(entry, chosen_columns(items[entry.pk].line, items[entry.pk].player)) for entry in entries]
    store_choices(tournament, [(entry, fee_choices(columns)) for entry, columns in chosen])
    if entries:
        charging.charge_players(tournament.event_id, {entry.player_id for entry in entries}, actor)


def _new_entry(item: PlannedLine) -> NewEntry:
    line = item.line
    player = PlayerDetails(**{field: getattr(line, field) for field in PLAYER_FIELDS})
    choices = fee_choices(chosen_columns(line, item.player)) if line.choices else None
    details = EntryDetails(player, line.seed, bool(line.paid), choices)
    return NewEntry(details, item.player_id, is_checked_in=bool(line.checked_in))


def _journal_entry(tournament: Tournament, plan: Preview, entries: Sequence[Entry]) -> JournalEntry:
    """Names are personal data, so the journal records only that a name changed. Payments have lines of their own."""
    changed = {str(item.entry_id): item.changes for item in plan.changed}
    changed |= {
        str(entry.pk): item.changes for entry, item in zip(entries, plan.added, strict=True) if item.changes
    }
    return JournalEntry(
        "import entries",
        "tournament",
        tournament.pk,
        before={"entries": {pk: _changed_values(changes, "before") for pk, changes in changed.items()}},
        after={
            "entries": {pk: _changed_values(changes, "after") for pk, changes in changed.items()},
            "added": [str(entry.pk) for entry in entries],
        },
    )


def _changed_values(changes: Iterable[Change], side: str) -> dict[str, Any]:
    left_out = ("name", PAID_AMOUNT)
    values = {change.field: getattr(change, side) for change in changes if change.field not in left_out}
    if side == "after" and any(change.field == "name" for change in changes):
        values["name_changed"] = True
    return {field: str(value) if isinstance(value, Decimal) else value for field, value in values.items()}
