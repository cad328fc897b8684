"""Names of tills: cash goes into the till of the user who takes it, and the organizer has a cash box of its own."""

from tournament.access.actors import Actor
from tournament.ledger.accounts import AccountName
from tournament.models import AccountKind

ORGANIZER_TILL = "organizer"
"""The cash box from which tills get their change, and to which they bring their cash. It may be overdrawn."""


def till_of(actor: Actor) -> str:
    return str(actor.user.pk) if actor.user is not None else ""


def cash_account(till: str, currency: str) -> AccountName:
    return AccountName(AccountKind.CASH, currency, till)
