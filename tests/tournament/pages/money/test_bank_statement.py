"""Payments from a bank statement, through its pages."""

import re
from copy import deepcopy
from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.money.stories import pay
from tournament.fees.amounts import Amount
from tournament.fees.bank_statement import (
    Column,
    IncomingPayment,
    StatementColumns,
    find_headings,
    guess_columns,
    guess_decimal_sign,
    read_payments,
    split_rows,
)
from tournament.fees.references import in_groups, reference_of
from tournament.fees.schedule import Fee, FeeSchedule
from tournament.ledger.balances import open_amounts
from tournament.models import AccountKind, LedgerTransaction, Organizer, Player
from tournament.money import fees, payments
from tournament.money.bank_statement import propose, record_payments
from tournament.runtime.errors import NotFound

HEADINGS = "Buchungstag;Auftraggeber;Verwendungszweck;Betrag;Währung"


@pytest.fixture(scope="module")
def charged_of_module(actor_of_module):
    made = stories.entered(actor_of_module, 3)
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(25_00)), actor_of_module)
    return made


@pytest.fixture
def charged(db, charged_of_module):
    return deepcopy(charged_of_module)


def statement(made, lines):
    return "\n".join(["Konto;DE89", HEADINGS, *lines]).encode()


def lines_of(made):
    """By the reference; by name and amount; another amount with a reference; another currency; outgoing; formula."""
    first, second, third = made.entries.order_by("player__name").select_related("player")
    code, other = (reference_of(made.event_id, entry.player_id) for entry in (first, third))
    return [
        f"20.11.2026;Somebody Else;{code[:9]} {code[9:]};25,00;EUR",
        f"20.11.2026;{second.player.name};entry fee;25,00;EUR",
        f"20.11.2026;Payer;{other};1.020,00;EUR",
        f"20.11.2026;Payer;{other};25,00;USD",
        f"20.11.2026;{third.player.name};{other};-25,00;EUR",
        '20.11.2026;<b>;x;"=1+1";EUR',
    ]


def upload(browser, made, data):
    address = reverse("bank-statement", args=[made.event.slug])
    response = browser.client.post(address, {"file": SimpleUploadedFile("statement.csv", data)})
    browser.text, browser.status, browser.path = response.content.decode(), response.status_code, address
    return browser


def ticked(browser):
    lines = [line for line in browser.text.splitlines() if 'name="payment"' in line]
    values = [line.partition('value="')[2].partition('"')[0] for line in lines if " checked" in line]
    return values, len(lines)


def test_the_same_statement_twice_records_once_and_taken_back_payments_return(browser, charged, owner):
    data = statement(charged, lines_of(charged))
    upload(browser, charged, data)
    values, offered = ticked(browser)
    assert (len(values), offered) == (2, 4)
    assert [browser.text.count(text) for text in ("by the reference", "by name and amount")] == [3, 1]
    assert browser.says("cannot be read")
    assert LedgerTransaction.objects.filter(deed="payment").count() == 0
    browser.press("Record these payments", payment=values)
    browser.press("Undo")
    assert browser.says("2 payments taken back.")
    values, offered = ticked(upload(browser, charged, data))
    assert (len(values), offered) == (2, 4)
    browser.press("Record these payments", payment=values)
    third = charged.entries.order_by("player__name").last().player_id
    players = [entry.player_id for entry in charged.entries.all()]
    assert open_amounts(charged.event_id, players) == {third: {"EUR": 25_00}}
    assert ticked(upload(browser, charged, data)) == ([], 2)
    for name in ("Club", "Federation"):
        charged.event.organizer = Organizer.objects.create(name=name)
        charged.event.save(update_fields=["organizer"])
        assert ticked(upload(browser, charged, data)) == ([], 2)
    row = LedgerTransaction.objects.filter(deed="payment", reversed_by__isnull=True).first()
    payments.undo_payment(charged.event, row.pk, owner)
    values, offered = ticked(upload(browser, charged, data))
    assert (len(values), offered) == (1, 3)


@pytest.mark.parametrize(
    ("name", "payer"),
    [
        ("Jürgen Groß", "Groß, Jürgen"),
        ("Jürgen Groß", "GROSS JUERGEN"),
        ("Jürgen Groß", "Startgeld/Jurgen Gross"),
        ("Anne-Marie Østergård", "OESTERGAARD ANNE MARIE"),
        ("Ọ̀ṣun O’Neill", "ONEILL OSUN"),
        ("अनिल कुमार", "कुमार अनिल"),
    ],
)
def test_names_are_found_as_banks_write_them(charged, name, payer):
    player = charged.entries.first().player
    Player.objects.filter(pk=player.pk).update(name=name, full_name="")
    payment = IncomingPayment(1, "20.11.2026", Amount(25_00, "EUR"), "fee", payer, "key")
    (proposal,) = propose(charged.event, [payment])
    assert (proposal.player, proposal.is_exact) == (player, True)
    (proposal,) = propose(charged.event, [replace(payment, amount=Amount(1, "EUR"))])
    assert (proposal.player, proposal.is_exact) == (player, False)


def test_a_name_without_letters_takes_no_payment_of_a_stranger(charged):
    Player.objects.filter(pk=charged.entries.first().player_id).update(name="???", full_name="")
    payment = IncomingPayment(1, "20.11.2026", Amount(25_00, "EUR"), "fee", "Stranger", "key")
    (proposal,) = propose(charged.event, [payment])
    assert proposal.player is None


def test_many_payments_are_recorded_together_and_only_for_players_of_the_event(charged, owner):
    rows = split_rows("Text;Amount\n" + "\n".join(f"fee {number};1.00" for number in range(20)))
    payments_read, _unreadable = read_payments(
        rows[1:], StatementColumns({Column.TEXT: 0, Column.AMOUNT: 1}, ".", "EUR")
    )
    keys = [row.key for row in propose(charged.event, payments_read)]
    stranger = stories.entered(owner, 1).entries.get().player_id
    with pytest.raises(NotFound):
        record_payments(charged.event, payments_read, dict.fromkeys(keys, stranger), owner)
    players = [entry.player_id for entry in charged.entries.all()]
    confirmed = {key: players[number % 3] for number, key in enumerate(keys)}
    with CaptureQueriesContext(connection) as statements:
        assert len(record_payments(charged.event, payments_read, confirmed, owner)) == 20
    assert len(statements) < 25
    assert open_amounts(charged.event_id, players) == dict(
        zip(players, ({"EUR": minor} for minor in (18_00, 18_00, 19_00)), strict=True)
    )


def test_a_payment_without_a_match_is_given_to_a_player_and_the_columns_are_remembered(browser, charged):
    charged.event.organizer = Organizer.objects.create(name="Club")
    charged.event.save()
    player = charged.entries.order_by("player__name").first().player
    text = "Tag;Wer;Was;Summe\n20.11.2026;Uncle;fee;25,00\n21.11.2026;Aunt;fee;3,00"
    upload(browser, charged, f"Account of the club\n\n{text}".encode("latin-1"))
    assert browser.says("The columns of the date and of the amount are not known.")
    columns = {"column-date": 0, "column-name": 1, "column-text": 2, "column-amount": 3, "decimal_sign": ","}
    browser.press("Read it again", **columns)
    uncle, aunt = re.findall(r'name="(player-[^"]+)"', browser.text)
    browser.press("Record these payments", **{uncle: "Nobody at all"})
    assert browser.status == 422
    assert browser.says("No payment was recorded")
    browser.press(
        "Record these payments", **{uncle: f"{player.name}, {reference_of(charged.event_id, player.pk)}"}
    )
    assert [row.deed for row in LedgerTransaction.objects.filter(deed="payment")] == ["payment"]
    assert open_amounts(charged.event_id, [player.pk]) == {}
    reordered = "Summe;Wer;Tag;Was\n25,00;Uncle;23.11.2026;fee"
    upload(browser, charged, reordered.encode())
    assert all(browser.says(text) for text in ("€25", "23.11.2026", "<bdi>Uncle</bdi> <bdi>fee</bdi>"))
    assert uncle != aunt


def test_the_check_names_what_is_open_and_the_proposed_player_can_be_changed(browser, charged, owner):
    first, second, third = [entry.player for entry in charged.entries.order_by("player__name")]
    pay(charged.event, third.pk, 5_00, owner)
    lines = lines_of(charged)[:3]
    upload(browser, charged, statement(charged, lines[:1]))
    browser.press("Record these payments", payment=ticked(browser)[0])
    upload(browser, charged, statement(charged, lines))
    assert browser.says("1 payment of this statement was recorded before and is left out.")
    assert browser.says("Open: €20")
    assert browser.says(in_groups(reference_of(charged.event_id, third.pk)))
    fields = re.findall(r'name="(player-[^"]+)"', browser.text)
    browser.press("Record these payments", **{fields[1]: "Nobody at all"})
    assert (browser.status, browser.says('value="Nobody at all"')) == (422, True)
    browser.press("Record these payments", payment=ticked(browser)[0], **{fields[1]: first.registered_name})
    owed = open_amounts(charged.event_id, [first.pk, second.pk, third.pk])
    assert owed == {first.pk: {"EUR": -1020_00}, third.pk: {"EUR": 20_00}}


def test_a_transfer_recorded_by_hand_is_named_and_not_proposed_again(browser, charged, owner):
    second = charged.entries.order_by("player__name")[1].player
    line = f"20.11.2026;{second.registered_name};entry fee;25,00;EUR"
    recorded = pay(charged.event, second.pk, 25_00, owner, method=AccountKind.BANK)
    assert ticked(upload(browser, charged, statement(charged, [line]))) == ([], 1)
    assert browser.says("a transfer of this amount is recorded already")
    payments.undo_payment(charged.event, recorded.pk, owner)
    pay(charged.event, second.pk, 25_00, owner)
    assert ticked(upload(browser, charged, statement(charged, [line]))) == ([], 1)
    assert not browser.says("a transfer of this amount is recorded already")


def test_a_file_that_is_too_large_or_no_text_is_refused(browser, charged):
    for data in (b"a;b\n" * 300_000, b"\x00\x01\x02" * 500, b"a;b\n" * 2_100, b""):
        assert upload(browser, charged, data).status == 422


def test_a_statement_without_a_known_text_asks_for_the_column_with_the_references(browser, charged):
    words = "The column with the references is not known."
    assert not upload(browser, charged, statement(charged, lines_of(charged))).says(words)
    data = statement(charged, lines_of(charged)).replace(b"Verwendungszweck", b"Info")
    assert upload(browser, charged, data).says(words)
    assert browser.says('<details class="panel fold" open>')


def test_a_date_under_valuta_is_no_currency(browser, charged):
    first = charged.entries.first().player
    data = f"Buchungsdatum;Valuta;Buchungstext;Gutschrift\n20.11.2026;21.11.2026;{first.name};25.00".encode()
    assert ticked(upload(browser, charged, data))[1] == 1
    assert not browser.says("cannot be read")


def test_columns_and_decimal_signs_are_guessed():
    for text, expected in (
        ('Date,Description,Amount,Currency\n2026-11-20,x,"1,025.50",EUR', 1025_50),
        ("Datum;Naam;Af Bij;Bedrag (EUR)\n20261120;A;Bij;1025,50\n20261120;A;Af;3,00", 1025_50),
        ('Date,Payer,Purpose,Amount\n2026-11-20,x,RF18,"1,025.50"', 1025_50),
        ("Booking date\tCredit\tText\n20.11.2026\t1'025.50\tx", 1025_50),
    ):
        rows = split_rows(text)
        at = find_headings(rows)
        places = guess_columns(rows[at][1])
        sign = guess_decimal_sign([cells[places[Column.AMOUNT]] for _number, cells in rows[at + 1 :]])
        found, unreadable = read_payments(rows[at + 1 :], StatementColumns(places, sign, "EUR"))
        assert ([payment.amount.minor for payment in found], unreadable) == ([expected], [])
