"""The auction of players: its terms, lots, bids, sales and shares. A sale charges the owners in the ledger.

Every change takes the lock on the tournament, then the lock on the book.
"""

import uuid
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any

from django.db.models import Exists, Max, OuterRef, Q
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.brackets.advancing import LockedTournament
from tournament.entries.player_names import Naming
from tournament.entries.removal import players_without_purpose
from tournament.fees.amounts import Amount
from tournament.fees.schedule import CALCUTTA_POT
from tournament.ledger.accounts import AccountName, player_account, pot_account
from tournament.ledger.balances import IS_CHARGE, open_amounts
from tournament.ledger.paid_marks import mark_paid_entries
from tournament.ledger.recording import NewDeed, TransferLine, lock_book, replace
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import (
    AccountKind,
    Calcutta,
    CalcuttaBid,
    CalcuttaLot,
    CalcuttaSeat,
    CalcuttaShare,
    Deed,
    Entry,
    LedgerTransaction,
    Player,
    Tournament,
    Transfer,
)
from tournament.money.calcutta_awards import calcutta_of, charges_of, owners_of, repost_owner_prizes
from tournament.prizes.calcutta import bought_back, smallest_bid
from tournament.refusals.money import (
    AUCTION_CHANGED,
    BID_TOO_LOW,
    BIDS_ARE_RECORDED,
    LOT_CHANGED,
    LOT_NOT_POSSIBLE,
    LOTS_ARE_SOLD,
)
from tournament.runtime.errors import NotFound, Refused
from tournament.runtime.event_lock import lock_event
from tournament.runtime.revisions import refuse_changed_settings


@dataclass(frozen=True, slots=True)
class Terms:
    """Amounts are minor units; `rake` is in hundredths of a percent; `split` lists the percent of each place."""

    currency: str
    minimum: int
    step: int
    rake: int
    split: tuple[int, ...]
    is_public: bool = False


@dataclass(frozen=True, slots=True)
class Buyer:
    """A player of the event, or a person of that name who is not in it yet."""

    player_id: uuid.UUID | None
    name: str = ""


@dataclass(frozen=True, slots=True)
class ExpectedLot:
    """A lot and its state on the page, so that a repeated or late request changes nothing."""

    id: uuid.UUID
    state: str


def state_of(lot: CalcuttaLot) -> str:
    """Changes with every bid, sale and share."""
    shares = sorted((str(share.owner_id), share.parts) for share in lot.shares.all())
    parts = [lot.bids.count(), lot.sold_at is not None, shares]
    return uuid.uuid5(uuid.NAMESPACE_OID, str(parts)).hex


def terms_settings(calcutta: Calcutta | None) -> dict[str, Any]:
    """The stored terms of the auction; empty without one."""
    return {field.name: getattr(calcutta, field.name) for field in fields(Terms)} if calcutta else {}


def set_terms(tournament_id: uuid.UUID, terms: Terms, actor: Actor, *, revision: str = "") -> Calcutta:
    """Switches the auction on, or changes its terms.

    `revision`: that of the stored terms that these replace; empty to replace any. Raises Refused if they have another
    one, for another currency once a bid is recorded, and for another rake once a lot is sold.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        tournament = locked.tournament
        stored = Calcutta.objects.filter(tournament=tournament).first()
        refuse_changed_settings(terms_settings(stored), revision, AUCTION_CHANGED)
        row = stored or Calcutta(tournament=tournament)
        if row.currency != terms.currency and CalcuttaBid.objects.filter(lot__calcutta=row).exists():
            raise Refused(BIDS_ARE_RECORDED, currency=row.currency)
        if row.rake != terms.rake and _is_sold(tournament):
            raise Refused(LOTS_ARE_SOLD)
        row.currency, row.minimum, row.step = terms.currency, terms.minimum, terms.step
        row.rake, row.split, row.is_public = terms.rake, list(terms.split), terms.is_public
        row.save()
        after = {"currency": terms.currency}
        journal.write(
            tournament, actor, JournalEntry("set auction", "tournament", tournament.pk, after=after)
        )
        repost_owner_prizes(locked, actor, "")
        return row


def switch_off(tournament_id: uuid.UUID, actor: Actor) -> None:
    """Removes the auction with its lots and bids. Raises Refused while a lot is sold."""
    with advancing.lock_tournament(tournament_id) as locked:
        if _is_sold(locked.tournament):
            raise Refused(LOTS_ARE_SOLD)
        calcutta = Calcutta.objects.filter(tournament=locked.tournament)
        bids = CalcuttaBid.objects.filter(lot__calcutta__tournament=locked.tournament)
        buyers = set(bids.values_list("buyer", flat=True))
        if calcutta.delete()[0]:
            _remove_buyers(buyers)
            _write(locked, "remove auction", actor)


def add_lots(
    tournament_id: uuid.UUID, lots: Sequence[Collection[uuid.UUID]], actor: Actor, *, is_field: bool = False
) -> None:
    """Adds a lot of entries for each of `lots`, or the field, which lists none.

    Raises Refused if an entry or the field has a lot.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        calcutta = calcutta_of(locked.tournament)
        entries = [entry for lot in lots for entry in lot]
        own = Entry.objects.filter(tournament=locked.tournament, pk__in=entries)
        free = own.filter(calcutta_seat__isnull=True).count()
        has_field = calcutta.lots.filter(is_field=True).exists()
        if free != len(entries) or bool(free) == is_field or (is_field and has_field):
            raise Refused(LOT_NOT_POSSIBLE)
        last = calcutta.lots.aggregate(last=Max("number"))["last"] or 0
        rows = CalcuttaLot.objects.bulk_create(
            CalcuttaLot(calcutta=calcutta, number=number, is_field=is_field)
            for number in range(last + 1, last + 1 + len(lots))
        )
        CalcuttaSeat.objects.bulk_create(
            CalcuttaSeat(lot=row, entry_id=entry)
            for row, seated in zip(rows, lots, strict=True)
            for entry in seated
        )
        _write(locked, "change lots", actor)


def remove_lot(tournament_id: uuid.UUID, expected: ExpectedLot, actor: Actor) -> None:
    """Raises Refused for a lot with a bid."""
    with _lock_lot(tournament_id, expected) as (locked, lot):
        if lot.bids.exists():
            raise Refused(LOT_NOT_POSSIBLE)
        lot.delete()
        _write(locked, "change lots", actor)


def bid(tournament_id: uuid.UUID, expected: ExpectedLot, buyer: Buyer, minor: int, actor: Actor) -> None:
    """Records the next bid. Raises Refused below the least bid, and for a sold lot."""
    with _lock_lot(tournament_id, expected) as (locked, lot):
        last = lot.bids.last()
        least = smallest_bid(lot.calcutta.minimum, lot.calcutta.step, last.amount if last else 0)
        if lot.sold_at is not None:
            raise Refused(LOT_CHANGED)
        if minor < least:
            raise Refused(BID_TOO_LOW, least=Amount(least, lot.calcutta.currency))
        person = _find_person(locked.tournament, buyer)
        number = last.number + 1 if last else 1
        CalcuttaBid.objects.create(lot=lot, number=number, buyer=person, amount=minor, at=timezone.now())
        _write(locked, "bid", actor, person.pk, Amount(minor, lot.calcutta.currency))


def sell(tournament_id: uuid.UUID, expected: ExpectedLot, actor: Actor) -> None:
    """Sells the lot to its last bidder, who is charged the bid. Raises Refused without a bid."""
    with _lock_lot(tournament_id, expected) as (locked, lot):
        last = lot.bids.last()
        if lot.sold_at is not None or last is None:
            raise Refused(LOT_CHANGED)
        lot.sold_at = timezone.now()
        lot.save(update_fields=["sold_at"])
        CalcuttaShare.objects.create(lot=lot, owner_id=last.buyer_id, parts=1)
        _post(locked, lot, "sell lot", actor)


def undo_last(tournament_id: uuid.UUID, expected: ExpectedLot, actor: Actor) -> None:
    """Takes the sale back with all its charges; if the lot is not sold, its last bid. Raises Refused without one.

    A bid of a person whose data were removed goes with the sale: nobody could be charged again.
    """
    with _lock_lot(tournament_id, expected) as (locked, lot):
        last = lot.bids.last()
        if lot.sold_at is not None:
            lot.sold_at, lot.bought_back_by = None, None
            lot.save(update_fields=["sold_at", "bought_back_by"])
            owners = owners_of(lot)
            lot.shares.all().delete()
            lot.bids.filter(buyer__removed_at__isnull=False).delete()
            _post(locked, lot, "take sale back", actor)
            _remove_buyers(owners)
        elif last is not None:
            CalcuttaBid.objects.filter(pk=last.pk).delete()
            _remove_buyers([last.buyer_id])
            _write(locked, "take bid back", actor, last.buyer_id, Amount(last.amount, lot.calcutta.currency))
        else:
            raise Refused(LOT_CHANGED)


def buy_back(tournament_id: uuid.UUID, expected: ExpectedLot, player_id: uuid.UUID, actor: Actor) -> None:
    """A player of the lot buys half of it for half of the bid, once. Raises Refused for the field."""
    with _lock_lot(tournament_id, expected) as (locked, lot):
        is_in_lot = lot.seats.filter(entry__player=player_id).exists()
        if lot.sold_at is None or lot.bought_back_by_id is not None or not is_in_lot:
            raise Refused(LOT_NOT_POSSIBLE)
        lot.bought_back_by_id = player_id
        lot.save(update_fields=["bought_back_by"])
        parts = bought_back(owners_of(lot), player_id)[player_id]
        CalcuttaShare.objects.update_or_create(lot=lot, owner_id=player_id, defaults={"parts": parts})
        _post(locked, lot, "share lot", actor)


def set_share(
    tournament_id: uuid.UUID, expected: ExpectedLot, owner: Buyer, parts: int, actor: Actor
) -> None:
    """Gives the owner so many parts of the sold lot; 0 ends the share. Raises Refused if nobody would own it."""
    with _lock_lot(tournament_id, expected) as (locked, lot):
        if owner.player_id is None and not parts:
            raise Refused(LOT_NOT_POSSIBLE)
        person = _find_person(locked.tournament, owner)
        if owners_of(lot).get(person.pk, 0) == parts:
            return
        if lot.sold_at is None or not (parts or lot.shares.exclude(owner=person).exists()):
            raise Refused(LOT_NOT_POSSIBLE)
        if parts:
            CalcuttaShare.objects.update_or_create(lot=lot, owner=person, defaults={"parts": parts})
        else:
            lot.shares.filter(owner=person).delete()
        _post(locked, lot, "share lot", actor)
        _remove_buyers([person.pk])


@contextmanager
def _lock_lot(
    tournament_id: uuid.UUID, expected: ExpectedLot
) -> Iterator[tuple[LockedTournament, CalcuttaLot]]:
    """Raises NotFound for a lot of another tournament, Refused if it changed since it was shown."""
    with advancing.lock_tournament(tournament_id) as locked:
        rows = CalcuttaLot.objects.filter(calcutta=calcutta_of(locked.tournament))
        lot = rows.select_related("calcutta").filter(pk=expected.id).first()
        if lot is None:
            raise NotFound
        if state_of(lot) != expected.state:
            raise Refused(LOT_CHANGED)
        yield locked, lot


def _find_person(tournament: Tournament, buyer: Buyer) -> Player:
    """Raises NotFound for a player of another event or without personal data.

    A new name becomes a player of the event without an entry. Events that shorten names shorten it too. Takes the lock
    on the event, under which players are merged, and removed with their last entry.
    """
    lock_event(tournament.event_id)
    if buyer.player_id is None:
        person = Player(event=tournament.event)
        Naming.of(tournament.event).name_player(person, buyer.name)
        person.save()
        return person
    rows = Player.objects.filter(event=tournament.event_id, removed_at__isnull=True)
    player = rows.filter(pk=buyer.player_id).first()
    if player is None:
        raise NotFound
    return player


def _remove_buyers(buyers: Collection[uuid.UUID]) -> None:
    """Removes those of them who have nothing else in the event, such as a misspelled name.

    Players who paid or won, or who owe something, stay.
    """
    own = Q(source__player=OuterRef("pk")) | Q(target__player=OuterRef("pk"))
    leaving = players_without_purpose(buyers).filter(~Exists(Transfer.objects.filter(own).exclude(IS_CHARGE)))
    for player in leaving:
        if not open_amounts(player.event_id, [player.pk]):
            player.delete()


def _is_sold(tournament: Tournament) -> bool:
    return CalcuttaLot.objects.filter(calcutta__tournament=tournament, sold_at__isnull=False).exists()


def _post(locked: LockedTournament, lot: CalcuttaLot, verb: str, actor: Actor) -> None:
    """Charges the owners by their shares, in place of what was charged for the lot before."""
    tournament, prefix = locked.tournament, f"calcutta {lot.pk} "
    with lock_book(tournament.event_id) as book:
        rows = LedgerTransaction.objects.filter(event=book.event, key__startswith=prefix)
        replaced = rows.filter(reversed_by__isnull=True)
        players = {*lot.shares.values_list("owner", flat=True)}
        charged = replaced.filter(transfers__target__player__isnull=False)
        players |= {*charged.values_list("transfers__target__player", flat=True)}
        deeds = [NewDeed(Deed.CHARGE, f"{prefix}{rows.count()}", _lines(lot))] if lot.sold_at else []
        last = lot.bids.last()
        after = {"amount": str(Amount(last.amount if last else 0, lot.calcutta.currency))}
        action = JournalEntry(verb, "tournament", tournament.pk, after=after)
        replace(book, list(replaced.values_list("pk", flat=True)), deeds, action, actor)
        mark_paid_entries(book, players)
    repost_owner_prizes(locked, actor, "")


def _lines(lot: CalcuttaLot) -> list[TransferLine]:
    """Every owner pays into the pot; the rake goes from the pot to the organizer."""
    currency, charges = lot.calcutta.currency, charges_of(lot)
    money = pot_account(lot.calcutta.tournament_id, CALCUTTA_POT, currency)
    lines = [
        TransferLine(f"calcutta {lot.number} {owner.hex}", money, player_account(owner, currency), minor)
        for owner, minor in charges.owners.items()
    ]
    income = AccountName(AccountKind.REGISTRATION, currency)
    return [*lines, TransferLine("calcutta rake", income, money, charges.rake)]


def _write(
    locked: LockedTournament,
    verb: str,
    actor: Actor,
    player_id: uuid.UUID | None = None,
    amount: Amount | None = None,
) -> None:
    after = {"player": str(player_id), "amount": str(amount)} if player_id else {}
    journal.write(
        locked.tournament, actor, JournalEntry(verb, "tournament", locked.tournament.pk, after=after)
    )
