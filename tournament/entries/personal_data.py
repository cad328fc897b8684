"""Finds the rows of one person and removes the data that identifies the person. Results and the books stay.

A person is one row of `Player` for each event. Rows of two events belong together where federation number and name
are equal; without a federation number each row is a person.
"""

import re
import uuid
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from matches import game_records, scorecard
from matches.models import Match
from tournament.access.actors import Actor
from tournament.accounts import links
from tournament.brackets import advancing
from tournament.entries.closed_entries import refuse_players_while_closed
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import (
    CalcuttaBid,
    CashClosing,
    Commitment,
    Correction,
    Draw,
    Entry,
    Event,
    Evidence,
    JournalLine,
    PayoutSignature,
    PersonalLink,
    Pin,
    Player,
    Question,
    Reopening,
    SeatChange,
    WinnerPicture,
)
from tournament.prizes.stored import parse_structure
from tournament.refusals.entries import PLAYER_REMOVED_ALREADY
from tournament.runtime.errors import Refused
from tournament.runtime.event_lock import lock_event
from tournament.runtime.text import comparison_key

REMOVED = "Removed player"
LONGEST_REASON = 200
PERSONAL_FIELDS = frozenset({"country", "club", "team", "federation_id", "rating", "note", "conditions"})


def rows_of_person(player: Player, events: QuerySet[Event]) -> list[Player]:
    """Returns the rows of this person in these events, starting with `player`."""
    same = Player.objects.none()
    if player.federation_id:
        same = Player.objects.filter(federation_id=player.federation_id, event__in=events)
    rows = same.exclude(pk=player.pk).select_related("event").order_by("event__starts_on", "pk")
    return [
        player,
        *(
            row
            for row in rows
            if comparison_key(row.registered_name) == comparison_key(player.registered_name)
        ),
    ]


def matches_of(player: Player) -> QuerySet[Match]:
    entries = list(player.entries.values_list("pk", flat=True))
    return Match.objects.filter(Q(left__in=entries) | Q(right__in=entries))


@transaction.atomic
def remove(players: Iterable[Player], actor: Actor) -> None:
    """Removes name, federation number and all other identifying data of these rows. Cannot be undone.

    Raises Refused while entries of the player are closed for a public draw, and if the data are already removed. Stored
    draws keep club, team and country without the name.
    """
    for player in sorted(players, key=lambda row: row.pk):
        _remove(player, actor)


def _remove(player: Player, actor: Actor) -> None:
    refuse_players_while_closed([player.pk])
    if player.removed_at is not None:
        raise Refused(PLAYER_REMOVED_ALREADY)
    entries = list(player.entries.select_related("tournament__event"))
    bids = CalcuttaBid.objects.filter(buyer=player)
    tournaments = {entry.tournament_id for entry in entries}
    for tournament in sorted(tournaments | {*bids.values_list("lot__calcutta__tournament", flat=True)}):
        with advancing.lock_tournament(tournament) as locked:
            locked.touch_all()
    lock_event(player.event_id)
    _remove_from_draws(entries)
    _remove_from_texts(player)
    matches = list(matches_of(player).values_list("pk", flat=True))
    _remove_from_journal(player, entries, matches)
    Evidence.objects.filter(question__match__in=matches).delete()
    WinnerPicture.objects.filter(players=player).delete()
    game_records.remove_records(matches)
    scorecard.replace_in_reasons(matches, lambda text: _without_name(text, player)[:LONGEST_REASON])
    PayoutSignature.objects.filter(player=player).delete()
    Pin.objects.filter(player=player).delete()
    _remove_bids(player)
    open_links = PersonalLink.objects.filter(entry__player=player, revoked_at__isnull=True)
    for link in open_links.select_related("entry__tournament"):
        links.revoke(link, actor)
    player.name, player.full_name, player.removed_at = REMOVED, "", timezone.now()
    player.country = player.club = player.team = player.federation_id = ""
    player.rating = None
    player.conditions = sorted(_conditions_of_prizes(entries).intersection(player.conditions))
    player.save()
    journal.write(player.event, actor, JournalEntry("remove person", "player", player.pk))


def _remove_bids(player: Player) -> None:
    """The last bid on a sold lot stays without a name: it is the price that the owners were charged."""
    bids = CalcuttaBid.objects.filter(buyer=player)
    later = CalcuttaBid.objects.filter(lot=OuterRef("lot"), number__gt=OuterRef("number"))
    prices = bids.filter(~Exists(later), lot__sold_at__isnull=False)
    bids.exclude(pk__in=list(prices.values_list("pk", flat=True))).delete()


def _conditions_of_prizes(entries: Collection[Entry]) -> set[str]:
    """The conditions that decide who gets the prizes of these tournaments: without them a prize would be taken back."""
    structures = [parse_structure(entry.tournament.prize_structure) for entry in entries]
    conditions = [
        condition
        for structure in structures
        if structure
        for condition in (structure.condition, *(pool.condition for pool in structure.pools))
    ]
    return {condition.value for condition in conditions if condition}


def _remove_from_draws(entries: Collection[Entry]) -> None:
    """The document of a public draw keeps the hash of the name, so the draw can still be verified."""
    removed = {str(entry.pk) for entry in entries}
    tournaments = {entry.tournament_id for entry in entries}
    for draw in Draw.objects.filter(tournament__in=tournaments):
        if _remove_names(draw.rules, removed):
            draw.save(update_fields=["rules"])
    for commitment in Commitment.objects.filter(tournament__in=tournaments):
        if _remove_names(commitment.rules, removed):
            commitment.save(update_fields=["rules"])


def _remove_names(rules: dict[str, Any], removed: Collection[str]) -> bool:
    """Removes these names from the rules of a draw. Returns True if one was there."""
    names = rules.get("names", {})
    remaining = {entry: name for entry, name in names.items() if entry not in removed}
    if remaining == names:
        return False
    rules["names"] = remaining
    return True


def _remove_from_texts(player: Player) -> None:
    """Replaces the name in reasons, notes, rulings and signed counts of the event."""
    event = player.event_id
    within = "tournament__event"
    for rows, fields in (
        (JournalLine.objects.filter(event=event), ("reason",)),
        (CashClosing.objects.filter(event=event), ("reason", "signed_by")),
        (Question.objects.filter(**{within: event}), ("note", "ruling")),
        (Correction.objects.filter(**{within: event}), ("reason",)),
        (Draw.objects.filter(**{within: event}), ("reason",)),
        (Reopening.objects.filter(commitment__tournament__event=event), ("reason",)),
        (SeatChange.objects.filter(feed__target__round__bracket__tournament__event=event), ("reason",)),
        (Pin.objects.filter(table__room__event=event), ("reason",)),
    ):
        for field in fields:
            _replace_in(rows, field, player)


def _replace_in(rows: Any, field: str, player: Player) -> None:
    for name in {player.name, player.registered_name}:
        for row in rows.filter(**{f"{field}__icontains": name}):
            replaced = _without_name(getattr(row, field), player)
            setattr(row, field, replaced[: row._meta.get_field(field).max_length])
            row.save(update_fields=[field])


def _without_name(text: str, player: Player) -> str:
    for name in (player.registered_name, player.name):
        text = re.sub(re.escape(name), REMOVED, text, flags=re.IGNORECASE)
    return text


def _remove_from_journal(player: Player, entries: Collection[Entry], matches: Collection[uuid.UUID]) -> None:
    """Removes fields of the entry, notes of its matches, and its lines of imported lists from the journal."""
    entry_ids = [str(entry.pk) for entry in entries]
    about = Q(subject="entry", subject_id__in=entry_ids) | Q(
        subject="match", subject_id__in=list(map(str, matches))
    )
    for line in JournalLine.objects.filter(about | Q(verb="import entries"), event=player.event_id):
        line.before, line.after = (_without_person(values, entry_ids) for values in (line.before, line.after))
        line.save(update_fields=["before", "after"])


def _without_person(values: Mapping[str, Any], entries: Collection[str]) -> dict[str, Any]:
    remaining = {name: value for name, value in values.items() if name not in PERSONAL_FIELDS}
    if isinstance(remaining.get("entries"), dict):
        remaining["entries"] = {
            entry: value for entry, value in remaining["entries"].items() if entry not in entries
        }
    return remaining
