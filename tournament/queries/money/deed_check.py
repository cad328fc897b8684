"""Compares closings, prizes, settlements, auctions, receipts and exchanges with their transfers. Reads only."""

import uuid
from collections import Counter
from collections.abc import Iterator

from django.utils.translation import gettext as _

from tournament.fees.amounts import Amount
from tournament.fees.schedule import CALCUTTA_POT
from tournament.ledger.accounts import AccountName, player_account, pot_account
from tournament.models import (
    PAYMENT_METHODS,
    AccountKind,
    Calcutta,
    CalcuttaLot,
    CashClosing,
    Deed,
    Entry,
    LedgerAccount,
    Pairing,
    Player,
    Receipt,
    Result,
    Settlement,
    Tournament,
    Transfer,
)
from tournament.money.agreed_prizes import current_settlements
from tournament.money.award_stamps import stamps_of
from tournament.money.calcutta_awards import charges_of, owner_changes
from tournament.money.due_awards import due_prizes, missing_added_money
from tournament.money.hedged_prizes import HEDGE, hedges_of_lines
from tournament.money.rates import rates_of_time
from tournament.money.receipts import number_of
from tournament.queries.money.book_rows import BookRows

EXCHANGED = (Deed.PAYMENT, Deed.REFUND, Deed.PAYOUT)
"""Deeds that can be in another currency than the debt or claim."""


def differences_of_deeds(book: BookRows) -> Iterator[str]:
    yield from _closings(book)
    yield from _moved_cash(book)
    yield from _awards(book)
    yield from _settlements(book)
    yield from _hedges(book)
    yield from _sold_lots(book)
    yield from _auction_awards(book)
    yield from _receipts(book)
    yield from _exchanges(book)


def _closings(book: BookRows) -> Iterator[str]:
    """The expected amount of a count is the sum of the till's transfers up to it, and its difference is posted.

    The difference is reversed exactly if the count was taken back.
    """
    for closing in CashClosing.objects.filter(event=book.event):
        pk = closing.account_id
        is_reversed = closing.difference_id in book.reversed_ids
        if closing.difference_id and is_reversed != bool(closing.taken_back_id):
            yield _("{account}: a count and its difference were not taken back together.").format(
                account=book.label(pk)
            )
        balance = sum(_moved_into(pk, row) for row in book.transfers if row.pk <= closing.last_transfer_id)
        posted = book.transfers_of[closing.difference_id] if closing.difference_id else []
        difference = sum(_moved_into(pk, row) for row in posted)
        for expected, moved, sentence in (
            (
                closing.expected,
                balance,
                _("{account}: {expected} were expected at the count, but the book had {moved}."),
            ),
            (
                closing.counted - closing.expected,
                difference,
                _("{account}: the count differed by {expected}, but {moved} were posted."),
            ),
        ):
            if expected != moved:
                currency = book.accounts[pk].currency
                yield sentence.format(
                    account=book.label(pk), expected=Amount(expected, currency), moved=Amount(moved, currency)
                )


def _moved_into(account: str, row: Transfer) -> int:
    return row.amount * ((row.target_id == account) - (row.source_id == account))


def _moved_cash(book: BookRows) -> Iterator[str]:
    """Handovers and the organizer's own cash are in the book as in the journal."""
    for transaction in book.transactions.values():
        if transaction.deed not in (Deed.HANDOVER, Deed.OWN_CASH):
            continue
        recorded = str(transaction.journal_line.after.get("amount", ""))
        for row in book.transfers_of[transaction.pk]:
            moved = str(Amount(row.amount, row.target_id[:3]))
            if moved != recorded:
                yield _("{account}: {recorded} in the journal, but {moved} in the book.").format(
                    account=book.label(row.target_id), recorded=recorded, moved=moved
                )


def _awards(book: BookRows) -> Iterator[str]:
    """Awards that are up to date are what the entries are due by their places, and added money is in the pots."""
    for tournament in _up_to_date(
        list(book.event.tournaments.exclude(awards_stamp="").order_by("created_at"))
    ):
        due = due_prizes(tournament)
        for change in due.changes:
            yield _("{player}: the prize in {tournament} is not what the standings say.").format(
                player=change.entry.registered_name, tournament=tournament.name
            )
        for (currency, key, _line), minor in missing_added_money(tournament, due).items():
            yield _("{account}: money of the organizer, or for a series, differs by {amount}.").format(
                account=book.label(pot_account(tournament.pk, key, currency).id_in(book.event.pk)),
                amount=Amount(minor, currency),
            )


def _up_to_date(tournaments: list[Tournament]) -> list[Tournament]:
    stamps = stamps_of(tournaments)
    return [row for row in tournaments if stamps[row.pk] == row.awards_stamp]


def _settlements(book: BookRows) -> Iterator[str]:
    """Agreed amounts are the two prizes together, and no player gave or took more than agreed."""
    moved: Counter[str] = Counter()
    for transaction in book.current_transactions(Deed.PRIZE):
        for row in book.transfers_of[transaction.pk]:
            moved[" ".join(row.line.split()[:2])] += row.amount
    for settlement in Settlement.objects.filter(
        pairing__round__bracket__tournament__event=book.event, result__isnull=False
    ):
        prizes = settlement.first_minor + settlement.second_minor
        agreed = settlement.left_minor + settlement.right_minor
        if prizes != agreed:
            yield _("{match}: {agreed} were agreed for prizes of {prizes} together.").format(
                match=_match_label(settlement.pairing),
                agreed=Amount(agreed, settlement.currency),
                prizes=Amount(prizes, settlement.currency),
            )
    for tournament in _up_to_date(list(book.event.tournaments.exclude(awards_stamp=""))):
        settlements = current_settlements(tournament)
        results = Result.objects.filter(
            pairing__in=[row.pairing_id for row in settlements], superseded_by__isnull=True
        )
        winners = dict(results.values_list("pairing", "winner"))
        for settlement in settlements:
            pairing = settlement.pairing
            amounts: dict[uuid.UUID | None, int] = {
                settlement.left_id: settlement.left_minor,
                settlement.right_id: settlement.right_minor,
            }
            most = abs(settlement.first_minor - amounts.get(winners[pairing.pk], settlement.first_minor))
            minor = moved[f"settlement {settlement.pairing_id}"]
            if minor > most:
                yield _("{match}: {moved} were given, but only {agreed} were agreed.").format(
                    match=_match_label(pairing),
                    moved=Amount(minor, settlement.currency),
                    agreed=Amount(most, settlement.currency),
                )


def _hedges(book: BookRows) -> Iterator[str]:
    """Payments by hedges that are up to date are between the players of an accepted hedge, and at most as agreed."""
    awarded = _up_to_date(list(book.event.tournaments.exclude(awards_stamp="")))
    entries = set(Entry.objects.filter(tournament__in=awarded).values_list("pk", flat=True))
    hedged = [
        row
        for transaction in book.current_transactions(Deed.PRIZE)
        if transaction.entry_id in entries
        for row in book.transfers_of[transaction.pk]
        if row.line.startswith(HEDGE)
    ]
    hedges = hedges_of_lines(row.line for row in hedged)
    for row in hedged:
        hedge = hedges.get(row.line)
        agreed = 0
        if hedge is not None and hedge.accepted_at is not None and hedge.closed_at is None:
            accounts = [
                player_account(entry.player_id, hedge.currency).id_in(book.event.pk)
                for entry in (hedge.left, hedge.right)
            ]
            moves = {
                (accounts[1], accounts[0]): hedge.left_minor,
                (accounts[0], accounts[1]): hedge.right_minor,
            }
            agreed = moves.get((row.source_id, row.target_id), 0)
        if row.amount > agreed:
            currency = row.source_id[:3]
            yield _("{match}: {moved} were given by a hedge, but only {agreed} were agreed.").format(
                match=_match_label(hedge.pairing) if hedge else book.label(row.source_id),
                moved=Amount(row.amount, currency),
                agreed=Amount(agreed, currency),
            )


def _match_label(pairing: Pairing) -> str:
    left, right = (entry.registered_name if entry else "–" for entry in (pairing.left, pairing.right))
    return _("{left} – {right}").format(left=left, right=right)


def _sold_lots(book: BookRows) -> Iterator[str]:
    """The owners of a sold lot are charged its last bid by their shares; other lots are charged nothing."""
    rows = CalcuttaLot.objects.filter(calcutta__tournament__event=book.event)
    lots = {row.pk: row for row in rows.select_related("calcutta").prefetch_related("bids", "shares")}
    charged: dict[uuid.UUID, Counter[tuple[str, str]]] = {pk: Counter() for pk in lots}
    for transaction in book.current_transactions(Deed.CHARGE, "calcutta "):
        moved = charged.setdefault(uuid.UUID(transaction.key.split()[1]), Counter())
        for row in book.transfers_of[transaction.pk]:
            moved[row.source_id, row.target_id] += row.amount
    for pk, moved in charged.items():
        lot = lots.get(pk)
        due = _due_of_lot(book, lot) if lot is not None and lot.sold_at else Counter()
        if moved != due:
            yield _(
                "Auction, lot {number}: {charged} are charged, but the bid and the shares say {due}."
            ).format(number=lot.number if lot else "–", charged=_sums(moved), due=_sums(due))


def _due_of_lot(book: BookRows, lot: CalcuttaLot) -> Counter[tuple[str, str]]:
    currency, charges = lot.calcutta.currency, charges_of(lot)
    money = pot_account(lot.calcutta.tournament_id, CALCUTTA_POT, currency).id_in(book.event.pk)
    due = Counter(
        {
            (money, player_account(owner, currency).id_in(book.event.pk)): minor
            for owner, minor in charges.owners.items()
        }
    )
    due[AccountName(AccountKind.REGISTRATION, currency).id_in(book.event.pk), money] = charges.rake
    return due


def _sums(moved: Counter[tuple[str, str]]) -> str:
    """The amounts of transfers between accounts, smallest first."""
    amounts = [Amount(minor, source[:3]) for (source, _target), minor in moved.items() if minor]
    return ", ".join(map(str, sorted(amounts, key=lambda amount: amount.minor))) or "0"


def _auction_awards(book: BookRows) -> Iterator[str]:
    """Awards of owners that are up to date are what they are due by the places."""
    auctions = Calcutta.objects.filter(tournament__event=book.event, tournament__deleted_at__isnull=True)
    rows = list(auctions.exclude(awards_stamp="").select_related("tournament"))
    stamps = stamps_of([row.tournament for row in rows])
    for row in rows:
        if stamps[row.tournament_id] != row.awards_stamp:
            continue
        owners = [change.owner for change in owner_changes(row.tournament, row)]
        for player in Player.objects.filter(pk__in=owners).order_by("name", "pk"):
            yield _(
                "{player}: the prize in the auction of {tournament} is not what the standings say."
            ).format(player=player.registered_name, tournament=row.tournament.name)


def _receipts(book: BookRows) -> Iterator[str]:
    """The amount of a receipt is what the till received, and a payment that was taken back has a counter-receipt."""
    rows = Receipt.objects.filter(event=book.event).select_related("cancelled_by").order_by("year", "number")
    for receipt in rows:
        moved: Counter[str] = Counter()
        for row in book.transfers_of[receipt.transaction_id or 0]:
            for pk, sign in ((row.target_id, 1), (row.source_id, -1)):
                if pk in book.accounts and book.accounts[pk].kind in PAYMENT_METHODS:
                    moved[book.accounts[pk].currency] += sign * row.amount
        if moved != Counter({receipt.currency: receipt.amount}):
            yield _("Receipt {number}: {amount} are printed, but the till received {moved}.").format(
                number=number_of(receipt),
                amount=Amount(receipt.amount, receipt.currency),
                moved=", ".join(str(Amount(minor, currency)) for currency, minor in moved.items()) or "0",
            )
        if receipt.transaction_id in book.reversed_ids and not hasattr(receipt, "cancelled_by"):
            yield _("Receipt {number}: its payment was taken back, but no receipt cancels it.").format(
                number=number_of(receipt)
            )


def _exchanges(book: BookRows) -> Iterator[str]:
    """A payment in another currency pays its worth at the rate of its time, with the rounding."""
    find_rate = rates_of_time(book.event)
    for transaction in book.transactions.values():
        moved: Counter[str] = Counter()
        till = ""
        for row in book.transfers_of[transaction.pk]:
            for pk, sign in ((row.target_id, 1), (row.source_id, -1)):
                account = book.accounts.get(pk)
                if account is not None and account.kind == AccountKind.EXCHANGE:
                    moved[account.currency] += sign * row.amount
                elif account is not None and account.kind in PAYMENT_METHODS:
                    till = account.currency
        base = next((currency for currency in moved if currency != till), "")
        if transaction.deed not in EXCHANGED or not moved:
            continue
        paid, settled = Amount(-moved[till], till), Amount(moved[base], base)
        rate = find_rate(base, till, transaction.journal_line_id)
        if rate is None or rate.worth(paid) != settled:
            yield _(
                "{account}: {paid} were exchanged for {settled}, but the rate of that time says {worth}."
            ).format(
                account=book.labels.of_account(LedgerAccount(kind=AccountKind.EXCHANGE, currency=base)),
                paid=paid,
                settled=settled,
                worth=rate.worth(paid) if rate else _("that there was none"),
            )
