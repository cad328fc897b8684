"""Deeds with money that many tests need."""

import uuid

from tests.tournament import stories
from tournament import corrections
from tournament.access.actors import Actor
from tournament.corrections import Change
from tournament.entries import registration
from tournament.entries.lists import read_list
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.fees.amounts import Amount
from tournament.fees.schedule import EventFees, Fee, FeeSchedule
from tournament.ledger.balances import balances_of, open_amounts
from tournament.models import (
    AccountKind,
    CalcuttaLot,
    Correction,
    Entry,
    Event,
    Hedge,
    LedgerAccount,
    LedgerTransaction,
    Pairing,
    PersonalLink,
    ResultKind,
    Tournament,
)
from tournament.money import advance_payments, calcutta, fees, hedging, payments
from tournament.money.advance_payments import PaymentOptions
from tournament.money.calcutta import Buyer, ExpectedLot, Terms, state_of
from tournament.money.fees import FeeChange
from tournament.money.payments import NewPayment
from tournament.prizes.stored import structure_as_json
from tournament.prizes.structure import Part, PrizeStructure
from tournament.queries.money.book_check import differences_in_books

SPLIT = PrizeStructure("EUR", (Part("main", 1, 1, 2), Part("main", 2, 2, 1)))
"""Of 4 x 30 EUR the winner gets 80 and the finalist 40."""
TERMS = Terms("EUR", 10_00, 5_00, 10_00, (70, 30))


def change_fees(tournament: Tournament, schedule: FeeSchedule, actor: Actor) -> FeeChange:
    """Confirms what the preview shows."""
    shown = fees.preview_schedule(tournament, schedule)
    return fees.set_schedule(tournament.pk, schedule, actor, shown.digest)


def change_event_fees(event: Event, prices: EventFees, actor: Actor) -> FeeChange:
    """Confirms what the preview shows."""
    shown = fees.preview_event_fees(event, prices)
    return fees.set_event_fees(event, prices, actor, shown.digest)


def enter(tournament: Tournament, actor: Actor, name: str, **answers) -> Entry:
    """Enters a player with these details, and with these answers to the questions of the form."""
    details = {key: answers.pop(key) for key in ("club", "federation_id", "country") if key in answers}
    return registration.enter(tournament.pk, EntryDetails(PlayerDetails(name, **details), **answers), actor)


def take_in(
    tournament: Tournament, actor: Actor, text: str, *, above_debt: bool = False
) -> tuple[list[int], list[str]]:
    """Imports a list, and returns the payments in advance that it recorded and the codes of its preview."""
    listing = read_list(text.encode(), currency=advance_payments.payment_currency(tournament))
    plan = advance_payments.preview(tournament, listing, above_debt=above_debt)
    done = advance_payments.apply(
        tournament.pk, listing, plan.digest, actor, options=PaymentOptions(above_debt=above_debt)
    )
    return [amount.minor for amount in done.payments], [trouble.code for trouble in plan.troubles]


def new_payment(
    minor: int, currency: str = "EUR", method: AccountKind = AccountKind.CASH, **more
) -> NewPayment:
    """Confirms what is unusual, but for what `more` says."""
    return NewPayment(uuid.uuid4(), Amount(minor, currency), method, **{"above_claim": True, **more})


def pay(event: Event, player_id: uuid.UUID, minor: int, actor: Actor, **more) -> LedgerTransaction:
    """Takes a `new_payment` of the player."""
    return payments.take_payment(event, player_id, new_payment(minor, **more), actor)


def with_pot(made: Tournament, actor: Actor, structure: PrizeStructure = SPLIT) -> Tournament:
    """Every entry is charged 30 EUR and has paid."""
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(30_00)), actor)
    made.prize_structure = structure_as_json(structure)
    made.save(update_fields=["prize_structure"])
    players = list(Entry.objects.filter(tournament=made).values_list("player", flat=True))
    payments.pay_open_amounts(made.event, open_amounts(made.event_id, players), AccountKind.CASH, actor)
    made.refresh_from_db()
    return made


def phone(entry: Entry) -> Actor:
    """The player of the entry, on a phone."""
    return Actor(link=PersonalLink(entry=entry))


def agree(pairing: Pairing, left: int, right: int) -> Hedge:
    """Both players agree what each of them gives to the other after a win."""
    hedge = hedging.propose(pairing, (left, right), phone(pairing.left))
    hedging.accept(pairing, hedge.pk, phone(pairing.right))
    return hedge


def owed(made: Tournament) -> dict[str, int]:
    """Cents that people owe to the event, by name; negative amounts are claims."""
    names = {player.pk: player.name for player in made.event.players.all()}
    return {names[pk]: amounts["EUR"] for pk, amounts in open_amounts(made.event_id, names).items()}


def claims(made: Tournament) -> dict[str, int]:
    """Cents that the players of the tournament may claim, by name; negative amounts are debts."""
    names = {entry.name for entry in Entry.objects.filter(tournament=made).select_related("player")}
    return {name: -minor for name, minor in owed(made).items() if name in names}


def sums_to_zero(made: Tournament) -> bool:
    accounts = LedgerAccount.objects.filter(event=made.event)
    return sum(balances_of(accounts).values()) == 0 and differences_in_books(made.event) == []


def final_of(made: Tournament) -> Pairing:
    return stories.pairings(made).get(round__number=2)


def turn_final(made: Tournament, actor: Actor) -> Correction:
    """Corrects the final: the loser won it."""
    final = final_of(made)
    loser = final.left_id if final.winner_id == final.right_id else final.right_id
    points = (3, 1) if loser == final.left_id else (1, 3)
    preview = corrections.preview(final.pk, Change(ResultKind.PLAYED, loser, *points))
    return corrections.correct(preview, preview.digest, "The sheet was misread.", actor)


def expected_lot(lot: CalcuttaLot) -> ExpectedLot:
    return ExpectedLot(lot.pk, state_of(CalcuttaLot.objects.get(pk=lot.pk)))


def sell_lot(
    made: Tournament, actor: Actor, entry_ids: list[uuid.UUID], minor: int, name: str
) -> CalcuttaLot:
    """Sells these entries, or the field without any, to a new person."""
    calcutta.add_lots(made.pk, [entry_ids], actor, is_field=not entry_ids)
    lot = CalcuttaLot.objects.latest("number")
    calcutta.bid(made.pk, expected_lot(lot), Buyer(None, name), minor, actor)
    calcutta.sell(made.pk, expected_lot(lot), actor)
    return CalcuttaLot.objects.get(pk=lot.pk)
