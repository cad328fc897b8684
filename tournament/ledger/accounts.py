"""Names of accounts. An account is created with the first transfer that uses it."""

import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from tournament.models import PAYMENT_METHODS, AccountKind, LedgerAccount, Transfer


@dataclass(frozen=True, slots=True)
class AccountName:
    """An account within an event. `name` is the key of a pot or of a till."""

    kind: AccountKind
    currency: str
    name: str = ""
    tournament_id: uuid.UUID | None = None
    player_id: uuid.UUID | None = None

    def id_in(self, event_id: uuid.UUID) -> str:
        """The id of the account's row: currency, event, kind and name."""
        owner = self.player_id or self.tournament_id
        parts = [self.currency, event_id.hex, self.kind.value, owner.hex if owner else "", self.name]
        return ":".join(parts).rstrip(":")


def name_of(account: LedgerAccount) -> AccountName:
    return AccountName(
        AccountKind(account.kind), account.currency, account.name, account.tournament_id, account.player_id
    )


def owner_of(account_id: str) -> uuid.UUID:
    """The player or the tournament in the id of an account, also after its removal. Raises ValueError for others."""
    return uuid.UUID(account_id.split(":")[3])


def players_of(transactions: Collection[int]) -> dict[int, uuid.UUID]:
    """The player of each payment, refund, payout and their reversals, also after the player's removal."""
    is_player = {side: Q(**{f"{side}__kind": AccountKind.PLAYER}) for side in ("source", "target")}
    rows = Transfer.objects.filter(is_player["source"] | is_player["target"], transaction__in=transactions)
    values = rows.order_by().values_list("transaction", "source__kind", "source", "target")
    return {
        transaction: owner_of(source if kind == AccountKind.PLAYER else target)
        for transaction, kind, source, target in values
    }


def methods_of(transfers: QuerySet[Transfer]) -> dict[int, str]:
    """The kind of the box that gave or received money, by the transaction of these transfers."""
    return {
        transaction: kind
        for side in ("source", "target")
        for transaction, kind in transfers.filter(**{f"{side}__kind__in": PAYMENT_METHODS})
        .order_by()
        .values_list("transaction", f"{side}__kind")
    }


def player_account(player_id: uuid.UUID, currency: str) -> AccountName:
    return AccountName(AccountKind.PLAYER, currency, player_id=player_id)


def pot_account(tournament_id: uuid.UUID, key: str, currency: str) -> AccountName:
    """The main pot or a side pool of a tournament."""
    return AccountName(AccountKind.POT, currency, key, tournament_id=tournament_id)


def create_accounts(event_id: uuid.UUID, names: Iterable[AccountName]) -> None:
    """Creates those of the accounts that do not exist. Call it with the book of the event locked."""
    ids = {name.id_in(event_id): name for name in names}
    existing = set(LedgerAccount.objects.filter(pk__in=ids).values_list("pk", flat=True))
    LedgerAccount.objects.bulk_create(
        LedgerAccount(
            id=pk,
            event_id=event_id,
            kind=name.kind,
            currency=name.currency,
            name=name.name,
            tournament_id=name.tournament_id,
            player_id=name.player_id,
        )
        for pk, name in ids.items()
        if pk not in existing
    )
