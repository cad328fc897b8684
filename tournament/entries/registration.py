"""Entries: who is in, who has arrived, who has paid, who has left. Writes players and entries.

Who sits where follows from these facts and is left to `progression`.
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
from tournament.runtime.errors import Refused
from tournament.runtime.text import comparison_key


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """What is known of a player when entering or changing."""

    name: str
    country: str = ""
    club: str = ""
    federation_id: str = ""
    rating: Decimal | None = None
    team: str = ""


@dataclass(frozen=True, slots=True)
class EntryCard:
    """A player with what belongs to the entry."""

    player: PlayerCard
    seed: int | None = None
    is_paid: bool = False


def enter(tournament_id: uuid.UUID, card: EntryCard, actor: Actor) -> Entry:
    """Enters a player; raises Refused when the draw is made, or id, name or seed is there already."""
    with advancing.lock_tournament(tournament_id) as locked:
        refuse_after_the_draw(locked.tournament)
        refuse_a_full_field(locked.tournament, 1)
        return admit(locked, card, actor)


def admit(locked: LockedTournament, card: EntryCard, actor: Actor, verb: str = "enter") -> Entry:
    """Enters a player whether the draw is made or not; raises Refused when id, name or seed is there already."""
    tournament = locked.tournament
    refuse_while_closed(tournament)
    _refuse_taken(tournament, card, None)
    _refuse_again(tournament, card.player)
    player = _known(tournament, card.player) or _create_player(tournament.event, card.player)
    if Entry.objects.filter(tournament=tournament, player=player).exists():
        raise Refused("entered-already", "{name} is entered already.", name=player.name)
    entry = Entry.objects.create(
        tournament=tournament,
        player=player,
        seed=card.seed,
        is_paid=card.is_paid,
        entered_at=timezone.now(),
    )
    journal.write(tournament, actor, JournalEntry(verb, "entry", entry.pk, after=_after(card)))
    return entry


def give_losses(locked: LockedTournament, entry: Entry, losses: int, actor: Actor) -> None:
    """Lets an entry just made start with losses; whether it may is asked before."""
    entry.starting_losses = losses
    entry.save(update_fields=["starting_losses"])
    deed = JournalEntry("give losses", "entry", entry.pk, after={"given_losses": losses})
    journal.write(locked.tournament, actor, deed)


def change(entry: Entry, card: EntryCard, actor: Actor) -> None:
    """Changes a player's data and the entry's seed and payment; the seed only while there is no draw."""
    with advancing.lock_tournament(entry.tournament_id) as locked:
        entry = _locked(entry)
        known = _card_of(entry)
        if card.seed != entry.seed:
            refuse_after_the_draw(locked.tournament)
            refuse_while_closed(locked.tournament)
        if card.player != known.player:
            refuse_players_while_closed([entry.player_id])
            _refuse_removed(entry.player)
        _refuse_taken(locked.tournament, card, entry)
        before, after = _after(known), _after(card)
        if card.player.name != known.player.name:
            after["name_changed"] = True
        _write_player(entry.player, card.player)
        entry.seed, entry.is_paid = card.seed, card.is_paid
        entry.save()
        locked.touch_all()
        journal.write(
            locked.tournament, actor, JournalEntry("change entry", "entry", entry.pk, before, after)
        )


def check_in(entry: Entry, actor: Actor, *, present: bool) -> None:
    """Marks an entry as arrived, or takes that back."""
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
    """Takes an entry out: opponents not yet met in play go on by walkover.

    A place of a group that would lead to a play-off match not begun yet goes to the next of the group.
    """
    _set_withdrawn(entry, actor, reason, withdrawn=True)


def unwithdraw(entry: Entry, actor: Actor, reason: str = "") -> None:
    """Brings an entry back, unless a match that follows from the withdrawal has begun."""
    _set_withdrawn(entry, actor, reason, withdrawn=False)


def remove(entry: Entry, actor: Actor) -> None:
    """Deletes an entry made by mistake, while there is no draw."""
    with advancing.lock_tournament(entry.tournament_id) as locked:
        refuse_after_the_draw(locked.tournament)
        refuse_while_closed(locked.tournament)
        entry = _locked(entry)
        deed = JournalEntry("remove entry", "entry", entry.pk, before=_after(_card_of(entry)))
        player = entry.player
        entry.delete()
        if not player.entries.exists():
            player.delete()
        journal.write(locked.tournament, actor, deed)


def refuse_after_the_draw(tournament: Tournament) -> None:
    """Raises Refused once a draw was made."""
    if Draw.objects.filter(tournament=tournament, replaced_at__isnull=True).exists():
        raise Refused("already-drawn", "The draw is made, so the entry list is closed. Undo the draw first.")


def refuse_a_full_field(tournament: Tournament, added: int) -> None:
    """Raises Refused when the draw could not hold this many more; the draw would say so too late."""
    if not added:
        return
    count = Entry.objects.filter(tournament=tournament, withdrawn_at__isnull=True).count()
    if count + added > MOST_ENTRIES:
        raise Refused(
            "field-is-full",
            "A tournament has {most} entries at most; with these there would be {count}. Make a second tournament.",
            most=MOST_ENTRIES,
            count=count + added,
        )


def _set_withdrawn(entry: Entry, actor: Actor, reason: str, *, withdrawn: bool) -> None:
    with advancing.lock_tournament(entry.tournament_id) as locked:
        entry = _locked(entry)
        if entry.is_withdrawn == withdrawn:
            return
        refuse_while_closed(locked.tournament)
        tournament = locked.tournament
        with no_double_entry(tournament), no_double_seating(tournament):
            _write_withdrawn(locked, entry, withdrawn=withdrawn)
        locked.touch_all()
        verb = "withdraw" if withdrawn else "undo withdrawal"
        told = {GAVE_UP_PLACE: True} if entry.gave_up_place else {}
        journal.write(
            locked.tournament, actor, JournalEntry(verb, "entry", entry.pk, after=told, reason=reason)
        )


def _write_withdrawn(locked: LockedTournament, entry: Entry, *, withdrawn: bool) -> None:
    entry.gave_up_place = withdrawn and play_off_places.gives_up_place(entry)
    entry.withdrawn_at = timezone.now() if withdrawn else None
    entry.save()
    if withdrawn:
        JackpotSeat.objects.filter(entry=entry, jackpot__bracket=None, jackpot__closed_at=None).delete()
    advancing.resettle_entry(locked, entry)


def _locked(entry: Entry) -> Entry:
    return Entry.objects.select_related("player", "tournament").get(pk=entry.pk)


def _refuse_removed(player: Player) -> None:
    if player.removed_at is not None:
        raise Refused(
            "player-removed",
            "The personal data of this player were removed for good. Enter the player again if that was a mistake.",
        )


def _known(tournament: Tournament, card: PlayerCard) -> Player | None:
    """The event's player of this federation id, who may be entered in another of its tournaments."""
    if not card.federation_id:
        return None
    return Player.objects.filter(event_id=tournament.event_id, federation_id=card.federation_id).first()


def _refuse_taken(tournament: Tournament, card: EntryCard, entry: Entry | None) -> None:
    others = Entry.objects.filter(tournament=tournament)
    if entry is not None:
        others = others.exclude(pk=entry.pk)
    if not card.player.name.strip():
        raise Refused("no-name", "A player needs a name.")
    if card.seed is not None and others.filter(seed=card.seed).exists():
        raise Refused("seed-taken", "Seed {seed} is given already.", seed=card.seed)
    same_id = Player.objects.filter(event_id=tournament.event_id, federation_id=card.player.federation_id)
    others_id = same_id.filter(entries__in=others) if entry is None else same_id.exclude(pk=entry.player_id)
    if card.player.federation_id and others_id.exists():
        raise Refused("id-taken", "Federation id {id} is entered already.", id=card.player.federation_id)


def _create_player(event: Event, card: PlayerCard) -> Player:
    player = Player(event=event)
    _write_player(player, card)
    return player


def _write_player(player: Player, card: PlayerCard) -> None:
    fields = asdict(card)
    Naming.of(player.event).give(player, fields.pop("name"))
    for name, value in fields.items():
        setattr(player, name, value)
    player.save()


def _refuse_again(tournament: Tournament, card: PlayerCard) -> None:
    """A form sent twice enters one player, and two of the same name are told apart by what else is known."""
    players = Player.objects.filter(entries__tournament=tournament)
    wanted = tuple(comparison_key(text) for text in (card.name, card.club, card.federation_id))
    for name, full_name, *others in players.values_list("name", "full_name", "club", "federation_id"):
        if tuple(comparison_key(text) for text in (full_name or name, *others)) != wanted:
            continue
        raise Refused(
            "entered-already",
            "{name} is entered already. If this is somebody else, give the club or a federation number.",
            name=card.name,
        )


def _card_of(entry: Entry) -> EntryCard:
    player = entry.player
    known = PlayerCard(
        player.registered_name, player.country, player.club, player.federation_id, player.rating, player.team
    )
    return EntryCard(known, entry.seed, entry.is_paid)


def _after(card: EntryCard) -> dict[str, Any]:
    rating = card.player.rating
    return {
        "country": card.player.country,
        "club": card.player.club,
        "team": card.player.team,
        "federation_id": card.player.federation_id,
        "rating": str(rating) if rating is not None else None,
        "seed": card.seed,
        "is_paid": card.is_paid,
    }
