"""The money of the demonstration: fees, payments of most players, prizes, and payouts of some.

Calls work functions as a director would; amounts are euros.
"""

from collections.abc import Sequence

from tournament.access.actors import Actor
from tournament.fees.schedule import Condition, Fee, FeeSchedule, Share, SidePool, Target
from tournament.ledger.balances import open_amounts
from tournament.models import AccountKind, Entry, Tournament
from tournament.money import fees, payments, payouts
from tournament.money.awards import award_prizes
from tournament.money.prize_structures import set_structure
from tournament.prizes.structure import Part, PrizeStructure

CURRENCY = "EUR"
OPEN_FEES = FeeSchedule(
    CURRENCY,
    Fee(120_00),
    Fee(30_00, {Condition.STUDENT: 15_00}),
    shares=(Share(Target.FEDERATION, percent=500),),
    pools=(SidePool("1", "Side pool", Fee(50_00)),),
)
EVENING_FEES = FeeSchedule(CURRENCY, Fee(20_00), Fee(5_00))
OPEN_PRIZES = PrizeStructure(
    CURRENCY,
    (
        Part("main", 1, 1, 40), Part("main", 2, 2, 20), Part("main", 3, 4, 10),
        Part("consolation", 1, 1, 15), Part("consolation", 2, 2, 5),
    ),
)  # fmt: skip
EVENING_PRIZES = PrizeStructure(
    CURRENCY, (Part("main", 1, 1, 50), Part("main", 2, 2, 25), Part("consolation", 1, 1, 25))
)


def set_prices(
    tournament: Tournament, schedule: FeeSchedule, prizes: PrizeStructure, director: Actor
) -> None:
    fees.set_schedule(tournament.pk, schedule, director)
    set_structure(tournament.pk, prizes, director)
    tournament.refresh_from_db()


def take_fees(tournament: Tournament, entries: Sequence[Entry], director: Actor) -> None:
    """Most players have paid: in cash, or every fifth by bank transfer. Every eleventh owes the fee."""
    paying = [entry.player_id for number, entry in enumerate(entries, start=1) if number % 11]
    by_bank = paying[::5]
    for players, method in ((by_bank, AccountKind.BANK), (paying, AccountKind.CASH)):
        owed = open_amounts(tournament.event_id, players)
        payments.pay_open_amounts(tournament.event, owed, method, director)


def pay_prizes(tournament: Tournament, director: Actor) -> None:
    """Awards the prizes. All but the largest claim are paid out."""
    award_prizes(tournament.pk, director)
    players = tournament.entries.values_list("player", flat=True)
    claims = {
        player: amounts
        for player, amounts in open_amounts(tournament.event_id, list(players)).items()
        if amounts.get(CURRENCY, 0) < 0
    }
    del claims[min(claims, key=lambda player: claims[player][CURRENCY])]
    payouts.pay_out_all(tournament.event, claims, AccountKind.CASH, director)
