"""Ways to pay an amount: a bank's payment code, and links with an amount. Pure."""

from urllib.parse import quote

from tournament.fees.amounts import Amount
from tournament.fees.bank_details import is_iban

MOST_CENTS_IN_A_CODE = 999_999_999_99


def takes_epc_code(holder: str, iban: str, amount: Amount) -> bool:
    """True if the payment code of European banks (EPC069-12, version 2) can name this payment."""
    return (
        amount.currency == "EUR"
        and bool(holder)
        and is_iban(iban)
        and 0 < amount.minor <= MOST_CENTS_IN_A_CODE
    )


def payment_link(template: str, amount: Amount, reference: str) -> str:
    """The organizer's link with {amount}, {currency} and {reference} filled in; empty unless it is https."""
    values = {"amount": str(amount.decimal), "currency": amount.currency, "reference": reference}
    link = template
    for name, value in values.items():
        link = link.replace(f"{{{name}}}", quote(value, safe=""))
    return link if link.startswith("https://") else ""
