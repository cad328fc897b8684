"""Payments in another currency at the organizer's own rate, and the organizer's bank details."""

import uuid
from dataclasses import replace
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament import stories
from tests.tournament.money.stories import pay
from tests.tournament.refusals import refusal
from tournament.events import organizers
from tournament.events.organizers import OrganizerDetails
from tournament.fees.amounts import MOST_MINOR_UNITS, Amount, parse_amount
from tournament.fees.bank_details import is_iban, is_payment_link
from tournament.fees.exchange import RATE_UNIT, Rate
from tournament.fees.schedule import Fee, FeeSchedule
from tournament.ledger.balances import balances_of, open_amounts
from tournament.models import AccountKind, Event, LedgerAccount, Organizer, Transfer
from tournament.money import fees, payments, payouts, rates, receipts
from tournament.money.payouts import NewPayout
from tournament.money.rates import rates_of
from tournament.queries.money.book_check import differences_in_books
from tournament.queries.money.cash_desk import cash_desk_list, last_payments
from tournament.queries.money.player_statement import player_statement
from tournament.queries.money.receipts import find_receipt
from tournament.templatetags.money import conversions, exchange_rate, plain_number

migration = import_module("tournament.migrations.0044_organizers_of_old_events")
RATE = Rate("EUR", "SEK", 11_351_200, 100)


@pytest.fixture
def club_night(actor):
    """Two entries at 55 EUR, in an event that also takes SEK."""
    made = stories.entered(actor, 2)
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(55_00)), actor)
    rates.set_rate(made.event, RATE, actor)
    return made


def pay_in_sek(made, minor, actor, **more):
    player = made.entries.order_by("pk")[0].player_id
    return pay(made.event, player, minor, actor, **{"currency": "SEK", "open_currency": "EUR", **more})


def balances(made):
    """Balances of kinds by currency. Each currency sums to zero."""
    rows = LedgerAccount.objects.filter(event=made.event)
    values, sums = balances_of(rows), {}
    kinds = {}
    for row in rows:
        kinds[row.currency, row.kind] = kinds.get((row.currency, row.kind), 0) + values.get(row.pk, 0)
        sums[row.currency] = sums.get(row.currency, 0) + values.get(row.pk, 0)
    assert set(sums.values()) == {0}
    assert differences_in_books(made.event) == []
    return {key: minor for key, minor in kinds.items() if minor}


@pytest.mark.django_db
def test_a_payment_in_another_currency_settles_all_and_posts_what_rounding_cost(club_night, actor):
    row = pay_in_sek(club_night, 624_00, actor)
    assert balances(club_night) == {
        ("SEK", "cash"): 624_00,
        ("SEK", "exchange"): -624_00,
        ("EUR", "exchange"): 54_97,
        ("EUR", "rounding"): 3,
        ("EUR", "player"): 55_00,
        ("EUR", "pot"): -110_00,
    }
    (payment,) = last_payments(club_night.event)
    assert payment.amount == Amount(624_00, "SEK")
    assert payment.player == club_night.entries.order_by("pk")[0].player.registered_name
    payments.undo_payment(club_night.event, row.pk, actor)
    assert balances(club_night) == {("EUR", "player"): 110_00, ("EUR", "pot"): -110_00}


@pytest.mark.django_db
def test_a_part_and_a_refund_in_another_currency_move_what_they_are_worth(club_night, actor):
    pay_in_sek(club_night, 100_00, actor)
    player = club_night.entries.order_by("pk")[0].player_id
    assert open_amounts(club_night.event_id, [player]) == {player: {"EUR": 55_00 - 8_81}}
    pay_in_sek(club_night, -100_00, actor)
    assert balances(club_night) == {("EUR", "player"): 110_00, ("EUR", "pot"): -110_00}
    rates.set_rate(club_night.event, Rate("EUR", "SEK", 5 * RATE_UNIT), actor)
    assert pay_in_sek(club_night, 275_00, actor).transfers.count() == 2


@pytest.mark.django_db
def test_a_claim_is_paid_out_in_another_currency_at_the_rate_of_the_event(club_night, actor):
    event, player = club_night.event, club_night.entries.order_by("pk")[0].player
    pay(event, player.pk, 155_00, actor)
    (offer,) = conversions(Amount(100_00, "EUR"), rates_of(event))
    assert conversions(Amount(1, "EUR"), rates_of(event)) == []
    payout = NewPayout(uuid.uuid4(), offer, AccountKind.CASH, expected=100_00, open_currency="EUR")
    row = payouts.pay_out(event, player.pk, payout, actor)
    assert payouts.pay_out(event, player.pk, payout, actor) == row
    assert balances(club_night)["SEK", "cash"] == -offer.minor
    assert open_amounts(event.pk, [player.pk]) == {}
    assert [(line.name, line.handed_over) for line in player_statement(player).paid_out] == [("Cash", offer)]
    receipt = find_receipt(event, receipts.issue_receipt(event, row.pk, actor).pk)
    assert (receipt.amount, receipt.credited) == (-offer, Amount(-100_00, "EUR"))
    again = replace(payout, key=uuid.uuid4(), expected=None)
    assert refusal(payouts.pay_out, event, player.pk, again, actor) == "no-such-claim"
    lines = event.journal.filter(verb="set exchange rate")
    (line,) = lines.values()
    lines.update(after={"rate": "1 EUR = 5 SEK"})
    (difference,) = differences_in_books(event)
    assert "were exchanged for -99.99 EUR" in difference
    lines.update(after=line["after"])
    payouts.undo_payout(event, row.pk, actor)
    assert open_amounts(event.pk, [player.pk]) == {player.pk: {"EUR": -100_00}}
    assert ("SEK", "cash") not in balances(club_night)
    rates.set_rate(event, Rate("EUR", "SEK", 5 * RATE_UNIT), actor)
    rate = find_receipt(event, receipt.row.pk).rate
    assert exchange_rate(rate) == "€1 = SEK\N{NO-BREAK SPACE}11.3512"
    with translation.override("de"):
        assert exchange_rate(rate) == "1\N{NO-BREAK SPACE}€ = 11,3512\N{NO-BREAK SPACE}SEK"


@pytest.mark.django_db
def test_a_statement_with_more_payments_in_another_currency_takes_no_more_database_statements(
    club_night, actor
):
    player = club_night.entries.order_by("pk")[0].player
    counts = []
    for _more in range(2):
        for _payment in range(2):
            pay_in_sek(club_night, 10_00, actor)
        with CaptureQueriesContext(connection) as statements:
            assert {line.handed_over for line in player_statement(player).paid} == {Amount(10_00, "SEK")}
        counts.append(len(statements))
    assert counts[0] == counts[1]


@pytest.mark.django_db
def test_another_currency_without_a_rate_is_refused(club_night, actor):
    assert refusal(pay_in_sek, club_night, 100_00, actor, currency="DKK") == "no-exchange-rate"
    assert refusal(rates.set_rate, club_night.event, Rate("EUR", "EUR", 1), actor) == "rate-has-one-currency"
    assert refusal(rates.set_rate, club_night.event, Rate("EUR", "SEK", -1), actor) == "rate-not-positive"
    rates.set_rate(club_night.event, Rate("EUR", "SEK", 1), actor)
    assert refusal(pay_in_sek, club_night, MOST_MINOR_UNITS, actor) == "amount-too-large"
    assert not Transfer.objects.filter(source__currency="SEK").exists()


@pytest.mark.parametrize("language", ["en", "de", "tr", "ar"])
def test_the_amount_in_a_field_is_read_as_it_is_written(language):
    for amount in (Amount(12_500, "KWD"), Amount(1_234_50, "EUR"), Amount(1_500, "JPY")):
        with translation.override(language):
            assert parse_amount(plain_number(amount), amount.currency, language) == amount


@given(st.integers(1, 10**9), st.integers(1, 10**9), st.sampled_from([1, 5, 50, 100, 1000]))
def test_paying_the_converted_amount_settles_all_and_a_refund_mirrors_the_payment(minor, millionths, unit):
    rate, owed = Rate("EUR", "JPY", millionths, unit), Amount(minor, "EUR")
    paid = rate.convert(owed)
    assert paid.minor % unit == 0
    assert rate.credit(paid, owed) == (owed, rate.worth(paid))
    assert rate.convert(-owed) == -paid
    assert rate.worth(-paid) == -rate.worth(paid)


@pytest.mark.django_db
def test_the_cash_desk_offers_the_other_currency_and_takes_it(club_night, actor, client):
    client.force_login(actor.user)
    address = reverse("cash-desk", args=[club_night.event.slug])
    player = cash_desk_list(club_night.event)[0].player
    assert " in cash for €" in client.get(address, {"other": player.pk}).content.decode()
    body = {
        "key": uuid.uuid4(),
        "player": player.pk,
        "amount": "624",
        "currency": "SEK",
        "open_currency": "EUR",
    }
    client.post(
        reverse("take-payment", args=[club_night.event.slug]), {**body, "method": "cash", "direction": "in"}
    )
    assert open_amounts(club_night.event_id, [player.pk]) == {}


def test_the_check_digits_of_an_iban_and_the_fields_of_a_payment_link_are_checked():
    assert is_iban("DE89370400440532013000")
    assert is_iban("TR330006100519786457841326")
    wrong = [
        "DE89370400440532013001",
        "DE88370400440532013000",
        "de89370400440532013000",
        "",
        "DE89 3704",
        "٣٣",
    ]
    assert [iban for iban in wrong if is_iban(iban)] == []
    assert is_payment_link("https://example.com/{amount}{currency}?r={reference}")
    wrong = [
        "http://example.com/{amount}", "https://example.com/", "https://example.com/{amount}{0}", "javascript:{amount}",
        "https://example.com/{amount.__class__}", "https://example.com/{amount!r}", "https://example.com/{amount",
        "https:// x.com/{amount}",
    ]  # fmt: skip
    assert [link for link in wrong if is_payment_link(link)] == []


@pytest.mark.django_db
def test_events_of_the_last_release_get_the_organizer_of_their_owner(actor):
    events = [stories.event(actor), stories.event(actor, "Saturday")]
    Event.objects.update(organizer=None)
    Organizer.objects.all().delete()
    migration.give_organizers(apps, None)
    (organizer,) = Organizer.objects.all()
    assert (organizer.owner, organizer.name) == (actor.user, actor.user.username)
    assert {*Event.objects.values_list("pk", "organizer")} == {(event.pk, organizer.pk) for event in events}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kept", "outcome"), [({}, None), ({"iban": "DE89370400440532013000"}, "organizer-of-another")]
)
def test_an_organizer_without_an_owner_is_replaced_unless_it_has_a_bank_account(actor, client, kept, outcome):
    event = stories.event(actor)
    Event.objects.update(organizer=Organizer.objects.create(name=event.name, **kept))
    client.force_login(actor.user)
    address = reverse("organizer", args=[event.slug])
    assert ("Save organizer" in client.get(address).content.decode()) == (outcome is None)
    client.post(address, {"name": "Club", "tax_text": "No tax"})
    event.refresh_from_db()
    owner = None if outcome else actor.user
    assert (event.organizer.owner, event.organizer.tax_text) == (owner, "" if outcome else "No tax")
    if outcome:
        assert refusal(organizers.change_organizer, event.pk, OrganizerDetails("Club"), actor) == outcome


@pytest.mark.django_db
def test_only_the_owner_of_an_organizer_changes_its_bank_account(actor):
    event = stories.event(actor)
    event.refresh_from_db()
    assert event.organizer.owner == actor.user
    details = OrganizerDetails("Club", iban="de89 3704 0044 0532 0130 00")
    assert organizers.change_organizer(event.pk, details, actor).iban == "DE89370400440532013000"
    second = stories.helper(event, "owner", actor)
    stolen = OrganizerDetails("Club", iban="TR330006100519786457841326")
    assert refusal(organizers.change_organizer, event.pk, stolen, second) == "organizer-of-another"
    assert refusal(organizers.change_organizer, event.pk, OrganizerDetails("Club", "", "X1"), actor) == (
        "iban-is-wrong"
    )
    own = organizers.choose_organizer(event.pk, uuid.uuid4(), second, is_new=True)
    assert organizers.change_organizer(event.pk, stolen, second) == own
