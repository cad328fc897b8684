"""The payout list of an event: what each player won, what is taken out of it, what is paid and what is left.

Reads only. The number of statements does not depend on the number of players.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from django.db.models.functions import Coalesce
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.fees.amounts import Amount, sum_by_currency
from tournament.fees.schedule import EXTRA_POT
from tournament.ledger.balances import open_amounts
from tournament.ledger.charging import prices_of
from tournament.ledger.labels import METHOD_LABELS, BookLabels
from tournament.models import AccountKind, Deed, Event, LedgerTransaction, Player, Transfer
from tournament.prizes.structure import Feat
from tournament.queries.brackets.labels import MAIN, bracket_title
from tournament.queries.money.agreements import (
    AGREEMENTS,
    SETTLEMENT,
    AgreedMatch,
    agreed_matches,
    agreement_label,
    pairing_of,
)
from tournament.runtime.name_search import sort_key

POOL = "pool "
LOT = "lot "
PRIZE_FIELDS = (
    "source__player",
    "target__player",
    "target__tournament",
    "target__name",
    "target__tournament__name",
    "transaction__entry__tournament__name",
    "target__currency",
    "line",
    "amount",
    "transaction__reversed_by",
    "transaction__reversed_by__journal_line__reason",
)
FEATS: Mapping[str, Promise] = {
    Feat.UNBEATEN: gettext_lazy("unbeaten in the final"),
    Feat.PAIR_OF_THREE: gettext_lazy("playing among the last three"),
    Feat.WIN: gettext_lazy("matches won"),
}


@dataclass(frozen=True, slots=True)
class WonPrize:
    """A prize of a tournament, or with a negative amount what the player gives another by a hedge.

    `line` names the place: `main 1`, or the match: `settlement 7`, `hedge 7 0a1b…`. `pool` is the name of its side
    pool, else empty. `match` is the number that people know of the match of an agreement, `opponent` the other player.
    """

    tournament: str
    line: str
    amount: Amount
    pool: str = ""
    match: str = ""
    opponent: str = ""

    @property
    def bracket(self) -> str:
        """The key of the bracket, or of the side pool or lot with its words; empty for an agreement."""
        return "" if self.line.startswith(AGREEMENTS) else self.line.rpartition(" ")[0]

    @property
    def first_place(self) -> int:
        """The place, or the first of those that share the prize; 0 for a prize without a place."""
        place = self.line.rpartition(" ")[2].partition("-")[0]
        return int(place) if self.bracket and place.isdecimal() else 0

    @property
    def label(self) -> str:
        """“place 1”, “Consolation, place 1”, “settlement with Ben, match 7”."""
        if self.line.startswith(AGREEMENTS):
            return agreement_label(self.line, self.opponent, self.match)
        key, place = self.bracket, self.line.rpartition(" ")[2]
        if key.startswith(LOT):
            return _("Auction, lot {number}, place {place}").format(
                number=key.removeprefix(LOT), place=place.replace("-", "–")
            )
        prize = str(FEATS.get(place) or _("place {place}").format(place=place.replace("-", "–")))
        bracket, pool = key, self.pool
        if key.startswith(POOL):
            _word, pool_key, bracket = f"{key} ".split(" ", 2)
            bracket = bracket.rstrip()
            pool = pool or (_("Extra prize") if pool_key == EXTRA_POT else _("side pool"))
        title = "" if bracket in ("", MAIN) else bracket_title(bracket)
        return ", ".join(part for part in (pool, title, prize) if part)


@dataclass(frozen=True, slots=True)
class PaidPrize:
    """A payout that was not taken back. `strokes` is the signature, empty for a tick.

    `exchanged` is what the till paid, if it is another currency.
    """

    id: int
    at: datetime
    by: str
    method: str
    amount: Amount
    strokes: str
    exchanged: Amount | None = None


@dataclass(frozen=True, slots=True)
class GivenPrize:
    """A part of the prizes of a player that a settlement gives the opponent. The prizes are without it already."""

    opponent: str
    match: str
    amount: Amount

    @property
    def label(self) -> str:
        return agreement_label(SETTLEMENT, self.opponent, self.match)


@dataclass(slots=True)
class PayoutLine:
    """A player who won something. `balances`: what the player owes by currency; negative amounts are claims.

    `reasons`: why prizes were taken back. `given`: what the player gave away by settlements.
    """

    player: Player
    name: str
    prizes: list[WonPrize] = field(default_factory=list)
    paid: list[PaidPrize] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    given: list[GivenPrize] = field(default_factory=list)
    balances: dict[str, int] = field(default_factory=dict)

    @property
    def open_amounts(self) -> list[Amount]:
        return [Amount(minor, currency) for currency, minor in self.balances.items()]

    @property
    def claims(self) -> list[Amount]:
        return [Amount(-minor, currency) for currency, minor in self.balances.items() if minor < 0]

    @property
    def debts(self) -> list[Amount]:
        return [Amount(minor, currency) for currency, minor in self.balances.items() if minor > 0]

    @property
    def won(self) -> list[Amount]:
        return sum_by_currency(prize.amount for prize in self.prizes)

    @property
    def taken_out(self) -> list[Amount]:
        """The amounts that other debts take out of the prizes; negative for money that is paid back with them.

        Fees that became due after the payout are taken out of nothing.
        """
        rests = ((amount, amount.minor + self.balances.get(amount.currency, 0)) for amount in self._unpaid)
        return [
            Amount(rest, amount.currency) for amount, rest in rests if rest < 0 or (rest and amount.minor > 0)
        ]

    @property
    def open_fees(self) -> list[Amount]:
        """The fees among the debts, by currency. Those that prizes still cover are in `taken_out`."""
        unpaid = {amount.currency: amount.minor for amount in self._unpaid}
        fees = ((debt, unpaid.get(debt.currency, 0)) for debt in self.debts)
        return [
            Amount(debt.minor + rest, debt.currency) for debt, rest in fees if rest <= 0 < debt.minor + rest
        ]

    @property
    def _unpaid(self) -> list[Amount]:
        """What was won less what was paid out, by currency; negative if more was paid than won."""
        return sum_by_currency([*(-paid.amount for paid in self.paid), *self.won])

    @property
    def was_overpaid(self) -> bool:
        """True if the player owes money because a prize was taken back that had been paid."""
        owed = {amount.currency for amount in self.debts}
        return bool(self.reasons) and any(
            amount.minor < 0 and amount.currency in owed for amount in self._unpaid
        )


@dataclass(frozen=True, slots=True)
class PayoutList:
    """Players by what is to be done."""

    to_pay: tuple[PayoutLine, ...]
    owing: tuple[PayoutLine, ...]
    paid: tuple[PayoutLine, ...]

    @property
    def to_pay_in_all(self) -> list[Amount]:
        return sum_by_currency(amount for line in self.to_pay for amount in line.claims)

    @property
    def is_empty(self) -> bool:
        return not (self.to_pay or self.owing or self.paid)


class PayoutOrder(StrEnum):
    """AMOUNT: players who won most come first. PLACE: by tournament, and in it by the best place."""

    AMOUNT = "amount"
    PLACE = "place"
    NAME = "name"


def payout_list(event: Event, order: PayoutOrder = PayoutOrder.NAME) -> PayoutList:
    """Players who are equal in the order are sorted by name."""
    lines = _lines(event)
    for player_id, amounts in open_amounts(event.pk, lines).items():
        lines[player_id].balances = amounts
    ordered = sorted(lines.values(), key=lambda line: sort_key(line.name))
    if order is PayoutOrder.AMOUNT:
        ordered.sort(key=lambda line: -max((amount.minor for amount in line.won), default=0))
    elif order is PayoutOrder.PLACE:
        ordered.sort(key=_places(lines.values()))
    return PayoutList(
        tuple(line for line in ordered if line.claims),
        tuple(line for line in ordered if line.debts and not line.claims),
        tuple(line for line in ordered if not line.balances and (line.prizes or line.paid)),
    )


def _places(lines: Iterable[PayoutLine]) -> Callable[[PayoutLine], tuple[int, int, int]]:
    """A key by tournament and bracket, in the order of the lines, then place. The main bracket comes first."""
    prizes = [prize for line in lines for prize in line.prizes]
    tournaments = {
        name: number for number, name in enumerate(dict.fromkeys(row.tournament for row in prizes))
    }
    brackets = {
        key: number for number, key in enumerate(dict.fromkeys([MAIN, *(row.bracket for row in prizes)]))
    }

    def key_of(line: PayoutLine) -> tuple[int, int, int]:
        keys = [
            (tournaments[row.tournament], brackets[row.bracket], row.first_place)
            for row in line.prizes
            if row.first_place
        ]
        return min(keys, default=(len(tournaments), 0, 0))

    return key_of


def _lines(event: Event) -> dict[uuid.UUID, PayoutLine]:
    lines: dict[uuid.UUID, PayoutLine] = {}
    prizes = Transfer.objects.filter(
        transaction__event=event, transaction__deed=Deed.PRIZE, source__player__isnull=False
    )
    pairs = prizes.values_list("source__player", "target__player")
    players = Player.objects.in_bulk({pk for pair in pairs for pk in pair} - {None})
    labels = BookLabels(event.pk)
    pools = prices_of(event.pk).pool_names
    matches = agreed_matches(prizes.values_list("line", flat=True))
    created_at = Coalesce("target__tournament__created_at", "transaction__entry__tournament__created_at")
    rows = prizes.order_by(created_at, "pk").values_list(*PRIZE_FIELDS)
    for payee, payer, tournament_id, pot, *names, currency, prize, minor, reversal, reason in rows:
        for player_id, amount in ((payee, Amount(minor, currency)), (payer, Amount(-minor, currency))):
            if player_id is None:
                continue
            line = lines.setdefault(
                player_id, PayoutLine(players[player_id], labels.of_player(players[player_id], player_id))
            )
            if reversal is None:
                match = matches.get(prize, AgreedMatch())
                details = pools.get((tournament_id, pot), ""), match.number, match.name_for(player_id)
                line.prizes.append(WonPrize(names[0] or names[1] or "", prize, amount, *details))
            elif reason and reason not in line.reasons:
                line.reasons.append(reason)
    _add_given_prizes(lines, matches)
    _add_reasons(event, lines)
    _add_payouts(event, lines)
    return lines


def _add_reasons(event: Event, lines: Mapping[uuid.UUID, PayoutLine]) -> None:
    """Adds the reasons of prizes that were taken back from a player who was merged into this one since."""
    rows = LedgerTransaction.objects.filter(
        event=event, deed=Deed.PRIZE, entry__player__in=lines, reversed_by__journal_line__reason__gt=""
    )
    values = rows.order_by("pk").values_list("entry__player", "reversed_by__journal_line__reason")
    for player_id, reason in values:
        if reason not in lines[player_id].reasons:
            lines[player_id].reasons.append(reason)


def _add_given_prizes(lines: Mapping[uuid.UUID, PayoutLine], matches: Mapping[str, AgreedMatch]) -> None:
    """Names to each player who settled a match what the opponent got."""
    for player_id, line in lines.items():
        given: dict[int, list[WonPrize]] = {}
        for prize in line.prizes:
            if prize.line.startswith(SETTLEMENT) and player_id in matches[prize.line].opponents:
                given.setdefault(pairing_of(prize.line), []).append(prize)
        for prizes in given.values():
            match = matches[prizes[0].line]
            opponent = match.opponents[player_id].player
            if opponent in lines:
                amounts = sum_by_currency(prize.amount for prize in prizes)
                name = match.name_for(opponent)
                lines[opponent].given += [GivenPrize(name, match.number, amount) for amount in amounts]


def _add_payouts(event: Event, lines: Mapping[uuid.UUID, PayoutLine]) -> None:
    payouts = Transfer.objects.filter(
        transaction__event=event,
        transaction__deed=Deed.PAYOUT,
        transaction__reversed_by__isnull=True,
        target__player__in=lines,
    )
    related = ("source", "target", "transaction__journal_line__user", "transaction__signature")
    exchanged = _exchanged(event)
    for row in payouts.select_related(*related).order_by("pk"):
        if row.target.player_id is not None:
            lines[row.target.player_id].paid.append(_paid(row, exchanged.get(row.transaction_id)))


def _exchanged(event: Event) -> dict[int, Transfer]:
    """The transfers out of a till for payouts in another currency, by transaction."""
    rows = Transfer.objects.filter(
        transaction__event=event, transaction__deed=Deed.PAYOUT, target__kind=AccountKind.EXCHANGE
    )
    tills = rows.filter(source__kind__in=METHOD_LABELS).select_related("source")
    return {row.transaction_id: row for row in tills}


def _paid(row: Transfer, exchanged: Transfer | None) -> PaidPrize:
    user = row.transaction.journal_line.user
    signature = getattr(row.transaction, "signature", None)
    return PaidPrize(
        row.transaction_id,
        row.transaction.at,
        user.get_username() if user else "",
        str(METHOD_LABELS[(exchanged or row).source.kind]),
        Amount(row.amount, row.source.currency),
        signature.strokes if signature else "",
        Amount(exchanged.amount, exchanged.source.currency) if exchanged else None,
    )
