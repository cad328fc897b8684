"""Ways to pay an amount: a bank's payment code, and links with an amount. Pure."""

import re
from dataclasses import astuple, dataclass
from urllib.parse import quote

from tournament.fees.amounts import Amount
from tournament.fees.bank_details import is_iban

MOST_CENTS_IN_A_CODE = 999_999_999_99
SWISS_COUNTRIES = ("CH", "LI")
_QR_IBANS = [str(number) for number in range(30000, 32000)]
"""Institutions of QR-IBANs, at the fifth to ninth character."""
_SWISS_TEXT = re.compile("[ -~\u00a0-\u017f\u0218-\u021b\u20ac]*")
"""Latin letters and signs of the Swiss payment standards."""


def takes_epc_code(holder: str, iban: str, amount: Amount) -> bool:
    """True if the payment code of European banks (EPC069-12, version 2) can name this payment."""
    return (
        amount.currency == "EUR"
        and bool(holder)
        and is_iban(iban)
        and 0 < amount.minor <= MOST_CENTS_IN_A_CODE
    )


@dataclass(frozen=True, slots=True)
class Creditor:
    """The holder of a bank account, with the parts of the address in the order of the Swiss QR code."""

    iban: str
    name: str
    street: str
    house_number: str
    postcode: str
    town: str
    country: str


def takes_swiss_code(creditor: Creditor, amount: Amount) -> bool:
    """True if a Swiss QR code can name this payment. A QR-IBAN takes only references of its own kind, not ours."""
    return (
        amount.currency == "CHF"
        and is_iban(creditor.iban)
        and creditor.iban[:2] in SWISS_COUNTRIES
        and creditor.iban[4:9] not in _QR_IBANS
        and all((creditor.name, creditor.postcode, creditor.town, creditor.country))
        and all(_SWISS_TEXT.fullmatch(text) for text in astuple(creditor))
        and 0 < amount.minor <= MOST_CENTS_IN_A_CODE
    )


def swiss_code(creditor: Creditor, amount: Amount, reference: str) -> str:
    """The content of a Swiss QR code, version 0200, with an address in parts and a reference of ISO 11649.

    The final creditor is for future use. The debtor stays open, so that anybody can pay for a player.
    """
    iban, *address = astuple(creditor)
    no_person = [""] * 7
    lines = ["SPC", "0200", "1", iban, "S", *address, *no_person, f"{amount.decimal:.2f}", amount.currency]
    return "\n".join([*lines, *no_person, "SCOR", reference, "", "EPD"])


def payment_link(template: str, amount: Amount, reference: str) -> str:
    """The organizer's link with {amount}, {currency} and {reference} filled in; empty unless it is https."""
    values = {"amount": str(amount.decimal), "currency": amount.currency, "reference": reference}
    link = template
    for name, value in values.items():
        link = link.replace(f"{{{name}}}", quote(value, safe=""))
    return link if link.startswith("https://") else ""
