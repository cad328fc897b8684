"""The books of an event on their page."""

import io
import re

import openpyxl
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.money.stories import pay
from tournament.entries import personal_data, registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.exports.money_tables import MONEY_TABLES
from tournament.fees.amounts import Amount
from tournament.fees.schedule import Fee, FeeSchedule, Share, Target
from tournament.ledger.balances import open_amounts
from tournament.models import AccountKind, LedgerTransaction, Tournament
from tournament.money import fees, receipts
from tournament.queries.money.books_page import books_of

HOUSE = Share(Target.REGISTRATION, percent=10_00)


def test_the_books_say_where_the_money_is_and_what_an_income_is_made_of(browser, owner):
    made = stories.entered(owner, 3)
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(50_00), Fee(5_00), shares=(HOUSE,)), owner)
    browser.open("cash-desk", made.event.slug).press("€55 in cash")
    (payer, _other) = open_amounts(made.event_id, made.entries.values_list("player", flat=True))
    pay(made.event, payer, 75_00, owner, method=AccountKind.BANK)
    (book,) = books_of(made.event)
    assert sorted(line.amount.minor for line in book.boxes) == [55_00, 75_00]
    assert (book.debts.minor, book.claims.minor, book.pots[0].amount.minor) == (55_00, 20_00, 135_00)
    (income,) = book.incomes
    assert income.amount == Amount(30_00, "EUR")
    assert income.parts == (
        ("Registration", Amount(15_00, "EUR")),
        ("Share of entry fees", Amount(15_00, "EUR")),
    )
    assert browser.open("books", made.event.slug).says("Share of entry fees €15")
    for label, amount in (("Players owe", "€55"), ("Players may claim", "€20")):
        assert f'{label}</th><td class="cash__amount">{amount}</td>' in browser.text
    assert not browser.says("left over for the organizer")
    Tournament.objects.filter(pk=made.pk).update(awards_stamp="awarded")
    assert browser.open("books", made.event.slug).says("Main pot, left over for the organizer")


def test_a_yearly_pot_leads_to_the_prizes_that_pay_it_out(browser, owner):
    made = stories.entered(owner, 2)
    share = Share(Target.YEARLY_POT, percent=10_00)
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(50_00), shares=(share,)), owner)
    browser.open("organizer", made.event.slug)
    prizes = reverse("prizes", args=[made.event.slug, made.slug])
    assert f'href="{prizes}#id_yearly"><bdi>{made.name}</bdi>' in browser.text
    assert '<dl class="figures">' not in browser.text
    assert browser.go(prizes).says('id="id_yearly"')


def test_a_removed_player_has_the_same_number_on_all_pages_and_in_all_files(browser, owner):
    """Also after others pay, enter or are removed."""
    made = stories.entered(owner, 3)
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(50_00)), owner)
    first, second, third = [entry.player for entry in made.entries.order_by("player__name")]
    for player in (third, second, first):
        pay(made.event, player.pk, 60_00, owner)
    receipts.issue_receipt(
        made.event, LedgerTransaction.objects.filter(deed="payment").latest("pk").pk, owner
    )
    personal_data.remove([second], owner)
    (label,) = removed_players(browser, made, second)
    assert label[-1].isdigit()
    registration.enter(made.pk, EntryDetails(PlayerDetails("Late")), owner)
    registration.withdraw(made.entries.get(player=first), owner)
    personal_data.remove([first, third], owner)
    labels = removed_players(browser, made, first)
    assert label in labels
    assert len(labels) == 3


def removed_players(browser, made, player) -> set[str]:
    """The names of removed players. Each page and each file of all players has the same ones."""
    event, removed = made.event.slug, re.compile(r"Removed player(?: \d+)?")
    labels = set(removed.findall(browser.open("cash-desk", event).text))
    assert set(removed.findall(browser.open("payment-list", event).text)) == labels
    for table in MONEY_TABLES:
        for kind in ("csv", "xlsx"):
            file = browser.client.get(reverse("money-file", args=[event, table, kind])).content
            assert set(removed.findall(text_of(file, kind))) == labels, (table, kind)
    for name, *args in (("player-money", player.pk), ("receipts",), ("withdrawals",)):
        assert set(removed.findall(browser.open(name, event, *args).text)) <= labels, name
    browser.open("player-money", event, player.pk).press("Give €10 back in cash")
    assert set(removed.findall(browser.text)) <= labels
    browser.press("Undo")
    return labels


def text_of(file: bytes, kind: str) -> str:
    if kind == "csv":
        return file.decode("utf-8-sig")
    sheet = openpyxl.load_workbook(io.BytesIO(file)).active
    return "\n".join(str(cell.value) for row in sheet.iter_rows() for cell in row)
