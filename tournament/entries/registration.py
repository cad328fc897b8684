"""Registers, changes, checks in, withdraws and removes entries. Writes players and entries.

`brackets.advancing` derives the seats from these facts.
"""

import uuid
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.brackets import advancing, play_off_places
from tournament.brackets.advancing import LockedTournament
from tournament.brackets.double_entries import no_double_entry
from tournament.brackets.kept_seats import no_double_seating
from tournament.brackets.play_off_places import GAVE_UP_PLACE
from tournament.entries.closed_entries import refuse_players_while_closed, refuse_while_closed
from tournament.entries.lists.limits import MOST_ENTRIES
from tournament.entries.player_names import Naming
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Draw, Entry, Event, JackpotSeat, Player, Tournament
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
from tournament.runtime.text import comparison_key


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
    player: PlayerDetails
    seed: int | None = None
    is_paid: bool = False


def enter(tournament_id: uuid.UUID, details: EntryDetails, actor: Actor) -> Entry:
    """Enters a player. Raises Refused after the draw, and for a federation id, name or seed that is taken."""
    with advancing.lock_tournament(tournament_id) as locked:
        refuse_after_the_draw(locked.tournament)
        refuse_too_many_entries(locked.tournament, 1)
        return create_entry(locked, details, actor)


def create_entry(locked: LockedTournament, details: EntryDetails, actor: Actor, verb: str = "enter") -> Entry:
    """Enters a player before or after the draw. Raises Refused for a federation id, name or seed that is taken."""
    tournament = locked.tournament
    refuse_while_closed(tournament)
    _refuse_duplicates(tournament, details, None)
    _refuse_same_player(tournament, details.player)
    player = _find_player(tournament, details.player) or _create_player(tournament.event, details.player)
    if Entry.objects.filter(tournament=tournament, player=player).exists():
        raise Refused(ENTERED_ALREADY, name=player.name)
    entry = Entry.objects.create(
        tournament=tournament,
        player=player,
        seed=details.seed,
        is_paid=details.is_paid,
        entered_at=timezone.now(),
    )
    journal.write(tournament, actor, JournalEntry(verb, "entry", entry.pk, after=_journal_values(details)))
    return entry


def set_starting_losses(locked: LockedTournament, entry: Entry, losses: int, actor: Actor) -> None:
    """Lets a new entry start with losses. The caller checks the number."""
    entry.starting_losses = losses
    entry.save(update_fields=["starting_losses"])
    deed = JournalEntry("give losses", "entry", entry.pk, after={"given_losses": losses})
    journal.write(locked.tournament, actor, deed)


def change(entry: Entry, details: EntryDetails, actor: Actor) -> None:
    """Changes a player's data and the entry's seed and payment. The seed is fixed after the draw."""
    with advancing.lock_tournament(entry.tournament_id) as locked:
        entry = _reload(entry)
        current_details = _details_of(entry)
        if details.seed != entry.seed:
            refuse_after_the_draw(locked.tournament)
            refuse_while_closed(locked.tournament)
        if details.player != current_details.player:
            refuse_players_while_closed([entry.player_id])
            _refuse_removed(entry.player)
        _refuse_duplicates(locked.tournament, details, entry)
        before, after = _journal_values(current_details), _journal_values(details)
        if details.player.name != current_details.player.name:
            after["name_changed"] = True
        _write_player(entry.player, details.player)
        entry.seed, entry.is_paid = details.seed, details.is_paid
        entry.save()
        locked.touch_all()
        journal.write(
            locked.tournament, actor, JournalEntry("change entry", "entry", entry.pk, before, after)
        )


def check_in(entry: Entry, actor: Actor, *, present: bool) -> None:
    """Marks an entry as arrived or not arrived."""
    with transaction.atomic():
        moment = timezone.now() if present else None
        Entry.objects.filter(pk=entry.pk).update(checked_in_at=moment)
        verb = "check in" if present else "undo check in"
        journal.write(entry.tournament, actor, JournalEntry(verb, "entry", entry.pk))


def mark_paid(entry: Entry, actor: Actor, *, paid: bool) -> None:
    with transaction.atomic():
        Entry.objects.filter(pk=entry.pk).update(is_paid=paid)
        verb = "mark paid" if paid else "mark unpaid"
        journal.write(entry.tournament, actor, JournalEntry(verb, "entry", entry.pk))


def withdraw(entry: Entry, actor: Actor, reason: str = "") -> None:
    """Withdraws an entry. Opponents of its undecided matches advance by walkover.

    If its place in a group leads to a play-off match that has not begun, the next player of the group takes the place.
    """
    _set_withdrawn(entry, actor, reason, withdrawn=True)


def unwithdraw(entry: Entry, actor: Actor, reason: str = "") -> None:
    """Undoes a withdrawal. Raises Refused if a match that depends on the withdrawal has begun."""
    _set_withdrawn(entry, actor, reason, withdrawn=False)


def remove(entry: Entry, actor: Actor) -> None:
    """Deletes an entry made by mistake. Raises Refused after the draw."""
    with advancing.lock_tournament(entry.tournament_id) as locked:
        refuse_after_the_draw(locked.tournament)
        refuse_while_closed(locked.tournament)
        entry = _reload(entry)
        deed = JournalEntry("remove entry", "entry", entry.pk, before=_journal_values(_details_of(entry)))
        player = entry.player
        entry.delete()
        if not player.entries.exists():
            player.delete()
        journal.write(locked.tournament, actor, deed)


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


def _set_withdrawn(entry: Entry, actor: Actor, reason: str, *, withdrawn: bool) -> None:
    with advancing.lock_tournament(entry.tournament_id) as locked:
        entry = _reload(entry)
        if entry.is_withdrawn == withdrawn:
            return
        refuse_while_closed(locked.tournament)
        tournament = locked.tournament
        with no_double_entry(tournament), no_double_seating(tournament):
            _write_withdrawn(locked, entry, withdrawn=withdrawn)
        locked.touch_all()
        verb = "withdraw" if withdrawn else "undo withdrawal"
        after = {GAVE_UP_PLACE: True} if entry.gave_up_place else {}
        journal.write(
            locked.tournament, actor, JournalEntry(verb, "entry", entry.pk, after=after, reason=reason)
        )


def _write_withdrawn(locked: LockedTournament, entry: Entry, *, withdrawn: bool) -> None:
    entry.gave_up_place = withdrawn and play_off_places.gives_up_place(entry)
    entry.withdrawn_at = timezone.now() if withdrawn else None
    entry.save()
    if withdrawn:
        JackpotSeat.objects.filter(entry=entry, jackpot__bracket=None, jackpot__closed_at=None).delete()
    advancing.resettle_entry(locked, entry)


def _reload(entry: Entry) -> Entry:
    return Entry.objects.select_related("player", "tournament").get(pk=entry.pk)


def _refuse_removed(player: Player) -> None:
    if player.removed_at is not None:
        raise Refused(PLAYER_REMOVED)


def _find_player(tournament: Tournament, details: PlayerDetails) -> Player | None:
    """Returns the event's player with this federation id, who may be entered in another tournament."""
    if not details.federation_id:
        return None
    return Player.objects.filter(event_id=tournament.event_id, federation_id=details.federation_id).first()


def _refuse_duplicates(tournament: Tournament, details: EntryDetails, entry: Entry | None) -> None:
    others = Entry.objects.filter(tournament=tournament)
    if entry is not None:
        others = others.exclude(pk=entry.pk)
    if not details.player.name.strip():
        raise Refused(NO_NAME)
    if details.seed is not None and others.filter(seed=details.seed).exists():
        raise Refused(SEED_TAKEN, seed=details.seed)
    same_id = Player.objects.filter(event_id=tournament.event_id, federation_id=details.player.federation_id)
    conflicting_players = (
        same_id.filter(entries__in=others) if entry is None else same_id.exclude(pk=entry.player_id)
    )
    if details.player.federation_id and conflicting_players.exists():
        raise Refused(FEDERATION_ID_TAKEN, id=details.player.federation_id)


def _create_player(event: Event, details: PlayerDetails) -> Player:
    player = Player(event=event)
    _write_player(player, details)
    return player


def _write_player(player: Player, details: PlayerDetails) -> None:
    fields = asdict(details)
    Naming.of(player.event).name_player(player, fields.pop("name"))
    for name, value in fields.items():
        setattr(player, name, value)
    player.save()


def _refuse_same_player(tournament: Tournament, details: PlayerDetails) -> None:
    """Refuses a form that was sent twice. Players of the same name must differ in club or federation id."""
    players = Player.objects.filter(entries__tournament=tournament)
    new_key = tuple(comparison_key(text) for text in (details.name, details.club, details.federation_id))
    for name, full_name, *others in players.values_list("name", "full_name", "club", "federation_id"):
        if tuple(comparison_key(text) for text in (full_name or name, *others)) != new_key:
            continue
        raise Refused(SAME_NAME_ENTERED, name=details.name)


def _details_of(entry: Entry) -> EntryDetails:
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
