"""Random deeds at the cash desk and around it: after each the books balance and agree with entries, fees and journal.

`MONEY_EXAMPLES=300` runs many more examples than the suite does.
"""

import os
import random
import uuid
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from rules.ruleset import PRESETS
from tests import servers
from tests.tournament import stories
from tournament import corrections
from tournament.corrections import Change
from tournament.drawing import draws
from tournament.entries import late_entry, reentry, registration
from tournament.entries.choices import set_choices
from tournament.entries.late_entry import LateEntryRequest
from tournament.entries.reentry import ReentryTerms
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.fees.amounts import Amount
from tournament.fees.schedule import (
    Condition,
    EventFees,
    Fee,
    FeeChoices,
    FeeSchedule,
    Reentry,
    Share,
    SidePool,
    Target,
)
from tournament.ledger.balances import balances_of, open_amounts
from tournament.ledger.tills import ORGANIZER_TILL
from tournament.models import (
    AccountKind,
    Correction,
    Deed,
    Entry,
    JournalLine,
    LedgerAccount,
    LedgerTransaction,
    Player,
    Result,
    ResultKind,
    Tournament,
    Transfer,
)
from tournament.money import fees, payments, payouts, tills
from tournament.money.awards import award_prizes
from tournament.money.books import differences_in_books
from tournament.money.payments import NewPayment
from tournament.money.payouts import NewPayout
from tournament.money.tills import Count, Handover
from tournament.prizes.stored import structure_as_json
from tournament.prizes.structure import Part, PrizeStructure
from tournament.runtime.errors import Refused

SCHEDULES = (
    FeeSchedule("EUR", Fee(20_00), Fee(5_00), late=Fee(3_00)),
    FeeSchedule(
        "EUR",
        Fee(50_00, {Condition.MEMBER: 40_00}),
        Fee(10_00),
        shares=(Share(Target.YEARLY_POT, least=5_00), Share(Target.FEDERATION, percent=1000, unit=100)),
        pools=(SidePool("1", "Pool 1", Fee(15_00), registration=1_00),),
        reentries=(Reentry(25_00, 5_00), Reentry(10_00)),
    ),
    FeeSchedule("JPY", Fee(10_000), Fee(1_000), shares=(Share(Target.REGISTRATION, percent=333),)),
)
SPLIT = PrizeStructure("EUR", (Part("main", 1, 1, 2), Part("main", 2, 2, 1)), added=50_00)
EXAMPLES = int(os.environ.get("MONEY_EXAMPLES", "3" if servers.uses_sqlite() else "6"))
PHASES = (Phase.generate,)
"""Without shrinking, which takes minutes for a sequence of deeds."""
AMOUNTS = st.sampled_from([1, 5_00, 20_00, 25_00, 70_00])


class AnyDesk(RuleBasedStateMachine):
    """Two tournaments of an event with the same players, the first of which is drawn at some time."""

    def __init__(self) -> None:
        super().__init__()
        self.day = transaction.atomic()
        self.day.__enter__()

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.day.__exit__(None, None, None)

    @initialize(entries=st.integers(4, 6), seed=st.integers(0, 2**32))
    def open_the_desk(self, entries: int, seed: int) -> None:
        self.chance = random.Random(seed)
        self.actor = stories.director()
        self.first = stories.entered(self.actor, entries)
        self.first.prize_structure = structure_as_json(SPLIT)
        self.first.save(update_fields=["prize_structure"])
        self.event = self.first.event
        reentry.set_terms(self.first.pk, ReentryTerms(allowed=True), self.actor)
        plan = setup.TournamentPlan("Doubling", PRESETS["tournament"], (3,))
        self.second = setup.create_tournament(self.event, plan, self.actor)
        self.newcomers = 0

    def twice(self, work: Callable[[], object]) -> None:
        """Does it, and does it again: the second time is refused or changes nothing in the books."""
        try:
            work()
        except Refused:
            return
        before = rows_of_books()
        with suppress(Refused):
            work()
        assert rows_of_books() == before

    def once(self, work: Callable[[], object]) -> None:
        """Does it, or finds the books as they were because it was refused."""
        before = rows_of_books()
        try:
            work()
        except Refused:
            assert rows_of_books() == before

    def entry(self) -> Entry:
        entries = Entry.objects.filter(tournament__event=self.event).order_by("entered_at", "pk")
        return self.chance.choice(list(entries.select_related("player", "tournament")))

    def tournament(self) -> Tournament:
        return Tournament.objects.get(pk=self.chance.choice([self.first.pk, self.second.pk]))

    @rule(schedule=st.sampled_from(SCHEDULES))
    def fees_are_set(self, schedule: FeeSchedule) -> None:
        tournament = self.tournament()
        shown = fees.preview_schedule(tournament, schedule)
        posted: list[fees.FeeChange] = []
        self.twice(lambda: posted.append(fees.set_schedule(tournament.pk, schedule, self.actor)))
        assert not posted or posted[0].digest == shown.digest

    @rule()
    def a_player_enters(self) -> None:
        self.newcomers += 1
        tournament, details = self.tournament(), EntryDetails(PlayerDetails(f"New {self.newcomers}"))
        request = LateEntryRequest(details, seed_text="a seed")
        self.twice(lambda: registration.enter(tournament.pk, details, self.actor))
        self.once(lambda: late_entry.enter(tournament.pk, request, self.actor))

    @rule(minor=AMOUNTS, method=st.sampled_from(payments.METHODS), sign=st.sampled_from([1, 1, -1]))
    def a_payment_is_taken_or_refunded(self, minor: int, method: AccountKind, sign: int) -> None:
        currency = self.chance.choice(["EUR", "JPY"])
        payment, player = (
            NewPayment(uuid.uuid4(), Amount(sign * minor, currency), method, above_claim=True),
            self.entry().player_id,
        )
        self.twice(lambda: payments.take_payment(self.event, player, payment, self.actor))

    @rule()
    def selected_players_pay_all(self) -> None:
        players = list({self.entry().player_id for _ in range(3)})
        self.twice(
            lambda: payments.pay_open_amounts(
                self.event, open_amounts(self.event.pk, players), AccountKind.CASH, self.actor
            )
        )
        owed = open_amounts(self.event.pk, players)
        assert all(minor < 0 for amounts in owed.values() for minor in amounts.values())

    @rule()
    def a_payment_is_undone(self) -> None:
        deeds = (Deed.PAYMENT, Deed.REFUND)
        taken = list(LedgerTransaction.objects.filter(event=self.event, deed__in=deeds).order_by("pk"))
        if taken:
            number = self.chance.choice(taken).pk
            self.twice(lambda: payments.undo_payment(self.event, number, self.actor))

    @rule(price=st.sampled_from([0, 10_00, 15_00]))
    def fees_of_the_event_are_set(self, price: int) -> None:
        event_fees = EventFees("EUR", Fee(price, {Condition.MEMBER: 5_00}))
        self.twice(lambda: fees.set_event_fees(self.event, event_fees, self.actor))

    @rule(conditions=st.frozensets(st.just(Condition.MEMBER)), pools=st.frozensets(st.just("1")))
    def a_player_chooses(self, conditions: frozenset[Condition], pools: frozenset[str]) -> None:
        entry, choices = self.entry(), FeeChoices(conditions, pools)
        self.twice(lambda: set_choices(entry.tournament_id, {entry.pk: choices}, self.actor))

    @rule()
    def prizes_are_awarded(self) -> None:
        """And the first claim is paid out: a part of it, then all."""
        self.play_out()
        self.twice(lambda: award_prizes(self.first.pk, self.actor))
        claims = open_amounts(self.event.pk, list(self.event.players.values_list("pk", flat=True)))
        for player, amounts in claims.items():
            for currency, minor in amounts.items():
                payout = NewPayout(uuid.uuid4(), Amount(-minor // 2, currency), AccountKind.CASH)
                self.twice(lambda player=player, payout=payout: self.pay_out(player, payout))
        self.twice(
            lambda: payouts.pay_out_all(
                self.event, open_amounts(self.event.pk, claims), AccountKind.CASH, self.actor
            )
        )

    def play_out(self) -> None:
        """Plays to the end, if the tournament is drawn."""
        while playable := stories.playable(self.first):
            stories.play(playable[0], self.actor)

    def pay_out(self, player: uuid.UUID, payout: NewPayout) -> None:
        payouts.pay_out(self.event, player, payout, self.actor)

    @rule()
    def a_payout_is_undone(self) -> None:
        paid = LedgerTransaction.objects.filter(event=self.event, deed=Deed.PAYOUT).order_by("pk")
        if paid:
            number = self.chance.choice(list(paid)).pk
            self.twice(lambda: payouts.undo_payout(self.event, number, self.actor))

    @rule(missing=st.sampled_from([0, 0, -1_00, 50]))
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

    @rule()
    def an_entry_is_removed(self) -> None:
        if Entry.objects.filter(tournament__event=self.event).count() > 1:
            self.once(lambda: registration.remove(self.entry(), self.actor))

    @rule()
    def a_player_withdraws_or_returns(self) -> None:
        entry = self.entry()
        change = registration.unwithdraw if entry.is_withdrawn else registration.withdraw
        self.once(lambda: change(entry, self.actor))

    @rule()
    def the_draw_is_made(self) -> None:
        def draw() -> None:
            draws.make(self.first.pk, draws.DrawPlan(seed_text="a seed"), self.actor)
            draws.release(self.first.pk, self.actor)

        self.once(draw)

    @rule()
    def the_draw_is_taken_back(self) -> None:
        self.once(lambda: draws.undo(self.first.pk, self.actor, "A player is missing"))

    @rule(count=st.integers(1, 3))
    def matches_are_played(self, count: int) -> None:
        for _ in range(count):
            if playable := stories.playable(self.first):
                stories.play(self.chance.choice(playable), self.actor, self.chance.choice(["left", "right"]))

    @rule()
    def a_player_re_enters(self) -> None:
        entry = self.entry()
        self.once(lambda: reentry.re_enter(entry, self.actor, "a seed"))

    @rule()
    def a_result_is_corrected_or_a_correction_undone(self) -> None:
        made = Correction.objects.filter(tournament=self.first, undone_at__isnull=True).order_by("-made_at")
        if made and self.chance.random() < 0.5:
            self.once(lambda: corrections.undo(made[0].pk, self.actor))
        current = Result.objects.filter(
            superseded_by__isnull=True, pairing__round__bracket__tournament=self.first
        )
        if results := list(current.select_related("pairing").order_by("pk")):
            pairing = self.chance.choice(results).pairing
            self.once(lambda: self.correct(pairing.pk, Change(ResultKind.WALKOVER, pairing.right_id)))

    def correct(self, pairing: int, change: Change) -> None:
        preview = corrections.preview(pairing, change)
        corrections.correct(preview, preview.digest, "Wrong side", self.actor)

    @invariant()
    def books_balance(self) -> None:
        sums: Counter[str] = Counter()
        for amount, source, target in Transfer.objects.values_list("amount", "source", "target"):
            sums[f"{source} {source[:3]}"] -= amount
            sums[f"{target} {target[:3]}"] += amount
        assert sum(sums.values()) == 0

    @invariant()
    def books_agree_with_entries_fees_and_journal(self) -> None:
        assert differences_in_books(self.event) == []

    @invariant()
    def every_deed_has_its_line_in_the_journal(self) -> None:
        assert not LedgerTransaction.objects.exclude(journal_line__event=self.event).exists()

    @invariant()
    def players_who_left_owe_nothing(self) -> None:
        owed = open_amounts(
            self.event.pk, list(Player.objects.filter(entries=None).values_list("pk", flat=True))
        )
        assert owed == {}


def rows_of_books() -> tuple[int, int, int, int]:
    verbs = ("pay", "refund", "take payment back", "charge", "pay out", "close till")
    journal = JournalLine.objects.filter(verb__in=verbs)
    return (
        LedgerTransaction.objects.count(),
        Transfer.objects.count(),
        journal.count(),
        Entry.objects.filter(is_paid=True).count(),
    )


@pytest.mark.django_db
def test_the_books_balance_after_any_sequence_of_deeds() -> None:
    run_state_machine_as_test(
        AnyDesk,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=20,
            deadline=None,
            phases=PHASES,
            suppress_health_check=list(HealthCheck),
        ),
    )
