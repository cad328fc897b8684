"""Merges two players of an event who are one person, and splits an entry off from a player it does not belong to.

The books follow by reversals and new deeds: charges, payments and prizes are recorded again for the other player.
"""

import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.brackets import advancing
from tournament.brackets.advancing import LockedTournament
from tournament.entries.closed_entries import refuse_players_while_closed
from tournament.entries.player_names import Naming
from tournament.entries.same_person import FIELDS
from tournament.fees.amounts import Amount
from tournament.ledger.balances import of_players, open_amounts
from tournament.ledger.charging import Difference, charge_players, move_charges
from tournament.ledger.paid_marks import mark_paid_entries
from tournament.ledger.recording import Book, lock_book
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import (
    AccountKind,
    CalcuttaBid,
    CalcuttaLot,
    CalcuttaShare,
    Deed,
    Entry,
    Event,
    Hedge,
    LedgerAccount,
    LedgerTransaction,
    Pin,
    Player,
    Receipt,
    Room,
    TableOccupancy,
    Transfer,
    WinnerPicture,
)
from tournament.money.advance_payments import moved_keys, moved_keys_of_event
from tournament.money.awards import repost_awards
from tournament.money.due_awards import AwardChange
from tournament.money.hedged_prizes import line_of
from tournament.money.recorded_again import record_again
from tournament.occupancy import locking
from tournament.refusals.entries import (
    BOTH_AT_TABLES,
    BOTH_ENTERED,
    BOTH_IN_BIN,
    MERGE_BIDDER,
    MERGE_CHANGED,
    MERGE_EXCHANGED,
    NOT_TWO_PEOPLE,
    PLAYER_REMOVED,
)
from tournament.runtime.errors import NotFound, Refused

PLAYERS_CHANGED = gettext_lazy("Players were merged or split.")
"""The reason of prizes that change with it."""

MOVED = (Deed.PAYMENT, Deed.REFUND, Deed.PRIZE, Deed.PAYOUT)
"""Deeds of the merged player that are recorded again for the other one. Charges are moved with their entries."""


@dataclass(frozen=True, slots=True)
class Merge:
    """The changes that merging two players makes. Amounts are positive for debts.

    `differences`: charges that are due only once. `receipts`: the number of receipts that are cancelled. `prizes`: the
    prizes of other players that change with it.
    """

    before: Mapping[uuid.UUID, tuple[Amount, ...]]
    after: tuple[Amount, ...]
    differences: Sequence[Difference]
    receipts: int
    prizes: Sequence[AwardChange] = ()

    @property
    def digest(self) -> str:
        """Changes with every amount, so that a director confirms what was shown."""
        before = sorted((pk.hex, list(map(str, amounts))) for pk, amounts in self.before.items())
        prizes = sorted((row.entry.pk.hex, str(row.amount_after)) for row in self.prizes)
        text = f"{before} {list(map(str, self.after))} {self.receipts} {prizes}"
        return uuid.uuid5(uuid.NAMESPACE_OID, text).hex


def preview_merge(event: Event, player_id: uuid.UUID, other_id: uuid.UUID, actor: Actor) -> Merge:
    """Merges the players in a transaction that is rolled back. Raises as `merge_players` does."""
    with transaction.atomic():
        merge = _merge(event, player_id, other_id, actor)
        transaction.set_rollback(True)
    return merge


def merge_players(
    event: Event, player_id: uuid.UUID, other_id: uuid.UUID, actor: Actor, confirmed: str
) -> Merge:
    """Makes all entries and money of the other player those of `player_id`, and deletes the other player.

    `confirmed`: the digest of the shown preview; Refused if it is another one. Raises Refused if a tournament has both
    of them, and for other reasons in which the books could not follow; NotFound for a player of another event.
    """
    with transaction.atomic():
        merge = _merge(event, player_id, other_id, actor)
        if merge.digest != confirmed:
            raise Refused(MERGE_CHANGED)
    return merge


def split_off_entry(entry: Entry, actor: Actor, reason: str = "") -> Player:
    """Makes the player's entries in this tournament those of a new player of the same name.

    Payments and payouts stay with the former player, but payments that lists of this tournament named move. Raises
    Refused if the player has no other tournament, Denied without the `capability_to_split`: prizes may be posted
    meanwhile.
    """
    event_id = entry.tournament.event_id
    with _locked(event_id, [entry.tournament_id]) as (book, tournaments):
        current = Entry.objects.select_related("player", "tournament__event").filter(pk=entry.pk).first()
        if current is None:
            raise NotFound
        permissions.require(actor, current.tournament, capability_to_split(current))
        player = current.player
        rows = Entry.objects.filter(player=player)
        if not rows.exclude(tournament=entry.tournament_id).exists():
            raise Refused(NOT_TWO_PEOPLE, name=player.registered_name)
        _refuse_removed([player])
        new_player = Player(event=book.event, conditions=list(player.conditions))
        Naming.of(book.event).name_player(new_player, player.registered_name)
        new_player.save()
        entries = list(rows.filter(tournament=entry.tournament_id).select_related("player"))
        calls = TableOccupancy.objects.filter(
            player=player, call__pairing__round__bracket__tournament=entry.tournament_id
        )
        calls.update(player=new_player)
        after = {"player": str(new_player.pk)}
        action = JournalEntry("split entry", "entry", entry.pk, after=after, reason=reason)
        journal.write(tournaments[0].tournament, actor, action)
        move_charges(book, entries, new_player.pk, actor)
        keys = moved_keys(entry.tournament, player.pk, new_player.pk, _currencies(player))
        imported = Q(event=event_id, key__in=keys)
        moved = LedgerTransaction.objects.filter(imported | _prizes_of(player, entries))
        record_again(book, moved, (player.pk, new_player.pk), keys, action, actor)
        _post_consequences(book, tournaments, [player.pk, new_player.pk], actor)
    return new_player


def capability_to_split(entry: Entry) -> Capability:
    """Directors split off an entry once prizes are posted, because prizes move and payouts do not."""
    prizes = LedgerTransaction.objects.filter(
        entry__player=entry.player_id,
        entry__tournament=entry.tournament_id,
        deed=Deed.PRIZE,
        reversed_by__isnull=True,
    )
    return Capability.DIRECT if prizes.exists() else Capability.DESK


def _prizes_of(player: Player, entries: Collection[Entry]) -> Q:
    """The prizes of the entries, and those of opponents to whom the player gave a part by a hedge."""
    hedges = Hedge.objects.filter(Q(left__in=entries) | Q(right__in=entries))
    hedged = Transfer.objects.filter(line__in=map(line_of, hedges), target__player=player)
    return Q(deed=Deed.PRIZE) & (Q(entry__in=entries) | Q(pk__in=hedged.values("transaction")))


def _merge(event: Event, player_id: uuid.UUID, other_id: uuid.UUID, actor: Actor) -> Merge:
    rows = Player.objects.filter(event=event, pk__in=(player_id, other_id)).in_bulk()
    if len(rows) != 2:
        raise NotFound
    entered = _tournaments_of(rows)
    with _locked(event.pk, entered) as (book, tournaments):
        players = Player.objects.in_bulk(rows)
        if len(players) != 2:
            raise NotFound
        if _tournaments_of(rows) != entered:
            raise Refused(MERGE_CHANGED)
        player, other = players[player_id], players[other_id]
        _refuse_merge(player, other)
        before = open_amounts(event.pk, list(rows))
        own = of_players([other.pk])
        moved = LedgerTransaction.objects.filter(
            pk__in=Transfer.objects.filter(own).values("transaction"), deed__in=MOVED
        )
        receipts = Receipt.objects.filter(transaction__in=moved, transaction__reversed_by__isnull=True)
        receipt_count = receipts.count()
        entries = list(Entry.objects.filter(player=other).select_related("player", "tournament"))
        keys = moved_keys_of_event(event, other_id, player_id, _currencies(other))
        action = JournalEntry("merge players", "player", player_id, after={"player": str(other_id)})
        journal.write_many(book.event, actor, [action])
        move_charges(book, entries, player_id, actor)
        record_again(book, moved, (other_id, player_id), keys, action, actor)
        _move_rows(player, other)
        differences, prizes = _post_consequences(book, tournaments, [player_id], actor)
        after = open_amounts(event.pk, [player_id])
    return Merge(
        {pk: _amounts(before.get(pk, {})) for pk in rows},
        _amounts(after.get(player_id, {})),
        differences,
        receipt_count,
        [change for change in prizes if change.entry.player_id != player_id],
    )


def _tournaments_of(players: Collection[uuid.UUID]) -> set[uuid.UUID]:
    return set(Entry.objects.filter(player__in=players).values_list("tournament", flat=True))


def _amounts(minors: Mapping[str, int]) -> tuple[Amount, ...]:
    return tuple(Amount(minor, currency) for currency, minor in sorted(minors.items()))


@contextmanager
def _locked(
    event_id: uuid.UUID, tournament_ids: Collection[uuid.UUID]
) -> Iterator[tuple[Book, list[LockedTournament]]]:
    """Locks the tournaments, the book, and the room in which the players may be called.

    The brackets are published again, because they name the players.
    """
    with ExitStack() as stack:
        tournaments = [stack.enter_context(advancing.lock_tournament(pk)) for pk in sorted(tournament_ids)]
        for locked in tournaments:
            locked.touch_all()
        book = stack.enter_context(lock_book(event_id))
        if Room.objects.filter(event=event_id).exists():
            stack.enter_context(locking.lock_room(event_id))
        yield book, tournaments


def _refuse_removed(players: Sequence[Player]) -> None:
    if any(player.removed_at for player in players):
        raise Refused(PLAYER_REMOVED)
    refuse_players_while_closed([player.pk for player in players])


def _refuse_merge(player: Player, other: Player) -> None:
    _refuse_removed([player, other])
    both = Entry.objects.filter(player=other, tournament__entries__player=player).select_related("tournament")
    entry = both.order_by(F("tournament__deleted_at").asc(nulls_first=True)).first()
    if entry is not None:
        is_in_bin = entry.tournament.deleted_at is not None
        raise Refused(BOTH_IN_BIN if is_in_bin else BOTH_ENTERED, tournament=entry.tournament.name)
    sitting = TableOccupancy.objects.filter(player__in=(player, other), left_at__isnull=True)
    if sitting.count() > 1:
        raise Refused(BOTH_AT_TABLES, name=player.registered_name)
    auction = (CalcuttaBid.objects.filter(buyer=other), CalcuttaShare.objects.filter(owner=other))
    if any(rows.exists() for rows in (*auction, CalcuttaLot.objects.filter(bought_back_by=other))):
        raise Refused(MERGE_BIDDER, name=other.registered_name)
    own = of_players([other.pk])
    exchanged = Q(source__kind=AccountKind.EXCHANGE) | Q(target__kind=AccountKind.EXCHANGE)
    exchanges = Transfer.objects.filter(own & exchanged, transaction__reversed_by__isnull=True)
    if exchanges.exclude(transaction__deed=Deed.REVERSAL).exists():
        raise Refused(MERGE_EXCHANGED, name=other.registered_name)


def _currencies(player: Player) -> list[str]:
    accounts = LedgerAccount.objects.filter(player=player).order_by()
    return list(accounts.values_list("currency", flat=True).distinct())


def _move_rows(player: Player, other: Player) -> None:
    """Moves what else refers to the other player, and deletes the player. Data that `player` lacks are added."""
    TableOccupancy.objects.filter(player=other).update(player=player)
    if not Pin.objects.filter(player=player).exists():
        Pin.objects.filter(player=other).update(player=player)
    for picture in WinnerPicture.objects.filter(players=other):
        picture.players.add(player)
    missing = [field for field in FIELDS if getattr(other, field) and not getattr(player, field)]
    for field in missing:
        setattr(player, field, getattr(other, field))
    player.conditions = sorted({*player.conditions, *other.conditions})
    other.delete()
    player.save(update_fields=[*missing, "conditions"])


def _post_consequences(
    book: Book, tournaments: Sequence[LockedTournament], players: Sequence[uuid.UUID], actor: Actor
) -> tuple[list[Difference], list[AwardChange]]:
    """Posts what is due once in the event, and the prizes that follow."""
    differences = charge_players(book.event.pk, players, actor)
    mark_paid_entries(book, players)
    reason = str(PLAYERS_CHANGED)
    prizes = [change for locked in tournaments for change in repost_awards(locked, actor, reason)]
    return differences, prizes
