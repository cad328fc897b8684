"""Names of accounts for people."""

from django.utils.translation import gettext as _

from tournament.fees.schedule import MAIN_POT
from tournament.models import AccountKind, LedgerAccount


def account_label(account: LedgerAccount) -> str:
    """Names the account with its player or its tournament, but without its currency. Both are loaded."""
    kind = str(AccountKind(account.kind).label)
    if account.kind == AccountKind.PLAYER:
        return account.player.registered_name if account.player else _("Player without an entry")
    if account.kind == AccountKind.POT:
        name = _("Main pot") if account.name == MAIN_POT else _("Pot {name}").format(name=account.name)
        return f"{account.tournament.name}: {name}" if account.tournament else name
    return f"{kind} {account.name}".rstrip()
