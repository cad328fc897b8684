"""Registers, changes, withdraws and removes entries. Writes players and entries.

`brackets.advancing` derives the seats from these facts.
"""

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.utils import timezone

from matches.refusals import Refusal
from tournament.access.actors import Actor
from tournament.brackets import advancing, play_off_places
from tournament.brackets.advancing import LockedTournament
from tournament.brackets.double_entries import no_double_entry
from tournament.brackets.kept_seats import no_double_seating
from tournament.brackets.play_off_places import GAVE_UP_PLACE
from tournament.entries import same_person
from tournament.entries.choices import choices_of, store_choices
from tournament.entries.closed_entries import refuse_players_while_closed, refuse_while_closed
from tournament.entries.entry_check import EntryFacts, ProblemKind, find_problems
from tournament.entries.lists.limits import MOST_ENTRIES
from tournament.entries.lists.listing import Line
from tournament.entries.lists.matching import ExistingPlayer
from tournament.entries.player_names import Naming
from tournament.entries.removal import delete_entries
from tournament.fees.schedule import FeeChoices
from tournament.ledger import charging
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Draw, Entry, JackpotSeat, Player, Tournament
from tournament.refusals.entries import (
    ENTERED_ALREADY,
    ENTRY_LIST_CLOSED,
    FEDERATION_ID_TAKEN,
    FIELD_IS_FULL,
    NO_NAME,
    PLAYER_REMOVED,
    SAME_NAME_ENTERED,
    SEED_TAKEN,
)
from tournament.runtime.errors import Refused

REFUSALS: Mapping[ProblemKind, Refusal] = {
    ProblemKind.NO_NAME: NO_NAME,
    ProblemKind.SEED_TAKEN: SEED_TAKEN,
    ProblemKind.FEDERATION_ID_TAKEN: FEDERATION_ID_TAKEN,
    ProblemKind.PLAYER_ENTERED: ENTERED_ALREADY,
    ProblemKind.SAME_NAME_ENTERED: SAME_NAME_ENTERED,
}

WITHDRAW, UNDO_WITHDRAWAL = "withdraw", "undo withdrawal"
"""Verbs of the journal."""
FACTS = ("player__club", "player__federation_id", "seed", "player_id", "number")


@dataclass(frozen=True, slots=True)
class PlayerDetails:
    name: str
    country: str = ""
    club: str = ""
    federation_id: str = ""
    rating: Decimal | None = None
    team: str = ""


@dataclass(frozen=True, slots=True)
class EntryDetails:
    """`choices` are what the fees of the entry depend on; None leaves them as they are.

    Of a new entry, `player_id` names the player of the event, and `is_new_person` says that it is none of them. Without
    both, `same_person` decides by the name.
    """

    player: PlayerDetails
    seed: int | None = None
    is_paid: bool = False
    choices: FeeChoices | None = None
    player_id: uuid.UUID | None = None
    is_new_person: bool = False


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry to create. `player_id` is a player of the event; None: the player is new. `number` 2 is a re-entry."""

    details: EntryDetails
    player_id: uuid.UUID | None = None
    number: int = 1
    is_checked_in: bool = False

    @property
    def facts(self) -> EntryFacts:
        return _facts(self.details, self.player_id, self.number)


def enter(tournament_id: uuid.UUID, details: EntryDetails, actor: Actor) -> Entry:
    """Enters a player. Raises Refused after the draw, and like `create_entry`."""
    with advancing.lock_tournament(tournament_id) as locked:
        refuse_after_the_draw(locked.tournament)
        return create_entry(locked, details, actor)


def create_entry(locked: LockedTournament, details: EntryDetails, actor: Actor, verb: str = "enter") -> Entry:
    """Enters a player before or after the draw. Raises Refused like `create_entries`.

    Raises Refused if several players of the event could be this one, NotFound for a player of another event.
    """
    tournament = locked.tournament
    charging.lock_fees(tournament)
    line = _line(details.player)
    player_id = None
    if not details.is_new_person:
        player_id = same_person.find_player_id(tournament, line, details.player_id)
    (entry,) = create_entries(locked, [NewEntry(details, player_id)], actor)
    if player_id is not None:
        same_person.fill_blank_data(player_id, line)
    journal.write(tournament, actor, JournalEntry(verb, "entry", entry.pk, after=_journal_values(details)))
    return entry


def create_entries(locked: LockedTournament, new_entries: Sequence[NewEntry], actor: Actor) -> list[Entry]:
    """Creates entries in this order, and their new players, and charges their fees. The caller writes the journal.

    Raises Refused while the entries are closed, for too many entries, and for a broken rule of `entry_check`.
    """
    tournament = locked.tournament
    charging.lock_fees(tournament)
    refuse_while_closed(tournament)
    refuse_too_many_entries(tournament, sum(1 for entry in new_entries if entry.number == 1))
    _refuse_problems(tournament, [entry.facts for entry in new_entries])
    naming, now = Naming.of(tournament.event), timezone.now()
    players = {
        place: _new_player(tournament, entry.details.player, naming)
        for place, entry in enumerate(new_entries)
        if entry.player_id is None
    }
    Player.objects.bulk_create(players.values())
    entries = Entry.objects.bulk_create(
        Entry(
            tournament=tournament,
            player_id=entry.player_id or players[place].pk,
            number=entry.number,
            seed=entry.details.seed,
            is_paid=entry.details.is_paid and not tournament.charges_fees,
            entered_at=now + timedelta(microseconds=place),
            checked_in_at=now if entry.is_checked_in else None,
        )
        for place, entry in enumerate(new_entries)
    )
    store_choices(
        tournament,
        [
            (entry, new.details.choices.including(choices_of(entry).conditions))
            for entry, new in zip(entries, new_entries, strict=True)
            if new.details.choices
        ],
    )
    charging.charge_players(tournament.event_id, {entry.player_id for entry in entries}, actor)
    return entries


def set_starting_losses(locked: LockedTournament, entry: Entry, losses: int, actor: Actor) -> None:
    """Lets a new entry start with losses. The caller checks the number."""
    entry.starting_losses = losses
    entry.save(update_fields=["starting_losses"])
    journal_entry = JournalEntry("give losses", "entry", entry.pk, after={"given_losses": losses})
    journal.write(locked.tournament, actor, journal_entry)


def change(entry: Entry, details: EntryDetails, actor: Actor) -> None:
    """Changes a player's data and the entry's seed and payment. The seed is fixed after the draw."""
    with advancing.lock_tournament(entry.tournament_id) as locked:
        charging.lock_fees(locked.tournament)
        entry = _reload(entry)
        current_details = details_of(entry)
        if details.seed != entry.seed:
            refuse_after_the_draw(locked.tournament)
            refuse_while_closed(locked.tournament)
        if details.player != current_details.player:
            refuse_players_while_closed([entry.player_id])
            _refuse_removed(entry.player)
        _refuse_problems(locked.tournament, [_facts(details, entry.player_id, entry.number)], changed=entry)
        before, after = _journal_values(current_details), _journal_values(details)
        if details.player.name != current_details.player.name:
            after["name_changed"] = True
        _set_details(entry.player, details.player, Naming.of(entry.player.event))
        entry.player.save(update_fields=[*asdict(details.player), "full_name"])
        entry.seed = details.seed
        changed_fields = ["seed"]
        if not locked.tournament.charges_fees:
            entry.is_paid = details.is_paid
            changed_fields.append("is_paid")
        entry.save(update_fields=changed_fields)
        if details.choices is not None:
            store_choices(locked.tournament, [(entry, details.choices)])
        if locked.tournament.charges_fees or details.choices is not None:
            charging.charge_players(locked.tournament.event_id, [entry.player_id], actor)
        locked.touch_all()
        journal.write(
            locked.tournament, actor, JournalEntry("change entry", "entry", entry.pk, before, after)
        )


def withdraw(entry: Entry, actor: Actor, reason: str = "") -> None:
    """Withdraws an entry. Opponents of its undecided matches advance by walkover.

    If its place in a group leads to a play-off match that has not begun, the next player of the group takes the place.
    """
    set_withdrawn(entry.tournament_id, [entry.pk], actor, reason, withdrawn=True)


def unwithdraw(entry: Entry, actor: Actor, reason: str = "") -> None:
    """Undoes a withdrawal. Raises Refused if a match that depends on the withdrawal has begun."""
    set_withdrawn(entry.tournament_id, [entry.pk], actor, reason, withdrawn=False)


def remove(entry: Entry, actor: Actor) -> None:
    """Deletes an entry made by mistake. Raises Refused after the draw."""
    with advancing.lock_tournament(entry.tournament_id) as locked:
        refuse_after_the_draw(locked.tournament)
        refuse_while_closed(locked.tournament)
        entry = _reload(entry)
        journal_entry = JournalEntry(
            "remove entry", "entry", entry.pk, before=_journal_values(details_of(entry))
        )
        delete_entries(locked.tournament, Entry.objects.filter(pk=entry.pk), actor)
        journal.write(locked.tournament, actor, journal_entry)


def refuse_after_the_draw(tournament: Tournament) -> None:
    """Raises Refused if the tournament has a draw."""
    if Draw.objects.filter(tournament=tournament, replaced_at__isnull=True).exists():
        raise Refused(ENTRY_LIST_CLOSED)


def refuse_too_many_entries(tournament: Tournament, added: int) -> None:
    """Raises Refused if a draw could not hold the added entries. A refusal at the draw would come too late."""
    if not added:
        return
    count = Entry.objects.filter(tournament=tournament, withdrawn_at__isnull=True).count()
    if count + added > MOST_ENTRIES:
        raise Refused(FIELD_IS_FULL, most=MOST_ENTRIES, count=count + added)


def set_withdrawn(
    tournament_id: uuid.UUID,
    entry_ids: Collection[uuid.UUID],
    actor: Actor,
    reason: str = "",
    *,
    withdrawn: bool,
    journal_values: Mapping[str, Any] | None = None,
) -> int:
    """Withdraws these entries, or brings them back, in one transaction. Returns the number of changed entries."""
    with advancing.lock_tournament(tournament_id) as locked:
        tournament = locked.tournament
        charging.lock_fees(tournament)
        entries = Entry.objects.filter(
            tournament=tournament, pk__in=entry_ids, withdrawn_at__isnull=withdrawn
        ).select_related("player", "tournament")
        changed = list(entries.order_by("pk"))
        if not changed:
            return 0
        refuse_while_closed(tournament)
        if withdrawn:
            _leave_jackpots(tournament, changed, actor)
        with no_double_entry(tournament), no_double_seating(tournament):
            for entry in changed:
                _write_withdrawn(locked, entry, withdrawn=withdrawn)
        if not withdrawn and tournament.charges_fees:
            players = {entry.player_id for entry in changed}
            charging.charge_players(tournament.event_id, players, actor)
        locked.touch_all()
        verb = WITHDRAW if withdrawn else UNDO_WITHDRAWAL
        lines = [
            JournalEntry(
                verb, "entry", entry.pk, after=_withdrawal_values(entry, journal_values), reason=reason
            )
            for entry in changed
        ]
        journal.write_many(tournament, actor, lines)
    return len(changed)


def _leave_jackpots(tournament: Tournament, entries: Collection[Entry], actor: Actor) -> None:
    """Leaves jackpots that are not full yet, and takes their prices back while the entries still take part."""
    seats = JackpotSeat.objects.filter(entry__in=entries, jackpot__bracket=None, jackpot__closed_at=None)
    players = set(seats.values_list("entry__player", flat=True))
    seats.delete()
    if players and tournament.charges_fees:
        charging.charge_players(tournament.event_id, players, actor)


def _withdrawal_values(entry: Entry, more: Mapping[str, Any] | None) -> dict[str, Any]:
    return {**({GAVE_UP_PLACE: True} if entry.gave_up_place else {}), **(more or {})}


def _write_withdrawn(locked: LockedTournament, entry: Entry, *, withdrawn: bool) -> None:
    entry.gave_up_place = withdrawn and play_off_places.gives_up_place(entry)
    entry.withdrawn_at = timezone.now() if withdrawn else None
    entry.save(update_fields=["gave_up_place", "withdrawn_at"])
    advancing.resettle_entry(locked, entry)


def _reload(entry: Entry) -> Entry:
    return Entry.objects.select_related("player", "tournament").get(pk=entry.pk)


def _refuse_removed(player: Player) -> None:
    if player.removed_at is not None:
        raise Refused(PLAYER_REMOVED)


def candidates(tournament: Tournament, details: EntryDetails) -> tuple[ExistingPlayer, ...]:
    """The players of the event between whom a person decides; empty if it is clear whose entry this is."""
    if details.player_id or details.is_new_person:
        return ()
    return same_person.match_person(tournament, _line(details.player)).candidates


def _line(player: PlayerDetails) -> Line:
    return Line(1, player.name, player.country, player.club, player.team, player.federation_id, player.rating)


def _facts(details: EntryDetails, player_id: uuid.UUID | None, number: int) -> EntryFacts:
    player = details.player
    return EntryFacts(player.name, player.club, player.federation_id, details.seed, player_id, number)


def _refuse_problems(
    tournament: Tournament, new_entries: Sequence[EntryFacts], changed: Entry | None = None
) -> None:
    """Raises Refused for the first problem of these entries. `changed` is the entry that one of them replaces."""
    federation_ids = {entry.federation_id for entry in new_entries if entry.federation_id}
    existing_entries = _existing_facts(tournament, federation_ids, changed)
    for problem in find_problems(new_entries, existing_entries):
        entry = problem.entry
        raise Refused(REFUSALS[problem.kind], name=entry.name, seed=entry.seed, id=entry.federation_id)


def _existing_facts(
    tournament: Tournament, federation_ids: Collection[str], changed: Entry | None
) -> list[EntryFacts]:
    """Returns the other entries, and the players elsewhere in the event who have one of these federation ids."""
    entries = Entry.objects.filter(tournament=tournament)
    rows = entries.exclude(pk=changed.pk) if changed is not None else entries
    facts = [
        EntryFacts(full_name or name, *values)
        for name, full_name, *values in rows.values_list("player__name", "player__full_name", *FACTS)
    ]
    if not federation_ids:
        return facts
    others = Player.objects.filter(event_id=tournament.event_id, federation_id__in=federation_ids)
    elsewhere = others.exclude(entries__tournament=tournament)
    names = elsewhere.values_list("name", "club", "federation_id", "pk")
    return facts + [EntryFacts(name, club, number, None, pk, number=0) for name, club, number, pk in names]


def _new_player(tournament: Tournament, details: PlayerDetails, naming: Naming) -> Player:
    player = Player(event_id=tournament.event_id)
    _set_details(player, details, naming)
    return player


def _set_details(player: Player, details: PlayerDetails, naming: Naming) -> None:
    fields = asdict(details)
    naming.name_player(player, fields.pop("name"))
    for name, value in fields.items():
        setattr(player, name, value)


def details_of(entry: Entry) -> EntryDetails:
    player = entry.player
    player_details = PlayerDetails(
        player.registered_name, player.country, player.club, player.federation_id, player.rating, player.team
    )
    return EntryDetails(player_details, entry.seed, entry.is_paid)


def _journal_values(details: EntryDetails) -> dict[str, Any]:
    rating = details.player.rating
    return {
        "country": details.player.country,
        "club": details.player.club,
        "team": details.player.team,
        "federation_id": details.player.federation_id,
        "rating": str(rating) if rating is not None else None,
        "seed": details.seed,
        "is_paid": details.is_paid,
    }
