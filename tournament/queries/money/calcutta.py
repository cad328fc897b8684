"""The lots of an auction of players, with bids, owners and what they pay. Reads only."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournament.fees.amounts import Amount
from tournament.models import Calcutta, CalcuttaLot, Entry, Player, Tournament
from tournament.money.calcutta import state_of
from tournament.money.calcutta_awards import charges_of
from tournament.prizes.calcutta import smallest_bid
from tournament.runtime.name_search import sort_key


@dataclass(frozen=True, slots=True)
class Owner:
    """`share` is a fraction such as 1/2; a sole owner has 1."""

    player: Player
    share: Fraction
    amount: Amount


@dataclass(frozen=True, slots=True)
class LotLine:
    """A lot. `bids` are buyers and amounts, highest first; `least` is the least amount of the next bid."""

    lot: CalcuttaLot
    entries: tuple[Entry, ...]
    bids: tuple[tuple[Player, Amount], ...]
    owners: tuple[Owner, ...]
    least: Amount

    @property
    def state(self) -> str:
        return state_of(self.lot)

    @property
    def is_sold(self) -> bool:
        return self.lot.sold_at is not None

    @property
    def buy_back_players(self) -> list[Player]:
        """The players who may buy half of this lot."""
        if not self.is_sold or self.lot.bought_back_by_id is not None:
            return []
        return list({entry.player_id: entry.player for entry in self.entries}.values())


@dataclass(frozen=True, slots=True)
class Auction:
    """`pot`: what owners paid less the rake. `free`: entries without a lot."""

    calcutta: Calcutta
    lots: tuple[LotLine, ...]
    pot: Amount
    free: tuple[Entry, ...]
    has_field: bool

    def current(self, number: int | None) -> LotLine | None:
        """The lot of this number, otherwise the first that is not sold."""
        chosen = (line for line in self.lots if line.lot.number == number)
        return next(chosen, None) or next((line for line in self.lots if not line.is_sold), None)


def load_auction(tournament: Tournament) -> Auction | None:
    """None if the tournament has no auction."""
    calcutta = Calcutta.objects.filter(tournament=tournament).first()
    if calcutta is None:
        return None
    rows = calcutta.lots.prefetch_related("bids__buyer", "shares__owner", "seats__entry__player")
    lots = list(rows.select_related("calcutta"))
    lines = tuple(_line(lot) for lot in lots)
    money = sum(charges_of(lot).pot for lot in lots if lot.sold_at)
    free = Entry.objects.filter(tournament=tournament, calcutta_seat__isnull=True, withdrawn_at__isnull=True)
    by_name = sorted(free.select_related("player"), key=lambda entry: sort_key(entry.registered_name))
    return Auction(
        calcutta, lines, Amount(money, calcutta.currency), tuple(by_name), any(lot.is_field for lot in lots)
    )


def people_of(tournament: Tournament) -> Sequence[tuple[uuid.UUID, str]]:
    """The players of the event, and buyers without an entry, by name."""
    rows = Player.objects.filter(event=tournament.event_id, removed_at__isnull=True)
    return [
        (row.pk, row.registered_name) for row in sorted(rows, key=lambda row: sort_key(row.registered_name))
    ]


def _line(lot: CalcuttaLot) -> LotLine:
    calcutta, bids, shares = lot.calcutta, list(lot.bids.all()), list(lot.shares.all())
    highest = bids[-1].amount if bids else 0
    parts = sum(share.parts for share in shares)
    amounts = charges_of(lot).owners if lot.sold_at else {}
    return LotLine(
        lot,
        tuple(seat.entry for seat in lot.seats.all()),
        tuple((row.buyer, Amount(row.amount, calcutta.currency)) for row in reversed(bids)),
        tuple(
            Owner(
                share.owner, Fraction(share.parts, parts), Amount(amounts[share.owner_id], calcutta.currency)
            )
            for share in shares
        ),
        Amount(smallest_bid(calcutta.minimum, calcutta.step, highest), calcutta.currency),
    )
