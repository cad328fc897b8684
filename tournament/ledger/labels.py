"""Names of accounts for people."""

import uuid
from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.fees.schedule import CALCUTTA_POT, MAIN_POT
from tournament.ledger.accounts import owner_of
from tournament.ledger.charging import schedule_of
from tournament.models import AccountKind, LedgerAccount, Player, Tournament

NUMBERS = 100_000
"""The numbers of removed players are below this."""
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
        return player_label(account.player, str(owner_of(account.pk)))
    if account.kind == AccountKind.POT:
        name = pot_label(account.tournament, account.name)
        return f"{account.tournament.name}: {name}" if account.tournament else name
    return f"{kind} {account.name}".rstrip()


def player_label(player: Player | None, player_id: str) -> str:
    """Names a player of the books; after removal by a number, which is the same on pages, in files and on receipts."""
    if player is not None and player.removed_at is None:
        return player.registered_name
    return removed_label(uuid.UUID(player_id))


def removed_label(player_id: uuid.UUID) -> str:
    return _("Removed player {number}").format(number=player_id.int % NUMBERS)


def pot_label(tournament: Tournament | None, key: str) -> str:
    """Names the pot with the name of its side pool, or with the key of a pot that is none any more."""
    names = {MAIN_POT: _("Main pot"), CALCUTTA_POT: _("Pot of the auction")}
    schedule = schedule_of(tournament) if tournament else None
    pools = schedule.pool_names if schedule else {}
    return names.get(key) or pools.get(key) or _("Pot {name}").format(name=key)
