"""Names of accounts, ways to pay and conditions of prices for people. Reads only."""

import uuid
from collections.abc import Mapping
from functools import cached_property

from django.db.models import Min
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.fees.schedule import CALCUTTA_POT, EXTRA_POT, JACKPOT_POT, MAIN_POT, Condition
from tournament.ledger.accounts import owner_of
from tournament.ledger.charging import schedule_of
from tournament.models import AccountKind, Entry, JournalLine, LedgerAccount, Player, Tournament, Transfer
from tournament.models.entries import name_of_entry

METHOD_LABELS: Mapping[str, Promise] = {
    AccountKind.CASH.value: gettext_lazy("Cash"),
    AccountKind.BANK.value: gettext_lazy("Bank transfer"),
    AccountKind.CARD.value: gettext_lazy("Card"),
    AccountKind.OTHER.value: gettext_lazy("Other payment"),
}
"""Ways to pay, by the kind of the account that receives the money."""
CONDITION_LABELS: Mapping[Condition, Promise] = {
    Condition.MEMBER: gettext_lazy("Member"),
    Condition.NEW_MEMBER: gettext_lazy("Becomes a member"),
    Condition.STUDENT: gettext_lazy("Student"),
    Condition.TITLE: gettext_lazy("Holder of a title"),
    Condition.FIRST_VISIT: gettext_lazy("First visit"),
    Condition.EARLY: gettext_lazy("Early payment"),
}


class BookLabels:
    """Names the accounts and the players of an event's books on pages, in files and on receipts.

    A player whose data are removed is named by a number: the place of the player's first transfer among those of all
    players of the event. So it never changes, and no two players of the event share it.
    """

    def __init__(self, event_id: uuid.UUID) -> None:
        self.event_id = event_id

    def of_account(self, account: LedgerAccount) -> str:
        """Names the account with its player or its tournament, which are loaded, but without its currency."""
        kind = str(AccountKind(account.kind).label)
        if account.kind == AccountKind.PLAYER:
            return self.of_player(account.player, owner_of(account.pk))
        if account.kind == AccountKind.POT:
            name = pot_label(account.tournament, account.name)
            return f"{account.tournament.name}: {name}" if account.tournament else name
        return f"{kind} {account.name}".rstrip()

    def of_player(self, player: Player | None, player_id: uuid.UUID) -> str:
        if player is not None and player.removed_at is None:
            return player.registered_name
        return self.of_removed(player_id)

    def of_entry(self, entry: Entry) -> str:
        return name_of_entry(self.of_player(entry.player, entry.player_id), entry.number)

    def of_payer(self, player: Player | None, player_id: uuid.UUID) -> str:
        """As `of_player`, but names a player who was merged into another one like that one."""
        other = self._merged.get(player_id) if player is None else None
        return self.of_player(other, other.pk) if other is not None else self.of_player(player, player_id)

    def of_removed(self, player_id: uuid.UUID) -> str:
        number = self._numbers.get(player_id)
        return _("Removed player {number}").format(number=number) if number else _("Removed player")

    @cached_property
    def _merged(self) -> dict[uuid.UUID, Player]:
        """The players into whom others were merged, also in several steps, by the ids of the others."""
        lines = JournalLine.objects.filter(event=self.event_id, verb="merge players").order_by("-pk")
        steps = [(uuid.UUID(line.after["player"]), uuid.UUID(line.subject_id)) for line in lines]
        merged = Player.objects.in_bulk({player_id for _other, player_id in steps})
        for other, player_id in steps:  # later merges first: theirs are the players who remain
            if player_id in merged:
                merged[other] = merged[player_id]
        return merged

    @cached_property
    def _numbers(self) -> dict[uuid.UUID, int]:
        first: dict[uuid.UUID, int] = {}
        for side in ("source", "target"):
            of_players = {f"{side}__event": self.event_id, f"{side}__kind": AccountKind.PLAYER}
            rows = Transfer.objects.filter(**of_players).order_by()
            for account_id, pk in rows.values_list(side).annotate(Min("pk")):
                player_id = owner_of(account_id)
                first[player_id] = min(pk, first.get(player_id, pk))
        in_order = sorted(first, key=lambda player_id: (first[player_id], player_id))
        return {player_id: number for number, player_id in enumerate(in_order, 1)}


def pot_label(tournament: Tournament | None, key: str) -> str:
    """Names the pot with the name of its side pool, or with the key of a pot that is none any more."""
    names = {MAIN_POT: _("Main pot"), CALCUTTA_POT: _("Pot of the auction"), EXTRA_POT: _("Extra prize")}
    schedule = schedule_of(tournament) if tournament else None
    pools = schedule.pool_names if schedule else {}
    if key.startswith(JACKPOT_POT):
        return _("Jackpot {number}").format(number=key.removeprefix(JACKPOT_POT))
    return names.get(key) or pools.get(key) or _("Pot {name}").format(name=key)
