"""Payment codes and payment links."""

from tournament.fees.amounts import Amount
from tournament.fees.payment_codes import payment_link, takes_epc_code

IBAN = "DE89370400440532013000"


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
