"""The check of the books finds damage that got past the triggers of the database."""

import uuid
from contextlib import contextmanager
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from tests.tournament import stories
from tests.tournament.money.stories import SPLIT, TERMS, pay, sell_lot, with_pot
from tests.tournament.money.test_settling import phone
from tournament.brackets import advancing
from tournament.corrections import repair
from tournament.entries import registration
from tournament.fees.amounts import Amount
from tournament.fees.exchange import Rate
from tournament.fees.schedule import Fee, FeeSchedule, Share, SidePool, Target
from tournament.models import (
    AccountKind,
    CalcuttaBid,
    CalcuttaLot,
    CashClosing,
    Deed,
    Entry,
    JournalLine,
    LedgerAccount,
    LedgerTransaction,
    Receipt,
    Settlement,
    Transfer,
)
from tournament.money import awards, calcutta, fees, hedging, payments, rates, receipts, settling, tills
from tournament.money.calcutta_awards import award_owners
from tournament.money.settling import Agreement
from tournament.money.tills import Count, OwnCash
from tournament.queries.money.book_check import differences_in_books

pytestmark = pytest.mark.django_db
SCHEDULE = FeeSchedule(
    "EUR",
    Fee(60_00),
    Fee(10_00),
    shares=(Share(Target.FEDERATION, percent=2000),),
    pools=(SidePool("1", "Side pool 1", Fee(15_00)),),
)


@pytest.fixture
def made(actor):
    """Three players who are charged; the first has paid, took it back and paid again."""
    made = stories.entered(actor, 3)
    fees.set_schedule(made.pk, SCHEDULE, actor)
    made.refresh_from_db()
    first = made.entries.earliest("entered_at")
    row = pay(made.event, first.player_id, 70_00, actor)
    payments.undo_payment(made.event, row.pk, actor)
    pay(made.event, first.player_id, 70_00, actor)
    return made


def drop_checks():
    place = " ON tournament_{0}" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            name = "settlement_keeps_the_sum_of_the_prizes"
            cursor.execute(f"ALTER TABLE tournament_settlement DROP CONSTRAINT {name}")
        else:
            cursor.execute("PRAGMA ignore_check_constraints = ON")
        for table in ("transfer", "ledgertransaction"):
            cursor.execute(f"DROP TRIGGER tournament_{table}_is_never_changed{place.format(table)}")


def transfer(deed, account):
    return Transfer.objects.filter(transaction__deed=deed, source__kind=account)


DAMAGES = {
    "a charge has another amount": (
        lambda: transfer(Deed.CHARGE, AccountKind.FEDERATION).update(amount=1),
        "Federation: Βασίλης 1 is charged 11.99 EUR too little by the fees of Open.",
    ),
    "a charge goes into another account": (
        lambda: transfer(Deed.CHARGE, AccountKind.POT).update(
            source=LedgerAccount.objects.get(kind=AccountKind.FEDERATION)
        ),
        "Open: Main pot: Βασίλης 1 is charged 48.00 EUR too little by the fees of Open.",
    ),
    "a payment has another amount": (
        lambda: transfer(Deed.PAYMENT, AccountKind.PLAYER).update(amount=71_00),
        "Βασίλης 1: 70.00 EUR in the journal, but 71.00 EUR in the book.",
    ),
    "a payment is lost": (
        lambda: transfer(Deed.PAYMENT, AccountKind.PLAYER).last().delete(),
        "has lost its transfers.",
    ),
    "a reversal has another amount": (
        lambda: Transfer.objects.filter(transaction__deed=Deed.REVERSAL).update(amount=1),
        "is not the opposite of",
    ),
    "an account has another name": (
        lambda: LedgerAccount.objects.filter(kind=AccountKind.CASH).update(name="other"),
        "Cash box other: its key EUR:",
    ),
    "a charge has lost its entry": (
        lambda: LedgerTransaction.objects.filter(deed=Deed.CHARGE).update(entry=None),
        "Open: Main pot: 144.00 EUR comes from entries of no or another tournament.",
    ),
    "a mark of payment is wrong": (
        lambda: Entry.objects.filter(is_paid=True).update(is_paid=False),
        "Βασίλης 1 has paid, but the entry in Open is marked as not paid.",
    ),
}  # fmt: skip


def test_the_books_of_an_event_agree_with_its_entries_and_marks_of_payment_are_repaired(made, actor):
    registration.withdraw(made.entries.latest("entered_at"), actor)
    registration.remove(made.entries.order_by("entered_at")[1], actor)
    assert differences_in_books(made.event) == []
    Entry.objects.update(is_paid=False)
    assert repair.rebuild(made.event) == 1
    assert differences_in_books(made.event) == []


def test_the_check_names_the_event_and_the_account_of_a_damage(made, capsys):
    for name, (do, sentence) in DAMAGES.items():
        with damaged(do), pytest.raises(CommandError):
            call_command("rebuild", made.event.slug, "--check")
        lines = capsys.readouterr().out.splitlines()
        assert any(line.startswith(made.event.slug) and sentence in line for line in lines), (name, lines)


@contextmanager
def damaged(do):
    """Damages the database without its triggers and constraints, and takes everything back afterwards."""
    try:
        with transaction.atomic():
            drop_checks()
            do()
            yield
            transaction.set_rollback(True)
    finally:
        if connection.vendor == "sqlite":
            connection.cursor().execute("PRAGMA ignore_check_constraints = OFF")


@pytest.fixture
def finished(actor):
    """Four players at 30 EUR, and 30 EUR of the organizer for prizes. A lot of the auction is sold.

    The final is settled, prizes are awarded, and a till is counted.

    One player paid 100 SEK more and has a receipt. The organizer put 20 EUR into the cash box.
    """
    made = with_pot(stories.released(actor, 4), actor, replace(SPLIT, added=30_00))
    first = made.entries.earliest("entered_at")
    rates.set_rate(made.event, Rate("EUR", "SEK", 11_000_000), actor)
    rates.set_rate(made.event, Rate("EUR", "SEK", 10_000_000), actor)
    row = pay(made.event, first.player_id, 100_00, actor, currency="SEK", open_currency="EUR")
    receipts.issue_receipt(made.event, row.pk, actor)
    rates.set_rate(made.event, Rate("EUR", "SEK", 12_000_000), actor)
    till = LedgerAccount.objects.get(kind=AccountKind.CASH, currency="SEK")
    count = Count(90_00, tills.last_transfer_of(till), "Ana", "Miscounted")
    tills.close_till(made.event, till.name, "SEK", count, actor)
    tills.move_own_cash(made.event, OwnCash(uuid.uuid4(), Amount(20_00, "EUR"), "Change"), actor)
    semifinals = stories.playable(made)
    hedge = hedging.propose(semifinals[0], (10_00, 10_00), phone(semifinals[0].left))
    hedging.accept(semifinals[0], hedge.pk, phone(semifinals[0].right))
    for pairing in semifinals:
        stories.play(pairing, actor)
    (final,) = stories.playable(made)
    result = settling.settle_at_desk(final, Agreement(final.left_id, (90_00, 60_00)), "", actor)
    advancing.advance(result.pk)
    calcutta.set_terms(made.pk, TERMS, actor)
    sell_lot(made, actor, [final.left_id], 100_00, "Guest")
    awards.award_prizes(made.pk, actor)
    award_owners(made.pk, actor)
    return made


def prize_lines(key, **lines):
    return Transfer.objects.filter(transaction__deed=Deed.PRIZE, transaction__key__startswith=key, **lines)


DAMAGES_OF_DEEDS = {
    "a bid has another amount": (
        lambda: CalcuttaBid.objects.update(amount=90_00),
        "Auction, lot 1: 10.00 EUR, 100.00 EUR are charged, but the bid and the shares say 9.00 EUR, 90.00 EUR.",
    ),
    "a sold lot is open again": (
        lambda: CalcuttaLot.objects.update(sold_at=None),
        "Auction, lot 1: 10.00 EUR, 100.00 EUR are charged, but the bid and the shares say 0.",
    ),
    "an owner was awarded another amount": (
        lambda: prize_lines("owner prize").update(amount=1),
        "Guest: the prize in the auction of Open is not what the standings say.",
    ),
    "an entry was awarded another amount": (
        lambda: prize_lines("prize", line__startswith="main").update(amount=1),
        "the prize in Open is not what the standings say.",
    ),
    "the amounts of a settlement are more than the prizes": (
        lambda: Settlement.objects.update(left_minor=91_00),
        "151.00 EUR were agreed for prizes of 150.00 EUR together.",
    ),
    "more was given than two players agreed": (
        lambda: prize_lines("prize", line__startswith="settlement").update(amount=11_00),
        "11.00 EUR were given, but only 10.00 EUR were agreed.",
    ),
    "the organizer added another amount": (
        lambda: Transfer.objects.filter(transaction__deed=Deed.ADDED_MONEY).update(amount=31_00),
        "Open: Main pot: money of the organizer, or for a series, differs by -1.00 EUR.",
    ),
    "cash that was put in has another amount": (
        lambda: Transfer.objects.filter(transaction__deed=Deed.OWN_CASH).update(amount=21_00),
        "20.00 EUR in the journal, but 21.00 EUR in the book.",
    ),
    "more was given than a hedge says": (
        lambda: prize_lines("prize", line__startswith="hedge").update(amount=11_00),
        "11.00 EUR were given by a hedge, but only 10.00 EUR were agreed.",
    ),
    "a count expected another amount": (
        lambda: CashClosing.objects.update(expected=99_00),
        "99.00 SEK were expected at the count, but the book had 100.00 SEK.",
    ),
    "a difference of a count is posted with another amount": (
        lambda: Transfer.objects.filter(transaction__deed=Deed.CLOSING).update(amount=9_00),
        "the count differed by -10.00 SEK, but -9.00 SEK were posted.",
    ),
    "a count was taken back without its difference": (
        lambda: CashClosing.objects.exclude(difference=None).update(
            taken_back=JournalLine.objects.latest("pk")
        ),
        "a count and its difference were not taken back together.",
    ),
    "a receipt has another amount": (
        lambda: Receipt.objects.update(amount=101_00),
        "101.00 SEK are printed, but the till received 100.00 SEK.",
    ),
    "an exchange does not follow the rate": (
        lambda: Transfer.objects.filter(line="exchange").update(amount=9_00),
        "100.00 SEK were exchanged for 9.00 EUR, but the rate of that time says 10.00 EUR.",
    ),
}  # fmt: skip


def test_the_check_finds_damages_of_every_kind_of_deed_and_missing_receipts(finished, capsys):
    assert differences_in_books(finished.event) == []
    for name, (do, sentence) in DAMAGES_OF_DEEDS.items():
        with damaged(do):
            found = differences_in_books(finished.event)
        assert any(sentence in line for line in found), (name, found)
    year = Receipt.objects.get().year
    with damaged(Receipt.objects.all().delete), pytest.raises(CommandError):
        call_command("rebuild", finished.event.slug, "--check")
    assert f"Receipt {year}-00001 is missing." in capsys.readouterr().out
