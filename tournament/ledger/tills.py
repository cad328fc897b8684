"""Names of tills: cash goes into the till of the user who takes it, and the organizer has a cash box of its own."""

import uuid

from tournament.access.actors import Actor
from tournament.fees.amounts import Amount
from tournament.ledger.accounts import AccountName
from tournament.ledger.balances import balances_of
from tournament.models import AccountKind, LedgerAccount


def till_of(actor: Actor) -> str:
    return str(actor.user.pk) if actor.user is not None else ""


def cash_account(till: str, currency: str) -> AccountName:
    return AccountName(AccountKind.CASH, currency, till)


def cash_held(event_id: uuid.UUID, till: str, currency: str) -> Amount:
    """The cash that the till should hold; negative if more was given out than came in."""
    account = LedgerAccount.objects.filter(pk=cash_account(till, currency).id_in(event_id))
    return Amount(sum(balances_of(account).values()), currency)
