"""The books of an event on their page."""

from django.urls import reverse

from tests.tournament import stories
from tests.tournament.money.stories import pay
from tournament.fees.amounts import Amount
from tournament.fees.schedule import Fee, FeeSchedule, Share, Target
from tournament.ledger.balances import open_amounts
from tournament.models import AccountKind, Tournament
from tournament.money import fees
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
    assert f'href="{prizes}#id_added"><bdi>{made.name}</bdi>' in browser.text
    assert browser.go(prizes).says('id="id_added"')
