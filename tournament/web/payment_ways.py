"""Ways of paying an open amount without cash: bank account, payment code, link of the organizer."""

from dataclasses import dataclass

import segno.helpers

from tournament.fees.amounts import Amount
from tournament.fees.payment_codes import Creditor, payment_link, swiss_code, takes_epc_code, takes_swiss_code
from tournament.fees.references import in_groups, reference_of
from tournament.models import Event, Organizer, Player
from tournament.web.qr_codes import qr_picture, swiss_qr_picture


@dataclass(frozen=True, slots=True)
class PaymentWays:
    """`picture` is a QR code as a data URL, empty without one: a bank's payment code, else the link."""

    amount: Amount
    reference: str
    organizer: Organizer
    iban: str
    link: str
    picture: str
    is_bank_code: bool


def payment_ways(event: Event, player: Player, amount: Amount) -> PaymentWays | None:
    """None if the organizer gave neither a bank account nor a link."""
    organizer = event.organizer
    if organizer is None or not (organizer.iban or organizer.payment_link):
        return None
    reference = reference_of(event.pk, player.pk)
    link = payment_link(organizer.payment_link, amount, reference)
    bank_picture = _bank_picture(organizer, amount, reference)
    picture = bank_picture or (qr_picture(link) if link else "")
    return PaymentWays(
        amount, in_groups(reference), organizer, in_groups(organizer.iban), link, picture, bool(bank_picture)
    )


def _bank_picture(organizer: Organizer, amount: Amount, reference: str) -> str:
    """A PNG, because banks' apps read a saved picture of their own phone, but no SVG. Empty without a bank's code."""
    creditor = Creditor(
        organizer.iban,
        organizer.account_holder,
        organizer.street,
        organizer.house_number,
        organizer.postcode,
        organizer.town,
        organizer.country,
    )
    if takes_swiss_code(creditor, amount):
        return swiss_qr_picture(swiss_code(creditor, amount, reference))
    if not takes_epc_code(organizer.account_holder, organizer.iban, amount):
        return ""
    code = segno.helpers.make_epc_qr(
        name=organizer.account_holder,
        iban=organizer.iban,
        amount=amount.decimal,
        reference=reference,
        bic=organizer.bic or None,
    )
    picture: str = code.png_data_uri(scale=6, border=4)
    return picture
