"""Awards the pot of the auction of players to the owners of those who placed, and follows corrections.

Posting twice changes nothing. The lock on the tournament is taken before the lock on the book.
"""

import uuid
from collections import Counter, defaultdict
from collections.abc import Iterable

from django.utils import timezone

from tournament.access.actors import Actor
from tournament.brackets import advancing, storage
from tournament.brackets.advancing import LockedTournament
from tournament.draw.formats import Format
from tournament.draw.formats.layouts import ranked_brackets
from tournament.fees.amounts import Amount
from tournament.fees.schedule import CALCUTTA_POT
from tournament.ledger.accounts import player_account, pot
from tournament.ledger.recording import NewDeed, TransferLine, lock_book, replace
from tournament.ledger.settlement import mark_settled
from tournament.live.journal import JournalEntry
from tournament.models import Calcutta, CalcuttaLot, Deed, Entry, LedgerTransaction, Tournament
from tournament.places.certain import FINAL_RANKING, is_over, list_places, stored_facts
from tournament.prizes.calcutta import Lot, LotCharges, OwnerPrize, charges_of_lot, owner_prizes
from tournament.refusals.money import NOTHING_TO_AWARD
from tournament.runtime.errors import NotFound, Refused

OwnerAmounts = dict[uuid.UUID, Counter[str]]
"""Minor units by owner and line."""


def calcutta_of(tournament: Tournament) -> Calcutta:
    """Raises NotFound if the tournament has no auction."""
    row = Calcutta.objects.filter(tournament=tournament).first()
    if row is None:
        raise NotFound
    return row


def award_owners(tournament_id: uuid.UUID, actor: Actor) -> None:
    """Posts what the owners win. Raises Refused while the tournament is not over."""
    with advancing.lock_tournament(tournament_id) as locked:
        calcutta = calcutta_of(locked.tournament)
        sheet = storage.read(locked.tournament)
        if not is_over(list_places(locked.tournament, sheet, stored_facts(sheet))):
            raise Refused(NOTHING_TO_AWARD)
        if calcutta.awarded_at is None:
            calcutta.awarded_at = timezone.now()
            calcutta.save(update_fields=["awarded_at"])
        repost_owner_prizes(locked, actor, "")


def repost_owner_prizes(locked: LockedTournament, actor: Actor, reason: str) -> None:
    """After a change of results or lots: posts the differences, if the owners were awarded before it."""
    tournament = locked.tournament
    calcutta = Calcutta.objects.filter(tournament=tournament, awarded_at__isnull=False).first()
    if calcutta is None:
        return
    with lock_book(tournament.event_id) as book:
        due = _amounts_of(due_owner_prizes(tournament, calcutta))
        before, rows = _awarded(calcutta)
        changed = sorted(owner for owner in {*due, *before} if due.get(owner) != before.get(owner))
        deeds = [_deed(calcutta, owner, due[owner]) for owner in changed if owner in due]
        action = JournalEntry(
            "award auction",
            "tournament",
            tournament.pk,
            {"entries": _texts(before, changed, calcutta.currency)},
            {"entries": _texts(due, changed, calcutta.currency)},
            reason,
        )
        replace(book, [pk for owner in changed for pk in rows[owner]], deeds, action, actor)
        mark_settled(book, changed)


def due_owner_prizes(tournament: Tournament, calcutta: Calcutta) -> list[OwnerPrize[uuid.UUID]]:
    """The awards of the owners for the places that are certain now."""
    lots = sold_lots(calcutta)
    sheet = storage.read(tournament)
    lists = list_places(tournament, sheet, stored_facts(sheet))
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
    rows = list(lots)
    taken = {seat.entry_id for lot in rows for seat in lot.seats.all()}
    everybody = set(Entry.objects.filter(tournament=tournament).values_list("pk", flat=True))
    return [
        Lot(
            lot.number,
            frozenset(everybody - taken if lot.is_field else {seat.entry_id for seat in lot.seats.all()}),
            owners_of(lot),
        )
        for lot in rows
    ]


def _amounts_of(prizes: Iterable[OwnerPrize[uuid.UUID]]) -> OwnerAmounts:
    amounts: OwnerAmounts = defaultdict(Counter)
    for prize in prizes:
        amounts[prize.owner][prize.line] += prize.minor
    return dict(amounts)


def _texts(amounts: OwnerAmounts, owners: Iterable[uuid.UUID], currency: str) -> dict[str, str]:
    return {str(owner): str(Amount(amounts[owner].total(), currency)) for owner in owners if owner in amounts}


def _awards(calcutta: Calcutta) -> str:
    return f"owner prize {calcutta.pk} "


def _awarded(calcutta: Calcutta) -> tuple[OwnerAmounts, dict[uuid.UUID, list[int]]]:
    """The awards of each owner, and the transactions of it that were not reversed."""
    rows = LedgerTransaction.objects.filter(
        event=calcutta.tournament.event_id,
        deed=Deed.PRIZE,
        key__startswith=_awards(calcutta),
        reversed_by__isnull=True,
    )
    amounts: OwnerAmounts = defaultdict(Counter)
    transactions: dict[uuid.UUID, list[int]] = defaultdict(list)
    for pk, key, line, minor in rows.values_list("pk", "key", "transfers__line", "transfers__amount"):
        owner = uuid.UUID(key.split()[3])
        amounts[owner][line] += minor
        if pk not in transactions[owner]:
            transactions[owner].append(pk)
    return dict(amounts), transactions


def _deed(calcutta: Calcutta, owner: uuid.UUID, amounts: Counter[str]) -> NewDeed:
    prefix = f"{_awards(calcutta)}{owner} "
    revision = LedgerTransaction.objects.filter(
        event=calcutta.tournament.event_id, key__startswith=prefix
    ).count()
    account = player_account(owner, calcutta.currency)
    money = pot(calcutta.tournament_id, CALCUTTA_POT, calcutta.currency)
    lines = [TransferLine(line, account, money, minor) for line, minor in amounts.items()]
    return NewDeed(Deed.PRIZE, f"{prefix}{revision}", lines)
