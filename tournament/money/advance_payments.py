"""Imports an entry list with the payments in advance that it names.

The list says what each player has paid in all for the tournament. An import records the part that earlier imports did
not, so importing a list twice pays once.
"""

import uuid
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.entries import importing
from tournament.entries.importing import ImportCounts, PlayerBalances
from tournament.entries.lists import Listing
from tournament.entries.lists.comparison import Preview
from tournament.entries.lists.matching import Answers
from tournament.fees.amounts import Amount
from tournament.ledger.balances import open_amounts
from tournament.ledger.charging import lock_fees, prices_of
from tournament.ledger.recording import lock_book
from tournament.models import AccountKind, Event, LedgerTransaction, Player, Tournament
from tournament.money.payments import NewPayment, take_payments


@dataclass(frozen=True, slots=True)
class ImportedList:
    """`payments`: those that were recorded. `overpaid`: players among them who now may claim money."""

    counts: ImportCounts
    payments: tuple[Amount, ...]
    overpaid: int


@dataclass(frozen=True, slots=True)
class PaymentOptions:
    """How the payments of a list were made. `above_debt`: also records payments of more than the player owes, such as
    those that the desk has recorded.
    """

    method: AccountKind = AccountKind.BANK
    above_debt: bool = False


BANK_PAYMENTS = PaymentOptions()


def payment_currency(tournament: Tournament) -> str:
    """The currency of the fees of the tournament, else of those of its event; empty without fees."""
    prices = prices_of(tournament.event_id)
    schedule = prices.tournaments.get(tournament.pk) or prices.event
    return schedule.currency if schedule is not None else ""


def preview(
    tournament: Tournament, listing: Listing, answers: Answers | None = None, *, above_debt: bool = False
) -> Preview:
    """Returns the changes that an import would make. Raises as `importing.preview` does."""
    return importing.preview(
        tournament, listing, answers, _balances(tournament, listing, above_debt=above_debt)
    )


def apply(
    tournament_id: uuid.UUID,
    listing: Listing,
    digest: str,
    actor: Actor,
    answers: Answers | None = None,
    options: PaymentOptions = BANK_PAYMENTS,
) -> ImportedList:
    """Makes the changes of the preview with this digest and records its payments, all or none.

    Raises as `importing.apply` does.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        tournament = locked.tournament
        lock_fees(tournament)
        balances = _balances(tournament, listing, above_debt=options.above_debt)
        counts = importing.apply(tournament_id, listing, digest, actor, answers, balances)
        if counts.payments:
            with lock_book(tournament.event_id) as book:
                take_payments(book, _new_payments(tournament, counts, options.method), actor)
        claims = open_amounts(tournament.event_id, list(counts.payments))
    amounts = tuple(counts.payments.values())
    overpaid = sum(any(minor < 0 for minor in claim.values()) for claim in claims.values())
    return ImportedList(counts, amounts, overpaid)


def _balances(tournament: Tournament, listing: Listing, *, above_debt: bool) -> PlayerBalances:
    currency = next((line.paid_amount.currency for line in listing.rows if line.paid_amount), "")
    if not currency:
        return importing.NO_BALANCES
    players = list(Player.objects.filter(event=tournament.event_id).values_list("pk", flat=True))
    imported, _numbers = _imported(tournament, players, currency)
    owed = open_amounts(tournament.event_id, players)
    return PlayerBalances(
        {player: Amount(minor, currency) for player, minor in imported.items() if minor},
        {player: Amount(amounts.get(currency, 0), currency) for player, amounts in owed.items()},
        above_debt,
    )


def _new_payments(
    tournament: Tournament, counts: ImportCounts, method: AccountKind
) -> list[tuple[uuid.UUID, NewPayment]]:
    (currency,) = {amount.currency for amount in counts.payments.values()}
    _minor, numbers = _imported(tournament, list(counts.payments), currency)
    return [
        (player, NewPayment(_key(tournament, player, currency, numbers[player]), amount, method))
        for player, amount in counts.payments.items()
    ]


def _key(tournament: Tournament, player: uuid.UUID, currency: str, number: int) -> uuid.UUID:
    """Names the payment by its number among those that imports record for the player."""
    return uuid.uuid5(tournament.pk, f"paid in advance {player.hex} {currency} {number}")


def _imported(
    tournament: Tournament, players: Collection[uuid.UUID], currency: str
) -> tuple[Counter[uuid.UUID], Counter[uuid.UUID]]:
    """The minor units that imports recorded and that were not taken back, and the next number, by player."""
    sums, numbers = Counter[uuid.UUID](), Counter[uuid.UUID]()
    pending = list(players)
    while pending:
        keys = {_stored_key(tournament, pk, currency, numbers[pk]): pk for pk in pending}
        rows = LedgerTransaction.objects.filter(event=tournament.event_id, key__in=keys).order_by()
        pending = []
        for key, reversal, minor in rows.values_list("key", "reversed_by", "transfers__amount"):
            player = keys[key]
            numbers[player] += 1
            sums[player] += 0 if reversal else minor
            pending.append(player)
    return sums, numbers


def moved_keys(
    tournament: Tournament,
    player: uuid.UUID,
    other: uuid.UUID,
    currencies: Collection[str],
    only: str | None = None,
) -> dict[str, str]:
    """The keys by which imports find the payments of the player in advance once they are payments of the other.

    Payments that were taken back do not move, so they keep their keys. `only`: the key of the one payment that moves.
    """
    keys: dict[str, str] = {}
    for currency in currencies:
        _minor, numbers = _imported(tournament, [player, other], currency)
        old = [_stored_key(tournament, player, currency, number) for number in range(numbers[player])]
        if only is not None:
            old = [key for key in old if key == only]
        rows = LedgerTransaction.objects.filter(event=tournament.event_id, key__in=old)
        current = set(rows.filter(reversed_by__isnull=True).values_list("key", flat=True))
        for number, key in enumerate((key for key in old if key in current), numbers[other]):
            keys[key] = _stored_key(tournament, other, currency, number)
    return keys


def moved_keys_of_event(
    event: Event,
    player: uuid.UUID,
    other: uuid.UUID,
    currencies: Collection[str],
    only: str | None = None,
) -> dict[str, str]:
    """As `moved_keys`, of all tournaments: the list of one that the player left may be imported again."""
    keys: dict[str, str] = {}
    for tournament in Tournament.with_deleted.filter(event=event):
        keys |= moved_keys(tournament, player, other, currencies, only)
    return keys


def _stored_key(tournament: Tournament, player: uuid.UUID, currency: str, number: int) -> str:
    return f"payment {_key(tournament, player, currency, number).hex}"
