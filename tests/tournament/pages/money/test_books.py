"""The books of an event on their page."""

from tests.tournament import stories
from tournament.fees.amounts import Amount
from tournament.fees.schedule import Fee, FeeSchedule, Share, Target
from tournament.money import fees
from tournament.queries.money.books_page import books_of

HOUSE = Share(Target.REGISTRATION, percent=10_00)


def test_the_books_say_where_the_money_is_and_what_an_income_is_made_of(browser, owner):
    made = stories.entered(owner, 2)
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(50_00), Fee(5_00), shares=(HOUSE,)), owner)
    browser.open("cash-desk", made.event.slug).press("€55 in cash")
    (book,) = books_of(made.event)
    assert [line.amount for line in book.boxes] == [Amount(55_00, "EUR")]
    assert (book.players, book.pots[0].amount) == (Amount(55_00, "EUR"), Amount(90_00, "EUR"))
    (income,) = book.incomes
    assert income.amount == Amount(20_00, "EUR")
    assert income.parts == (
        ("Registration", Amount(10_00, "EUR")),
        ("Share of entry fees", Amount(10_00, "EUR")),
    )
    assert browser.open("books", made.event.slug).says("Share of entry fees €10")
