"""Random deeds at the cash desk and around it: after each the books balance and agree with entries, fees and journal.

`MONEY_EXAMPLES=300` runs many more examples than the suite does, `MONEY_STEPS=60` longer ones, `MONEY_SEED=7` others:
without a seed every run has the same examples.
"""

import os
import uuid
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from itertools import count

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from matches.keepers import Keeper
from tests.tournament import stories
from tests.tournament.money.random_choices import (
    CURRENCIES,
    DEBT_CURRENCIES,
    PAIRS,
    RATES,
    SCHEDULES,
    SIGNED_AMOUNTS,
    STRUCTURES,
)
from tests.tournament.money.random_desk import deed
from tests.tournament.money.random_entries import Entries
from tests.tournament.money.stories import phone, take_in
from tests.tournament.races import outcomes_at_once
from tournament import corrections
from tournament.access.actors import Actor
from tournament.corrections import Change
from tournament.drawing import jackpots
from tournament.fees.amounts import Amount
from tournament.fees.exchange import Rate
from tournament.fees.schedule import Condition, EventFees, Fee
from tournament.ledger.balances import balances_of
from tournament.ledger.tills import cash_account, cash_held, till_of
from tournament.models import (
    PAYMENT_METHODS,
    AccountKind,
    CalcuttaLot,
    Correction,
    Deed,
    Event,
    ExchangeRate,
    Jackpot,
    LedgerAccount,
    LedgerTransaction,
    ResultKind,
    Tournament,
)
from tournament.models.ledger import ORGANIZER_TILL
from tournament.money import (
    calcutta,
    fees,
    hedging,
    payments,
    payouts,
    player_merging,
    prize_structures,
    rates,
    receipts,
    settling,
    tills,
)
from tournament.money.awards import award_prizes
from tournament.money.calcutta import Buyer, ExpectedLot, Terms
from tournament.money.calcutta_awards import award_owners
from tournament.money.moved_payments import move_payment
from tournament.money.payments import NewPayment
from tournament.money.payouts import NewPayout
from tournament.money.settling import Agreement
from tournament.money.tills import Count, Handover, OwnCash
from tournament.prizes.calcutta import SPLITS
from tournament.prizes.structure import PrizeStructure
from tournament.queries.money.prize_steps import prize_steps
from tournament.results import desk
from tournament.results.awards import ExpectedResult

EXAMPLES = int(os.environ.get("MONEY_EXAMPLES", "2"))
STEPS = int(os.environ.get("MONEY_STEPS", "20"))
PHASES = (Phase.generate,)
"""Without shrinking, which takes minutes for a sequence of deeds."""


def in_cash(minor: int, expected: int | None = None) -> NewPayment:
    return NewPayment(uuid.uuid4(), Amount(minor, "EUR"), AccountKind.CASH, expected=expected)


def payments_of(event: Event) -> int:
    return LedgerTransaction.objects.filter(event=event, deed=Deed.PAYMENT).count()


class Payments(Entries):
    @deed(minor=SIGNED_AMOUNTS, method=PAYMENT_METHODS, currency=CURRENCIES, open_currency=DEBT_CURRENCIES)
    def a_payment_is_taken_or_refunded(
        self, minor: int, method: AccountKind, currency: str, open_currency: str
    ) -> None:
        amount, player = Amount(minor, currency), self.player()
        payment = NewPayment(uuid.uuid4(), amount, method, open_currency, above_claim=True)
        self.twice(lambda: payments.take_payment(self.event, player, payment, self.actor))

    @deed(minor=[5_00, 20_00])
    def a_payment_is_killed_before_each_of_its_statements(self, minor: int) -> None:
        work = self.taking(self.player(), in_cash(minor), self.actor)
        before, statements = payments_of(self.event), count(1)
        while self.is_killed(work, next(statements)):
            pass
        assert payments_of(self.event) == before + 1

    @deed(minor=[5_00, 20_00], number=range(1, 4))
    def several_tills_take_money_of_a_player_at_once(self, minor: int, number: int) -> None:
        """One of the requests arrives twice at the same moment, and counts once."""
        player, repeated = self.player(), in_cash(minor)
        before = payments_of(self.event)
        works = [self.taking(player, in_cash(minor), self.chance.choice(self.tellers)) for _ in range(number)]
        works += [self.taking(player, repeated, self.chance.choice(self.tellers))] * 2
        assert outcomes_at_once(*works) == ["done"] * len(works)
        assert payments_of(self.event) == before + number + 1

    @deed()
    def several_tills_take_all_that_a_player_owes_at_once(self) -> None:
        """One of them does; the others showed another amount."""
        for player, amounts in self.open_amounts().items():
            if (owed := amounts.get("EUR", 0)) > 0:
                works = [self.taking(player, in_cash(owed, expected=owed), actor) for actor in self.tellers]
                assert sorted(outcomes_at_once(*works)) == [
                    "done",
                    *["open-amount-changed"] * (len(works) - 1),
                ]
                return

    @deed(missing=[0, 1_00])
    def a_till_is_counted_while_cash_is_taken(self, missing: int) -> None:
        """The count is refused only if the cash came into the same till before it."""
        counting, taking = self.chance.choice(self.tellers), self.chance.choice(self.tellers)
        accounts = LedgerAccount.objects.filter(
            pk=cash_account(till_of(counting), "EUR").id_in(self.event.pk)
        )
        if account := accounts.first():
            held = balances_of(accounts)[account.pk]
            cash = Count(max(held - missing, 0), tills.last_transfer_of(account), "Ana", "Miscounted")
            counted, taken = outcomes_at_once(
                lambda: tills.close_till(self.event, account.name, account.currency, cash, self.actor),
                self.taking(self.player(), in_cash(1_00), taking),
            )
            assert taken == "done"
            assert counted == "done" or (counted == "till-changed" and taking == counting)

    def taking(self, player: uuid.UUID, payment: NewPayment, actor: Actor) -> Callable[[], object]:
        return partial(payments.take_payment, self.event, player, payment, actor)

    @deed()
    def a_player_pays_all_in_another_currency(self) -> None:
        pair = ExchangeRate.objects.filter(event=self.event).first()
        for player, amounts in self.open_amounts().items():
            if pair and (owed := amounts.get(pair.base)):
                amount = rates.rate_of(pair).convert(Amount(owed, pair.base))
                payment = NewPayment(uuid.uuid4(), amount, AccountKind.CASH, pair.base, expected=owed)
                if self.once(lambda p=player, n=payment: payments.take_payment(self.event, p, n, self.actor)):
                    assert pair.base not in self.open_amounts().get(player, {})

    @deed(millionths=RATES, unit=[1, 100, 5000], pair=PAIRS)
    def a_rate_is_set(self, millionths: int, unit: int, pair: tuple[str, str]) -> None:
        self.twice(lambda: rates.set_rate(self.event, Rate(*pair, millionths, unit), self.actor))

    @deed()
    def a_rate_is_removed(self) -> None:
        for row in ExchangeRate.objects.filter(event=self.event):
            self.twice(lambda row=row: rates.remove_rate(self.event, row.pk, self.actor))

    @deed()
    def selected_players_pay_all(self) -> None:
        players = {self.player() for _ in range(3)}
        shown = {pk: amounts for pk, amounts in self.open_amounts().items() if pk in players}
        self.twice(lambda: payments.pay_open_amounts(self.event, shown, AccountKind.CASH, self.actor))
        owed = self.open_amounts()
        assert all(minor < 0 for pk in shown for minor in owed.get(pk, {}).values())

    @deed(paid=["5", "25.00", "1,60"], above_debt=[True, False])
    def a_list_names_payments_in_advance(self, paid: str, above_debt: bool) -> None:
        tournament, names = self.tournament(), (self.entry().name, f"Listed {self.chance.randint(1, 3)}")
        text = "\n".join(["Name;Paid", *(f"{name};{paid}" for name in names)])

        self.twice(lambda: take_in(tournament, self.actor, text, above_debt=above_debt))

    @deed()
    def several_payments_are_undone(self) -> None:
        """Also of payments that are undone already, which are left out."""
        rows = [self.transaction(Deed.PAYMENT, Deed.REFUND) for _ in range(3)]
        pks = [row.pk for row in rows if row]
        if pks:
            self.twice(lambda: payments.undo_payments(self.event, pks, self.actor))

    @deed()
    def several_payouts_are_undone(self) -> None:
        rows = [self.transaction(Deed.PAYOUT) for _ in range(3)]
        pks = [row.pk for row in rows if row]
        if pks:
            self.twice(lambda: payouts.undo_payouts(self.event, pks, self.actor))

    @deed()
    def a_payment_is_undone(self) -> None:
        if row := self.transaction(Deed.PAYMENT, Deed.REFUND):
            self.twice(lambda: payments.undo_payment(self.event, row.pk, self.actor))

    @deed()
    def a_payment_moves_to_another_player(self) -> None:
        if row := self.transaction(Deed.PAYMENT, Deed.REFUND):
            player = self.player()
            self.twice(lambda: move_payment(self.event, row.pk, player, self.actor))

    @deed()
    def two_players_are_merged(self) -> None:
        player, other = self.player(), self.player()

        def merge() -> None:
            preview = player_merging.preview_merge(self.event, player, other, self.actor)
            player_merging.merge_players(self.event, player, other, self.actor, preview.digest)

        if player != other:
            self.twice(merge)

    @deed()
    def an_entry_is_split_off(self) -> None:
        entry = self.entry()
        self.twice(lambda: player_merging.split_off_entry(entry, self.actor))

    @deed()
    def a_receipt_is_issued(self) -> None:
        if row := self.transaction(Deed.PAYMENT, Deed.REFUND):
            self.twice(lambda: receipts.issue_receipt(self.event, row.pk, self.actor))

    @deed(minor=[1, 30_00, 10**9])
    def a_claim_is_paid_out_in_part_or_whole(self, minor: int) -> None:
        for player, amounts in self.open_amounts().items():
            for currency, owed in amounts.items():
                part = min(-owed, minor)
                payout = NewPayout(uuid.uuid4(), Amount(part, currency), AccountKind.CASH, "M1 2L3 4")
                work = lambda pk=player, new=payout: payouts.pay_out(self.event, pk, new, self.actor)  # noqa: E731
                self.twice(work) if owed < 0 else None

    @deed()
    def claims_are_paid_out_in_another_currency(self) -> None:
        for pair in ExchangeRate.objects.filter(event=self.event):
            for player, amounts in self.open_amounts().items():
                if (claim := -amounts.get(pair.base, 0)) > 0:
                    amount = rates.rate_of(pair).convert(Amount(claim, pair.base))
                    payout = NewPayout(
                        uuid.uuid4(), amount, AccountKind.CASH, expected=claim, open_currency=pair.base
                    )
                    self.twice(lambda p=player, n=payout: payouts.pay_out(self.event, p, n, self.actor))

    @deed()
    def all_claims_are_paid_out(self) -> None:
        shown = self.open_amounts()
        self.twice(lambda: payouts.pay_out_all(self.event, shown, AccountKind.BANK, self.actor))

    @deed()
    def a_payout_is_undone(self) -> None:
        if row := self.transaction(Deed.PAYOUT):
            self.twice(lambda: payouts.undo_payout(self.event, row.pk, self.actor))

    @deed(missing=[0, 0, -1_00, 50])
    def a_till_is_counted_and_emptied(self, missing: int) -> None:
        for account in LedgerAccount.objects.filter(event=self.event, kind=AccountKind.CASH):
            held = balances_of(LedgerAccount.objects.filter(pk=account.pk))[account.pk]
            count = Count(max(held + missing, 0), tills.last_transfer_of(account), "Ana", "Miscounted")
            close = lambda account=account, count=count: tills.close_till(  # noqa: E731
                self.event, account.name, account.currency, count, self.actor
            )
            self.twice(close)
            amount = Amount(count.counted, account.currency)
            handover = Handover(uuid.uuid4(), account.name, ORGANIZER_TILL, amount)
            self.twice(lambda handover=handover: tills.hand_over(self.event, handover, self.actor))

    @deed()
    def a_handover_is_taken_back(self) -> None:
        if row := self.transaction(Deed.HANDOVER):
            self.twice(lambda: tills.undo_handover(self.event, row.pk, self.actor))

    @deed(minor=[100_00, 1, 0, -1, -50_00], currency=CURRENCIES)
    def the_organizer_moves_own_cash(self, minor: int, currency: str) -> None:
        cash = OwnCash(uuid.uuid4(), Amount(minor, currency), "Change")
        held = cash_held(self.event.pk, ORGANIZER_TILL, currency).minor
        if self.once(lambda: tills.move_own_cash(self.event, cash, self.actor)):
            self.twice(lambda: tills.move_own_cash(self.event, cash, self.actor))
            assert cash_held(self.event.pk, ORGANIZER_TILL, currency).minor == held + minor
            assert minor > 0 or held + minor >= 0
        else:
            assert not minor or held + minor < 0

    @deed()
    def own_cash_is_taken_back(self) -> None:
        if row := self.transaction(Deed.OWN_CASH):
            self.twice(lambda: tills.undo_own_cash(self.event, row.pk, self.actor))

    def transaction(self, *deeds: Deed) -> LedgerTransaction | None:
        rows = LedgerTransaction.objects.filter(event=self.event, deed__in=deeds).order_by("pk")
        return self.chance.choice(list(rows)) if rows else None


class Prizes(Payments):
    @deed(structure=STRUCTURES)
    def prizes_are_set(self, structure: PrizeStructure | None) -> None:
        self.twice(lambda: prize_structures.set_structure(self.first.pk, structure, self.actor))

    @deed()
    def prizes_are_awarded(self) -> None:
        self.play_out()
        if self.once(lambda: award_prizes(self.first.pk, self.actor)):
            self.twice(lambda: award_prizes(self.first.pk, self.actor))
            steps = prize_steps([Tournament.objects.get(pk=self.first.pk)])
            assert all(step.is_auction for step in steps)

    @deed(count=range(1, 4))
    def matches_are_played(self, count: int) -> None:
        for _ in range(count):
            if playable := stories.playable(self.first):
                winner = self.chance.choice(["left", "right"])
                stories.play(self.chance.choice(playable), self.actor, winner)

    @deed(part=range(5), how=["desk", "confirm", "undo", "close", "again"])
    def players_settle(self, part: int, how: str) -> None:
        if not (pairing := self.played_pairing() if how == "again" else self.playable_pairing()):
            return
        stakes = settling.shared_stakes(pairing)
        left = stakes.total * part // 4 if stakes else 0
        amounts = (left, stakes.total - left) if stakes else None
        agreement = Agreement(self.chance.choice([pairing.left_id, pairing.right_id]), amounts)
        if how in ("desk", "again"):
            result = pairing.results.filter(superseded_by=None).first()
            expected = ExpectedResult(result.pk if result else None)
            self.once(
                lambda: settling.settle_at_desk(pairing, agreement, "Agreed", self.actor, expected=expected)
            )
        elif self.once(lambda: settling.propose(pairing, agreement, phone(pairing.left))):
            number = pairing.settlements.latest("proposed_at").pk
            if how == "close":
                self.twice(lambda: settling.close(pairing, number, phone(pairing.right)))
            else:
                self.twice(lambda: settling.confirm(pairing, number, Keeper.RIGHT, phone(pairing.right)))
            if how == "undo":
                self.twice(lambda: settling.undo_acceptance(pairing, Keeper.RIGHT, phone(pairing.right)))
        if self.chance.random() < 0.5:
            self.advance()

    @deed()
    def the_workers_come(self) -> None:
        self.advance()

    @deed()
    def the_next_round_is_paired(self) -> None:
        self.pair_round()

    @deed(part=range(5), how=["accept", "close", "cancel"])
    def players_hedge(self, part: int, how: str) -> None:
        if not (pairing := self.playable_pairing()):
            return
        limits = hedging.hedge_limits(pairing, settling.shared_stakes(pairing))
        left, right = phone(pairing.left), phone(pairing.right)
        if self.once(lambda: hedging.propose(pairing, (limits[0] * part // 4, limits[1]), left)):
            number = pairing.hedges.latest("proposed_at").pk
            if how != "close":
                hedging.accept(pairing, number, right)
            for player in {"accept": [], "close": [right], "cancel": [right, left]}[how]:
                self.twice(lambda player=player: hedging.close(pairing, number, player))

    @deed()
    def a_result_is_taken_back(self) -> None:
        if pairing := self.played_pairing():
            self.once(lambda: desk.retract(pairing, "Wrong table", self.actor))

    @deed(kind=[ResultKind.WALKOVER, ResultKind.SETTLED])
    def a_result_is_corrected(self, kind: ResultKind) -> None:
        if pairing := self.played_pairing():
            change = Change(kind, self.chance.choice([pairing.left_id, pairing.right_id]))
            self.once(lambda: self.correct(pairing.pk, change))

    @deed()
    def a_correction_is_undone(self) -> None:
        made = Correction.objects.filter(tournament=self.first, undone_at=None).order_by("-made_at").first()
        if made:
            self.once(lambda: corrections.undo(made.pk, self.actor))

    def correct(self, pairing: int, change: Change) -> None:
        preview = corrections.preview(pairing, change)
        corrections.correct(preview, preview.digest, "Wrong side", self.actor)


class Jackpots(Prizes):
    @deed(price=["0", "10", "12.50"])
    def a_jackpot_is_opened(self, price: str) -> None:
        plan = jackpots.JackpotPlan(4, 1, Decimal(price), uuid.uuid4())
        self.twice(lambda: jackpots.open_jackpot(self.first.pk, plan, self.actor))

    @deed(count=range(1, 5))
    def players_join_a_jackpot(self, count: int) -> None:
        if jackpot := self.jackpot():
            for _ in range(count):
                entry = self.chance.choice(list(self.first.entries.order_by("entered_at", "pk")))
                self.twice(lambda entry=entry: jackpots.join(jackpot.pk, entry, self.actor))

    @deed()
    def a_jackpot_is_left_or_closed(self) -> None:
        if jackpot := self.jackpot():
            seat = jackpot.seats.select_related("entry").first()
            if seat and self.chance.random() < 0.5:
                self.twice(lambda: jackpots.leave(jackpot.pk, seat.entry, self.actor))
            else:
                self.twice(lambda: jackpots.close(jackpot, self.actor))

    def jackpot(self) -> Jackpot | None:
        return Jackpot.objects.filter(tournament=self.first, closed_at=None).order_by("-number").first()


class Auctions(Jackpots):
    @deed(split=SPLITS[:3], rake=[0, 10_00], currency=CURRENCIES)
    def an_auction_gets_its_terms(self, split: tuple[int, ...], rake: int, currency: str) -> None:
        terms = Terms(currency, 10_00, 5_00, rake, split)
        self.twice(lambda: calcutta.set_terms(self.first.pk, terms, self.actor))

    @deed(size=range(3))
    def a_lot_is_added(self, size: int) -> None:
        """The field with a size of 0."""
        free = list(self.first.entries.filter(calcutta_seat=None).order_by("entered_at", "pk"))
        entries = [row.pk for row in self.chance.sample(free, min(size, len(free)))]
        self.auction(lambda: calcutta.add_lots(self.first.pk, [entries], self.actor, is_field=not entries))

    @deed(minor=[10_00, 33_33, 100_01])
    def a_lot_is_sold(self, minor: int) -> None:
        for lot in CalcuttaLot.objects.filter(calcutta__tournament=self.first, sold_at=None):
            self.newcomers += 1
            guest = Buyer(None, f"Guest {self.newcomers}")
            buyer = self.chance.choice([Buyer(self.player()), guest])
            self.lot_changes(lot, calcutta.bid, buyer, minor)
            self.lot_changes(lot, calcutta.sell)

    @deed(parts=range(3), action=["bid", "sell", "undo", "back", "share", "remove"])
    def a_lot_changes(self, parts: int, action: str) -> None:
        lots = list(CalcuttaLot.objects.filter(calcutta__tournament=self.first).order_by("number"))
        if not lots:
            return
        lot = self.chance.choice(lots)
        seat = lot.seats.select_related("entry").first()
        works = {
            "bid": (calcutta.bid, Buyer(self.player()), 200_00),
            "sell": (calcutta.sell,),
            "undo": (calcutta.undo_last,),
            "back": (calcutta.buy_back, seat.entry.player_id if seat else self.player()),
            "share": (calcutta.set_share, Buyer(self.player()), parts),
            "remove": (calcutta.remove_lot,),
        }
        self.lot_changes(lot, *works[action])

    @deed()
    def owners_are_awarded(self) -> None:
        self.auction(lambda: award_owners(self.first.pk, self.actor))

    @deed()
    def the_auction_is_switched_off(self) -> None:
        self.twice(lambda: calcutta.switch_off(self.first.pk, self.actor))

    def lot_changes(self, lot: CalcuttaLot, work: Callable[..., None], *details: object) -> None:
        shown = ExpectedLot(lot.pk, calcutta.state_of(CalcuttaLot.objects.get(pk=lot.pk)))
        self.twice(lambda: work(self.first.pk, shown, *details, self.actor))

    def auction(self, work: Callable[[], object]) -> None:
        if calcutta.Calcutta.objects.filter(tournament=self.first).exists():
            self.twice(work)


class Desk(Auctions):
    """Begins at any time of a tournament: its fees and prizes are set, it is drawn, played, awarded, paid out."""

    def begin(self) -> None:
        has_auction, stage = self.chance.random() < 0.5, self.chance.randint(0, 4)
        schedules = self.chance.choices(SCHEDULES, k=2)
        for tournament, schedule in zip((self.first, self.second), schedules, strict=True):
            fees.set_schedule(tournament.pk, schedule, self.actor)
        fees.set_event_fees(self.event, EventFees("EUR", Fee(self.chance.choice([0, 10_00]))), self.actor)
        for _ in range(3):
            self.a_player_chooses(frozenset([Condition.MEMBER]), frozenset("1"))
        self.prizes_are_set(self.chance.choice(STRUCTURES))
        self.a_rate_is_set(11_351_200, 100, ("EUR", "SEK"))
        if has_auction:
            self.an_auction_gets_its_terms((70, 30), 10_00, "EUR")
            for size in (1, 2, 0):
                self.a_lot_is_added(size)
            self.a_lot_is_sold(33_33)
        steps = (self.draw, self.play_out, self.prizes_are_awarded, self.all_claims_are_paid_out)
        self.payments_are_disturbed()
        self.selected_players_pay_all()
        for step in steps[:stage]:
            step()
        if has_auction:
            self.owners_are_awarded()

    def payments_are_disturbed(self) -> None:
        """Few examples would not choose these deeds later."""
        self.a_payment_is_killed_before_each_of_its_statements(5_00)
        self.several_tills_take_all_that_a_player_owes_at_once()
        self.several_tills_take_money_of_a_player_at_once(5_00, 2)
        self.a_till_is_counted_while_cash_is_taken(0)


@pytest.mark.django_db(transaction=True)
def test_the_books_balance_after_any_sequence_of_deeds() -> None:
    run_state_machine_as_test(
        Desk,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            phases=PHASES,
            suppress_health_check=list(HealthCheck),
        ),
    )
