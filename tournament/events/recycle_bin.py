"""Moves events and tournaments into the bin, takes them out again, and removes them for good after 30 days.

Nothing in the bin is visible to anybody. Its rows stay unchanged until then, so taking it out restores everything.
"""

import uuid
from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from matches import removal
from matches.models import Match
from tournament.access.actors import Actor
from tournament.accounts import activity, lifecycle
from tournament.brackets import advancing
from tournament.entries.removal import players_without_purpose
from tournament.events.visibility import publish_brackets
from tournament.ledger.balances import currencies_of_added_money, open_amounts
from tournament.ledger.charging import are_charged, charge_players
from tournament.ledger.unsettled import UnsettledMoney, unsettled_money
from tournament.live import journal, subscriptions
from tournament.live.journal import JournalEntry
from tournament.models import (
    AccountEventKind,
    Bracket,
    CalcuttaBid,
    Deed,
    Entry,
    Event,
    JournalLine,
    KeptSeat,
    LedgerAccount,
    LedgerTransaction,
    PersonalLink,
    Player,
    Result,
    Tournament,
)
from tournament.occupancy.releasing import release_tables_of_tournament
from tournament.refusals.money import (
    MONEY_IN_POTS,
    MONEY_IS_OPEN,
    OPEN_AMOUNTS,
    PLAYERS_ARE_CHARGED,
    PRIZES_ARE_AWARDED,
)
from tournament.runtime.errors import Refused
from tournament.runtime.event_lock import lock_event
from tournament.screens import display_links

RETENTION = timedelta(days=30)


@transaction.atomic
def delete_event(event: Event, actor: Actor, *, with_money: bool = False) -> None:
    """Moves the event into the bin. Its links and screens stop at once. Idempotent.

    `with_money` confirms that it may have open money; otherwise that is refused.
    """
    if not Event.objects.filter(pk=event.pk).exists():
        return
    if open_money(lock_event(event.pk)) and not with_money:
        raise Refused(MONEY_IS_OPEN)
    if not Event.objects.filter(pk=event.pk).update(deleted_at=timezone.now()):
        return
    journal.write(event, actor, JournalEntry("delete event", "event", event.pk))
    if actor.user is not None:
        activity.record(actor.user, AccountEventKind.EVENT_DELETED, event=event, detail=event.name)
    _close_streams(Q(entry__tournament__event=event))
    publish_brackets(event)
    display_links.publish_all(event)


def open_money(event: Event) -> UnsettledMoney:
    """The money that is lost with the event. That of the sample event is not real."""
    return UnsettledMoney() if event.is_sample else unsettled_money(event.pk)


@transaction.atomic
def restore_event(event: Event, actor: Actor) -> None:
    """Idempotent."""
    if Event.with_deleted.filter(pk=event.pk, deleted_at__isnull=False).update(deleted_at=None):
        journal.write(event, actor, JournalEntry("restore event", "event", event.pk))
        publish_brackets(event)
        display_links.publish_all(event)


@transaction.atomic
def delete_tournament(tournament: Tournament, actor: Actor) -> None:
    """Moves the tournament into the bin, and frees the tables of its matches. Idempotent.

    Raises Refused while players are charged for it or were awarded its prizes, while its pots hold money of the
    organizer, and while players or owners in its auction have open amounts and no other entry.
    """
    if not Tournament.objects.filter(pk=tournament.pk).exists():
        return
    with advancing.lock_tournament(tournament.pk):
        lock_event(tournament.event_id)
        _refuse_with_money(tournament)
        Tournament.objects.filter(pk=tournament.pk).update(deleted_at=timezone.now())
    journal.write(tournament, actor, JournalEntry("delete tournament", "tournament", tournament.pk))
    _close_streams(Q(entry__tournament=tournament))
    publish_brackets(tournament)
    release_tables_of_tournament(tournament)


def _refuse_with_money(tournament: Tournament) -> None:
    prizes = LedgerTransaction.objects.filter(entry__tournament=tournament, deed=Deed.PRIZE)
    if prizes.filter(reversed_by__isnull=True).exists():
        raise Refused(PRIZES_ARE_AWARDED)
    if currencies_of_added_money(tournament.pk):
        raise Refused(MONEY_IN_POTS)
    if are_charged(tournament):
        raise Refused(PLAYERS_ARE_CHARGED)
    elsewhere = Entry.objects.filter(tournament__deleted_at__isnull=True).exclude(tournament=tournament)
    players = Player.objects.filter(pk__in=_players_of(tournament)).exclude(entries__in=elsewhere)
    unsettled = open_amounts(tournament.event_id, list(players.values_list("pk", flat=True)))
    if unsettled:
        raise Refused(OPEN_AMOUNTS, name=players.filter(pk__in=unsettled)[0].registered_name)


def _players_of(tournament: Tournament) -> set[uuid.UUID]:
    """Its players, the bidders in its auction, and everybody who was charged for one of its pots."""
    bids = CalcuttaBid.objects.filter(lot__calcutta__tournament=tournament)
    charged = LedgerAccount.objects.filter(debits__source__tournament=tournament, player__isnull=False)
    return {
        *tournament.entries.values_list("player", flat=True),
        *bids.values_list("buyer", flat=True),
        *charged.values_list("player", flat=True),
    }


@transaction.atomic
def restore_tournament(tournament: Tournament, actor: Actor) -> None:
    """Charges what the fees of the event are now. Idempotent. Calls that ended stay ended."""
    if Tournament.with_deleted.filter(pk=tournament.pk, deleted_at__isnull=False).update(deleted_at=None):
        journal.write(tournament, actor, JournalEntry("restore tournament", "tournament", tournament.pk))
        players = tournament.entries.values_list("player", flat=True)
        charge_players(tournament.event_id, set(players), actor)
        publish_brackets(tournament)


def remove_expired() -> None:
    """Removes for good what has been in the bin for RETENTION, with all personal data. Idempotent."""
    oldest = timezone.now() - RETENTION
    for tournament in Tournament.with_deleted.filter(deleted_at__lt=oldest).order_by("pk"):
        remove_tournament(tournament)
    for event in Event.with_deleted.filter(deleted_at__lt=oldest).order_by("pk"):
        remove_event(event)


@transaction.atomic
def remove_event(event: Event) -> None:
    """Removes an event in the bin with everything in it, and closes the accounts it made for helpers without a role."""
    if not Event.with_deleted.filter(pk=event.pk).exists() or lock_event(event.pk).deleted_at is None:
        return
    for tournament in Tournament.with_deleted.filter(event=event):
        _remove_rows(tournament)
    for account in event.made_accounts.select_related("user"):
        if not account.user.memberships.exclude(event=event).exists():
            lifecycle.close(account.user)
    Player.objects.filter(event=event).delete()
    event.delete()


@transaction.atomic
def remove_tournament(tournament: Tournament) -> None:
    """Removes a tournament in the bin, with players who have nothing else in its event and no open amount."""
    rows = Tournament.with_deleted.select_for_update()
    if rows.filter(pk=tournament.pk, deleted_at__isnull=False).exists():
        lock_event(tournament.event_id)  # a player who pays meanwhile is kept
        players = _players_of(tournament)
        _remove_rows(tournament)
        unsettled = open_amounts(tournament.event_id, players)
        players_without_purpose(players).exclude(pk__in=unsettled).delete()


def _remove_rows(tournament: Tournament) -> None:
    """Removes rows before the rows that they protect: results before pairings, pairings before entries and matches."""
    entries = list(tournament.entries.values_list("pk", flat=True))
    matches = list(
        Match.objects.filter(Q(left__in=entries) | Q(right__in=entries)).values_list("pk", flat=True)
    )
    JournalLine.objects.filter(tournament=tournament).delete()
    results = Result.objects.filter(pairing__round__bracket__tournament=tournament)
    while results.exists():
        results.filter(superseded_by__isnull=True).delete()
    KeptSeat.objects.filter(pairing__round__bracket__tournament=tournament).delete()
    Bracket.objects.filter(tournament=tournament).delete()
    removal.remove_matches(matches)
    tournament.delete()


def _close_streams(links: Q) -> None:
    subscriptions.close_streams_of_links(PersonalLink.objects.filter(links, revoked_at=None))
