"""The check of the books finds damage that got past the triggers of the database."""

import uuid

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from tests.tournament import stories
from tournament.corrections import repair
from tournament.entries import registration
from tournament.fees.amounts import Amount
from tournament.fees.schedule import Fee, FeeSchedule, Share, SidePool, Target
from tournament.models import AccountKind, Deed, Entry, LedgerAccount, LedgerTransaction, Transfer
from tournament.money import fees, payments
from tournament.money.books import differences_in_books
from tournament.money.payments import NewPayment

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
    row = pay(made, first, actor)
    payments.undo_payment(made.event, row.pk, actor)
    pay(made, first, actor)
    return made


def pay(made, entry, actor):
    payment = NewPayment(uuid.uuid4(), Amount(70_00, "EUR"), AccountKind.CASH)
    return payments.take_payment(made.event, entry.player_id, payment, actor)


def drop_triggers():
    place = " ON tournament_{0}" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
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
        lambda: LedgerAccount.objects.filter(kind=AccountKind.REGISTRATION).update(name="other"),
        "Registration other: its key EUR:",
    ),
    "a charge has lost its entry": (
        lambda: LedgerTransaction.objects.filter(deed=Deed.CHARGE).update(entry=None),
        "Open: Main pot: 144.00 EUR comes from entries of no or another tournament.",
    ),
    "a mark of payment is wrong": (
        lambda: Entry.objects.filter(is_paid=True).update(is_paid=False),
        "Βασίλης 1 owes nothing, but the entry in Open is marked as not paid.",
    ),
}  # fmt: skip


def test_the_books_of_an_event_agree_with_its_entries(made, actor):
    registration.withdraw(made.entries.latest("entered_at"), actor)
    registration.remove(made.entries.order_by("entered_at")[1], actor)
    assert differences_in_books(made.event) == []


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_check_names_the_event_and_the_account_of_a_damage(made, damage, capsys):
    do, sentence = DAMAGES[damage]
    drop_triggers()
    do()
    with pytest.raises(CommandError):
        call_command("rebuild", made.event.slug, "--check")
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith(made.event.slug) and sentence in line for line in lines), lines


def test_a_rebuild_repairs_marks_of_payment(made):
    Entry.objects.update(is_paid=False)
    assert repair.rebuild(made.event) == 1
    assert differences_in_books(made.event) == []
