"""Awards the pot of the auction of players to the owners of those who placed, and follows corrections.

Posting twice changes nothing. The lock on the tournament is taken before the lock on the book.
"""

import uuid
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from tournament.access.actors import Actor
from tournament.brackets import advancing, storage
from tournament.brackets.advancing import LockedTournament
from tournament.brackets.storage import Sheet
from tournament.draw.formats import Format
from tournament.draw.formats.layouts import ranked_brackets
from tournament.fees.amounts import Amount
from tournament.fees.schedule import CALCUTTA_POT
from tournament.ledger.accounts import player_account, pot_account
from tournament.ledger.paid_marks import mark_paid_entries
from tournament.ledger.recording import NewDeed, TransferLine, lock_book, replace
from tournament.live.journal import JournalEntry
from tournament.models import Calcutta, CalcuttaLot, Deed, Entry, LedgerTransaction, Tournament
from tournament.money.award_stamps import stamp_of
from tournament.places.certain import FINAL_RANKING, FactsAndSeating, is_over, list_places, resolved_facts
from tournament.prizes.calcutta import Lot, LotCharges, OwnerPrize, charges_of_lot, owner_prizes
from tournament.refusals.money import NOTHING_TO_AWARD
from tournament.runtime.errors import NotFound, Refused


@dataclass(frozen=True, slots=True)
class OwnerChange:
    """The awards of an owner by the transactions `reversed_rows`, and the awards that the owner is due; by line."""

    owner: uuid.UUID
    currency: str
    before: Counter[str]
    after: Counter[str]
    reversed_rows: tuple[int, ...]

    @property
    def amount_before(self) -> Amount:
        return Amount(self.before.total(), self.currency)

    @property
    def amount_after(self) -> Amount:
        return Amount(self.after.total(), self.currency)


def calcutta_of(tournament: Tournament) -> Calcutta:
    """Raises NotFound if the tournament has no auction or is in the bin."""
    row = Calcutta.objects.filter(tournament=tournament, tournament__deleted_at__isnull=True).first()
    if row is None:
        raise NotFound
    return row


def award_owners(tournament_id: uuid.UUID, actor: Actor) -> None:
    """Posts what the owners win. Raises Refused while the tournament is not over."""
    with advancing.lock_tournament(tournament_id) as locked:
        calcutta = calcutta_of(locked.tournament)
        sheet = storage.read(locked.tournament)
        if not is_over(list_places(locked.tournament, sheet, resolved_facts(sheet))):
            raise Refused(NOTHING_TO_AWARD)
        _post(locked, calcutta, actor, "")


def repost_owner_prizes(locked: LockedTournament, actor: Actor, reason: str) -> None:
    """After a change of results or lots: posts the differences, if the owners were awarded before it."""
    calcutta = _awarded_auctions(locked.tournament).first()
    if calcutta is not None:
        _post(locked, calcutta, actor, reason)


def are_owners_awarded(tournament: Tournament) -> bool:
    return _awarded_auctions(tournament).exists()


def _awarded_auctions(tournament: Tournament) -> QuerySet[Calcutta]:
    return Calcutta.objects.filter(tournament=tournament).exclude(awards_stamp="")


def _post(locked: LockedTournament, calcutta: Calcutta, actor: Actor, reason: str) -> None:
    tournament = locked.tournament
    with lock_book(tournament.event_id) as book:
        changes = owner_changes(tournament, calcutta)
        deeds = _deeds(calcutta, changes)
        before = {str(change.owner): str(change.amount_before) for change in changes if change.before}
        after = {str(change.owner): str(change.amount_after) for change in changes if change.after}
        action = JournalEntry(
            "award auction", "tournament", tournament.pk, {"entries": before}, {"entries": after}, reason
        )
        replace(book, [pk for change in changes for pk in change.reversed_rows], deeds, action, actor)
        mark_paid_entries(book, [change.owner for change in changes])
    calcutta.awards_stamp = stamp_of(locked)
    calcutta.save(update_fields=["awards_stamp"])


def owner_changes(
    tournament: Tournament,
    calcutta: Calcutta,
    *,
    sheet: Sheet | None = None,
    facts: FactsAndSeating | None = None,
) -> list[OwnerChange]:
    """The changes that awarding the owners would post for the places that are certain now, or by other facts."""
    due: dict[uuid.UUID, Counter[str]] = defaultdict(Counter)
    for prize in _due_owner_prizes(tournament, calcutta, sheet or storage.read(tournament), facts):
        due[prize.owner][prize.line] += prize.minor
    awarded, rows = _awarded(calcutta)
    return [
        OwnerChange(owner, calcutta.currency, awarded[owner], due[owner], tuple(rows[owner]))
        for owner in sorted({*due, *awarded})
        if due[owner] != awarded[owner]
    ]


def _due_owner_prizes(
    tournament: Tournament, calcutta: Calcutta, sheet: Sheet, facts: FactsAndSeating | None
) -> list[OwnerPrize[uuid.UUID]]:
    lots = sold_lots(calcutta)
    lists = list_places(tournament, sheet, facts or resolved_facts(sheet))
    top = FINAL_RANKING if FINAL_RANKING in lists else ranked_brackets(Format.from_json(tournament.format))[0]
    if top not in lists or not lots:
        return []
    money = sum(charges_of(lot).pot for lot in lots)
    return owner_prizes(
        calcutta.currency, money, calcutta.split, top, lists[top].places, _lots_of(tournament, lots)
    )


def sold_lots(calcutta: Calcutta) -> list[CalcuttaLot]:
    rows = CalcuttaLot.objects.filter(calcutta=calcutta, sold_at__isnull=False).select_related("calcutta")
    return list(rows.prefetch_related("bids", "shares", "seats"))


def charges_of(lot: CalcuttaLot) -> LotCharges[uuid.UUID]:
    """The charges of the owners of a sold lot."""
    return charges_of_lot(max(bid.amount for bid in lot.bids.all()), owners_of(lot), lot.calcutta.rake)


def owners_of(lot: CalcuttaLot) -> dict[uuid.UUID, int]:
    return {share.owner_id: share.parts for share in lot.shares.all()}


def _lots_of(tournament: Tournament, lots: Iterable[CalcuttaLot]) -> list[Lot[uuid.UUID, uuid.UUID]]:
    """The lots with all entries of their players: a re-entry belongs to the lot of the entry that was sold."""
    rows = list(lots)
    player_of = dict(Entry.objects.filter(tournament=tournament).values_list("pk", "player"))
    sold = {lot.pk: {player_of[seat.entry_id] for seat in lot.seats.all()} for lot in rows}
    field = set(player_of.values()).difference(*sold.values())
    return [
        Lot(
            lot.number,
            frozenset(
                entry
                for entry, player in player_of.items()
                if player in (field if lot.is_field else sold[lot.pk])
            ),
            owners_of(lot),
        )
        for lot in rows
    ]


def _awards(calcutta: Calcutta) -> str:
    return f"owner prize {calcutta.pk} "


def _awarded(calcutta: Calcutta) -> tuple[dict[uuid.UUID, Counter[str]], dict[uuid.UUID, list[int]]]:
    """The awards of each owner, and the transactions of it that were not reversed."""
    rows = LedgerTransaction.objects.filter(
        event=calcutta.tournament.event_id,
        deed=Deed.PRIZE,
        key__startswith=_awards(calcutta),
        reversed_by__isnull=True,
    )
    amounts: dict[uuid.UUID, Counter[str]] = defaultdict(Counter)
    transactions: dict[uuid.UUID, list[int]] = defaultdict(list)
    for pk, key, line, minor in rows.values_list("pk", "key", "transfers__line", "transfers__amount"):
        owner = _owner_in(key)
        amounts[owner][line] += minor
        if pk not in transactions[owner]:
            transactions[owner].append(pk)
    return amounts, transactions


def _deeds(calcutta: Calcutta, changes: Iterable[OwnerChange]) -> list[NewDeed]:
    prefix, currency = _awards(calcutta), calcutta.currency
    rows = LedgerTransaction.objects.filter(event=calcutta.tournament.event_id, key__startswith=prefix)
    revisions = Counter(_owner_in(key) for key in rows.values_list("key", flat=True))
    money = pot_account(calcutta.tournament_id, CALCUTTA_POT, currency)
    return [
        NewDeed(
            Deed.PRIZE,
            f"{prefix}{change.owner} {revisions[change.owner]}",
            [
                TransferLine(line, player_account(change.owner, currency), money, minor)
                for line, minor in change.after.items()
            ],
        )
        for change in changes
        if change.after
    ]


def _owner_in(key: str) -> uuid.UUID:
    return uuid.UUID(key.split()[3])
