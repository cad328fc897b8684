"""Payment codes and payment links."""

from dataclasses import replace

from tournament.fees.amounts import Amount
from tournament.fees.payment_codes import (
    Creditor,
    payment_link,
    swiss_code,
    takes_epc_code,
    takes_swiss_code,
)

IBAN = "DE89370400440532013000"
SWISS = Creditor("CH9300762011623852957", "Société Zürich", "Rue du Lac", "12a", "2501", "Biel", "CH")
CHF = Amount(1_949_75, "CHF")


def test_a_payment_code_needs_euros_a_holder_and_a_valid_account():
    assert takes_epc_code("Club", IBAN, Amount(1, "EUR"))
    for holder, iban, amount in (
        ("", IBAN, Amount(1, "EUR")),
        ("Club", "DE88370400440532013000", Amount(1, "EUR")),
        ("Club", "", Amount(1, "EUR")),
        ("Club", IBAN, Amount(1, "CHF")),
        ("Club", IBAN, Amount(0, "EUR")),
        ("Club", IBAN, Amount(-1, "EUR")),
    ):
        assert not takes_epc_code(holder, iban, amount)


def test_values_in_a_link_are_escaped_and_nothing_else_is_filled_in():
    template = "https://pay.example/{amount}/{currency}?ref={reference}&x={amount.__class__}"
    assert payment_link(template, Amount(25_00, "EUR"), "A&B /") == (
        "https://pay.example/25.00/EUR?ref=A%26B%20%2F&x={amount.__class__}"
    )
    assert payment_link("javascript:{amount}", Amount(1, "EUR"), "") == ""


def test_a_swiss_code_has_the_elements_of_the_standard_in_order():
    header, debtor = ["SPC", "0200", "1", "CH9300762011623852957"], [""] * 7
    creditor = ["S", "Société Zürich", "Rue du Lac", "12a", "2501", "Biel", "CH"]
    trailer = ["SCOR", "RF18539007547034", "", "EPD"]
    lines = [*header, *creditor, *[""] * 7, "1949.75", "CHF", *debtor, *trailer]
    assert swiss_code(SWISS, CHF, "RF18539007547034").split("\n") == lines
    assert swiss_code(SWISS, Amount(5, "CHF"), "").split("\n")[18] == "0.05"


def test_a_swiss_code_needs_francs_a_swiss_account_and_an_address_in_latin_letters():
    assert takes_swiss_code(SWISS, CHF)
    assert takes_swiss_code(replace(SWISS, iban="LI21088100002324013AA", street="", house_number=""), CHF)
    for amount in (Amount(1, "EUR"), Amount(0, "CHF"), Amount(1_000_000_000_00, "CHF")):
        assert not takes_swiss_code(SWISS, amount)
    for change in (
        {"iban": IBAN},
        {"iban": "CH9300762011623852958"},
        {"iban": "CH4431999123000889012"},  # a QR-IBAN
        {"name": ""},
        {"name": "Σύλλογος"},
        {"street": "Rue\nEPD"},
        {"postcode": ""},
        {"town": ""},
        {"country": ""},
    ):
        assert not takes_swiss_code(replace(SWISS, **change), CHF), change
