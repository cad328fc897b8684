"""Money of the sample event: fees, payments with a receipt, tills, a rate, prizes, and an auction with a bid."""

import uuid

from tournament.access.actors import Actor
from tournament.events import organizers
from tournament.events.organizers import OrganizerDetails
from tournament.fees.amounts import Amount
from tournament.fees.exchange import RATE_UNIT, Rate
from tournament.fees.schedule import Fee, FeeSchedule
from tournament.ledger.tills import till_of
from tournament.models import AccountKind, CalcuttaLot, Event, Tournament
from tournament.models.ledger import ORGANIZER_TILL
from tournament.money import calcutta, fees, payments, rates, receipts, tills
from tournament.money.calcutta import Buyer, ExpectedLot, Terms, state_of
from tournament.money.payments import NewPayment
from tournament.money.prize_structures import keep_template, set_structure
from tournament.money.tills import Handover, OwnCash
from tournament.prizes.structure import Part, PrizeStructure

PARTS = (Part("main", 1, 1, 2), Part("main", 2, 2, 1))


def create_money(event: Event, tournament: Tournament, owner: Actor) -> None:
    details = OrganizerDetails("Club", "Club", "DE89370400440532013000")
    organizers.change_organizer(event.pk, details, owner)
    fees.set_schedule(tournament.pk, FeeSchedule("EUR", Fee(20_00)), owner)
    rates.set_rate(event, Rate("EUR", "SEK", 11 * RATE_UNIT), owner)
    set_structure(tournament.pk, PrizeStructure("EUR", PARTS), owner)
    keep_template(tournament, "House", PARTS, "EUR", owner)
    first, second = tournament.entries.order_by("number")[:2]
    for entry in (first, second):
        payment = NewPayment(uuid.uuid4(), Amount(20_00, "EUR"), AccountKind.CASH)
        row = payments.take_payment(event, entry.player_id, payment, owner)
    receipts.issue_receipt(event, row.pk, owner)
    tills.move_own_cash(event, OwnCash(uuid.uuid4(), Amount(50_00, "EUR"), "Change"), owner)
    amount = Amount(10_00, "EUR")
    tills.hand_over(event, Handover(uuid.uuid4(), ORGANIZER_TILL, till_of(owner), amount), owner)
    calcutta.set_terms(tournament.pk, Terms("EUR", 10_00, 5_00, 0, (100,), is_public=True), owner)
    calcutta.add_lots(tournament.pk, [[first.pk], [second.pk]], owner)
    lot = CalcuttaLot.objects.filter(calcutta__tournament=tournament).order_by("number")[0]
    calcutta.bid(tournament.pk, ExpectedLot(lot.pk, state_of(lot)), Buyer(second.player_id), 10_00, owner)
