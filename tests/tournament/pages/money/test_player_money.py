"""What a player sees of the own money, and how it is paid by QR code or link."""

import base64
from copy import deepcopy
from io import BytesIO

import pytest
import segno
from django.test import Client
from django.urls import reverse
from PIL import Image

from tests.tournament import stories
from tests.tournament.live.published import messages_until_now, published_messages
from tests.tournament.money.stories import change_event_fees, final_of, pay, turn_final, with_pot
from tests.tournament.pages.browser import Browser
from tournament import corrections
from tournament.accounts import links
from tournament.corrections import Change
from tournament.fees.amounts import Amount
from tournament.fees.references import in_groups, reference_of
from tournament.fees.schedule import EventFees, Fee, FeeSchedule
from tournament.live.channels import private_channel
from tournament.models import AccountKind, LedgerTransaction, Organizer, ResultKind
from tournament.money import awards, fees, payments, payouts
from tournament.queries.money.cash_desk import refundable_amounts
from tournament.queries.money.payouts import payout_list
from tournament.web.payment_ways import payment_ways

IBAN = "DE89370400440532013000"


@pytest.fixture(scope="module")
def charged_of_module(actor_of_module):
    """Two players are charged 25 EUR each; the organizer has a bank account and a link."""
    made = stories.entered(actor_of_module, 2)
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(20_00)), actor_of_module)
    fees.set_event_fees(made.event, EventFees("EUR", Fee(5_00)), actor_of_module)
    made.event.refresh_from_db()
    made.event.organizer = Organizer.objects.create(
        name="Club",
        account_holder="Club Example",
        iban=IBAN,
        payment_link="https://pay.example/{amount}/{reference}",
    )
    made.event.save()
    return made


@pytest.fixture
def charged(db, charged_of_module):
    return deepcopy(charged_of_module)


@pytest.fixture
def phone(charged, owner):
    """The phone of the first player."""
    return Browser().go(f"/p/{links.make_link(first(charged), owner)}/")


def first(made):
    return made.entries.order_by("player__name").first()


def test_a_player_sees_charges_payments_and_how_to_pay_the_rest(charged, phone, owner):
    pay(charged.event, first(charged).player_id, 10_00, owner)
    assert phone.open("my-matches").says("Your money")
    phone.open("my-money")
    reference = reference_of(charged.event_id, first(charged).player_id)
    expected = ("Entry fee", "Registration", "€20", "€5", "€10", "€15", in_groups(reference), in_groups(IBAN))
    assert [text for text in expected if not phone.says(text)] == []
    assert f"https://pay.example/15.00/{reference}" in phone.text


def test_a_change_of_money_is_published_to_the_own_player_alone(
    charged, phone, owner, django_capture_on_commit_callbacks
):
    own, other = (private_channel(entry.player_id) for entry in charged.entries.order_by("player__name"))
    stream = f"{reverse('stream-auth')}?bracket={own}&bracket={other}"
    assert phone.client.get(stream).json()["channels"] == [own]
    assert Client().get(stream).json()["channels"] == []
    assert f'data-listens="{own}"' in phone.open("my-money").text
    with published_messages() as next_message:
        for change in (
            lambda: pay(charged.event, first(charged).player_id, 10_00, owner),
            lambda: payments.undo_payment(
                charged.event, LedgerTransaction.objects.get(deed="payment").pk, owner
            ),
        ):
            with django_capture_on_commit_callbacks(execute=True):
                change()
            published = "\n".join(messages_until_now(next_message))
            assert f"{own} 0" in published
            assert other not in published


def test_money_is_shown_to_the_own_player_and_to_the_cash_desk_only(charged, phone, browser):
    other = charged.entries.exclude(pk=first(charged).pk).get()
    phone.open("my-money")
    assert other.player.name not in phone.text
    assert Browser().open("my-money").status == 403
    address = ("player-money", charged.event.slug, other.player_id)
    assert phone.open(*address).status in (403, 404)
    assert browser.open(*address).says("Club Example")


def test_the_payment_code_has_the_content_of_the_european_standard(charged):
    entry = first(charged)
    reference = reference_of(charged.event_id, entry.player_id)
    lines = ["BCD", "002", "2", "SCT", "", "Club Example", IBAN, "EUR12.5", "", reference]
    ways = payment_ways(charged.event, entry.player, Amount(12_50, "EUR"))
    expected = segno.make("\n".join(lines).encode(), error="m", boost_error=False, micro=False)
    assert ways.picture == expected.png_data_uri(scale=6, border=4)


def test_francs_get_the_swiss_code_once_the_organizer_has_an_address(charged, browser, owner):
    """All modules are those of the standard's content, except the cross in the middle."""
    player, slug = first(charged).player, charged.event.slug
    Organizer.objects.update(owner=owner.user)
    browser.open("organizer", slug)
    bank = {"name": "Club", "account_holder": "Club Example", "iban": "CH93 0076 2011 6238 5295 7"}
    address = {"postcode": "2501", "town": "Biel", "country": "ch"}
    assert browser.press("Save organizer", **bank, country="??").says("not the code of a country")
    browser.press("Save organizer", **bank, country="")
    charged.event.refresh_from_db()
    assert not payment_ways(charged.event, player, Amount(12_50, "CHF")).is_bank_code
    browser.open("organizer", slug).press("Save organizer", **bank, **address)
    charged.event.refresh_from_db()
    ways = payment_ways(charged.event, player, Amount(12_50, "CHF"))
    image = Image.open(BytesIO(base64.b64decode(ways.picture.removeprefix("data:image/png;base64,"))))
    creditor = ["CH9300762011623852957", "S", "Club Example", "", "", "2501", "Biel", "CH"]
    reference = ways.reference.replace(" ", "")
    lines = [
        "SPC",
        "0200",
        "1",
        *creditor,
        *[""] * 7,
        "12.50",
        "CHF",
        *[""] * 7,
        "SCOR",
        reference,
        "",
        "EPD",
    ]
    code = segno.make("\n".join(lines).encode(), error="m", boost_error=False, micro=False)
    border = (image.width // 6 - len(code.matrix)) // 2
    different = [
        (row, column)
        for row, modules in enumerate(code.matrix)
        for column, dark in enumerate(modules)
        if bool(dark) != (image.getpixel(((column + border) * 6 + 3, (row + border) * 6 + 3)) == 0)
    ]
    middle, radius = len(code.matrix) // 2, len(code.matrix) * 4 // 46
    assert different
    assert all(abs(index - middle) <= radius for module in different for index in module)
    assert ways.is_bank_code


def test_without_a_bank_account_or_for_another_currency_there_is_no_payment_code(charged):
    player, organizer = first(charged).player, charged.event.organizer
    assert not payment_ways(charged.event, player, Amount(12_50, "USD")).is_bank_code
    organizer.iban = organizer.payment_link = ""
    assert payment_ways(charged.event, player, Amount(12_50, "EUR")) is None


def test_the_cash_desk_finds_a_player_by_the_reference(charged, browser):
    reference = reference_of(charged.event_id, first(charged).player_id)
    other = charged.entries.exclude(pk=first(charged).pk).get().player.name
    for query in (reference, in_groups(reference).replace(" ", "+")):
        browser.open("cash-desk", charged.event.slug, query=f"?find={query}")
        assert browser.says(first(charged).player.name)
        assert other not in browser.text


def awarded_final(owner):
    """The left player won the final and gets 80 EUR, the right one gets 40 EUR."""
    made = with_pot(stories.released(owner, 4), owner)
    for _round in range(2):
        for pairing in stories.playable(made):
            stories.play(pairing, owner)
    awards.award_prizes(made.pk, owner)
    return made, final_of(made)


def test_a_correction_of_a_paid_prize_tells_both_players_who_pays_whom(owner):
    made, final = awarded_final(owner)
    claims = {final.left.player_id: {"EUR": -80_00}}
    payouts.pay_out_all(made.event, claims, AccountKind.BANK, owner)
    phones = [Browser().go(f"/p/{links.make_link(entry, owner)}/") for entry in (final.left, final.right)]
    assert not any(phone.open("my-money").says("A correction") for phone in phones)
    turn_final(made, owner)
    before_winner, winner = (phone.open("my-money") for phone in phones)
    assert before_winner.says("A correction changed your prizes: €40 instead of €80.")
    assert before_winner.says("You still pay the organizer €40.")
    assert winner.says("A correction changed your prizes: €80 instead of €40.")
    assert winner.says("The organizer still pays you €80.")
    winner.open("my-match", final.match_id)
    assert winner.says("A correction changed your prizes: €80 instead of €40.")
    assert winner.says("See what is still to pay")
    pay(made.event, final.left.player_id, 40_00, owner)
    assert before_winner.open("my-money").says("Nothing is open between you and the organizer.")


def test_a_match_that_is_open_again_is_named_beside_the_debt(owner, browser):
    made, final = awarded_final(owner)
    payouts.pay_out_all(made.event, {final.left.player_id: {"EUR": -80_00}}, AccountKind.BANK, owner)
    phone = Browser().go(f"/p/{links.make_link(final.left, owner)}/")
    semifinal = next(row for row in stories.pairings(made) if row.winner_id == final.left_id and row != final)
    loser = semifinal.left_id if semifinal.right_id == final.left_id else semifinal.right_id
    preview = corrections.preview(semifinal.pk, Change(ResultKind.WALKOVER, loser))
    corrections.correct(preview, preview.digest, "Wrong line", owner)
    awards.award_prizes(made.pk, owner)
    assert phone.open("my-money").says("is still to be decided. Its prizes can cover this amount.")
    assert browser.open("payouts", made.event.slug).says("is still to be decided. Wait for it")
    stories.play(final_of(made), owner)
    assert not phone.open("my-money").says("is still to be decided.")


@pytest.mark.parametrize("is_paid_between", [False, True])
def test_an_undone_correction_is_named_to_a_player_only_if_it_was_paid(owner, is_paid_between):
    made, final = awarded_final(owner)
    first_claims = {final.left.player_id: {"EUR": -80_00}, final.right.player_id: {"EUR": -40_00}}
    payouts.pay_out_all(made.event, first_claims, AccountKind.BANK, owner)
    phone = Browser().go(f"/p/{links.make_link(final.right, owner)}/")
    correction = turn_final(made, owner)
    assert phone.open("my-money").says("A correction changed your prizes: €80 instead of €40.")
    if is_paid_between:
        claim = {final.right.player_id: {"EUR": -40_00}}
        payouts.pay_out_all(made.event, claim, AccountKind.BANK, owner)
    corrections.undo(correction.pk, owner)
    is_named = phone.open("my-money").says("A correction changed your prizes: €40 instead of €80.")
    assert is_named == is_paid_between
    change_event_fees(made.event, EventFees("EUR", Fee(60_00)), owner)
    line = next(row for row in payout_list(made.event).owing if row.player.pk == final.right.player_id)
    assert line.was_overpaid == is_paid_between
    assert line.taken_out == []


def test_the_page_of_a_player_gives_back_what_was_paid_above_the_charges(charged, browser, owner):
    player = first(charged).player
    pay(charged.event, player.pk, 25_00, owner)
    address = ("player-money", charged.event.slug, player.pk)
    assert not browser.open(*address).has_button("back in cash")
    change_event_fees(charged.event, EventFees("EUR", Fee(2_00)), owner)
    browser.open(*address).press(f"Give €3 back in cash {player.registered_name}")
    assert browser.says(" got €3 back.")
    assert not browser.open(*address).has_button("back in cash")


@pytest.mark.parametrize(
    ("open_amount", "fees_paid", "refundable"),
    [
        (-3_00, -3_00, [3_00]),
        (-103_00, -3_00, [3_00]),
        (-1_00, -3_00, [1_00]),
        (-80_00, 20_00, []),
        (5_00, -3_00, []),
    ],
)
def test_no_prize_is_refunded(open_amount, fees_paid, refundable):
    amounts = refundable_amounts({"EUR": open_amount}, {"EUR": fees_paid})
    assert [amount.minor for amount in amounts] == refundable
