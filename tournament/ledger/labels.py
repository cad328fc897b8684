"""Names of accounts for people."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.fees.schedule import CALCUTTA_POT, MAIN_POT
from tournament.ledger.charging import schedule_of
from tournament.models import AccountKind, LedgerAccount, Tournament

METHOD_LABELS: Mapping[str, Promise] = {
    AccountKind.CASH.value: gettext_lazy("Cash"),
    AccountKind.BANK.value: gettext_lazy("Bank transfer"),
    AccountKind.CARD.value: gettext_lazy("Card"),
    AccountKind.OTHER.value: gettext_lazy("Other payment"),
}
"""Ways to pay, by the kind of the account that receives the money."""


def account_label(account: LedgerAccount) -> str:
    """Names the account with its player or its tournament, but without its currency. Both are loaded."""
    kind = str(AccountKind(account.kind).label)
    if account.kind == AccountKind.PLAYER:
        return account.player.registered_name if account.player else _("Player without an entry")
    if account.kind == AccountKind.POT:
        name = pot_label(account.tournament, account.name)
        return f"{account.tournament.name}: {name}" if account.tournament else name
    return f"{kind} {account.name}".rstrip()


def pot_label(tournament: Tournament | None, key: str) -> str:
    """Names the pot with the name of its side pool, or with the key of a pot that is none any more."""
    names = {MAIN_POT: _("Main pot"), CALCUTTA_POT: _("Pot of the auction")}
    schedule = schedule_of(tournament) if tournament else None
    pools = schedule.pool_names if schedule else {}
    return names.get(key) or pools.get(key) or _("Pot {name}").format(name=key)
