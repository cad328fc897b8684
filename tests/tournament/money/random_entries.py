"""Random deeds with fees, entries and draws."""

from datetime import timedelta

from django.utils import timezone

from tests.tournament.money.random_choices import CURRENCIES, SCHEDULES, TIERS
from tests.tournament.money.random_desk import RandomDesk, deed
from tournament.drawing import draws
from tournament.entries import late_entry, personal_data, reentry, registration
from tournament.entries.choices import set_choices
from tournament.entries.late_entry import LateEntryRequest
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import recycle_bin
from tournament.fees.refunds import RefundTier
from tournament.fees.schedule import Condition, EventFees, Fee, FeeChoices, FeeSchedule
from tournament.models import Tournament
from tournament.money import fees
from tournament.money.withdrawals import (
    pending_withdrawals,
    refund_withdrawal,
    remaining_charges,
    waive_charges,
)


class Fees(RandomDesk):
    @deed(schedule=SCHEDULES)
    def fees_are_set(self, schedule: FeeSchedule) -> None:
        tournament = self.tournament()
        shown = fees.preview_schedule(tournament, schedule).digest
        posted: list[fees.FeeChange] = []
        self.twice(lambda: posted.append(fees.set_schedule(tournament.pk, schedule, self.actor, shown)))
        assert not posted or posted[0].digest == shown

    @deed()
    def fees_that_were_not_shown_are_refused(self) -> None:
        tournament = self.tournament()
        shown = fees.preview_schedule(tournament, SCHEDULES[0]).digest
        work = lambda: fees.set_schedule(tournament.pk, SCHEDULES[1], self.actor, shown)  # noqa: E731
        is_unchanged = not fees.preview_schedule(tournament, SCHEDULES[1]).changes_money
        assert not self.once(work) or is_unchanged

    @deed(price=[0, 10_00, 15_00], currency=CURRENCIES)
    def fees_of_the_event_are_set(self, price: int, currency: str) -> None:
        prices = EventFees(currency, Fee(price, {Condition.MEMBER: 5_00}), Fee(30_00))
        shown = fees.preview_event_fees(self.event, prices).digest
        self.twice(lambda: fees.set_event_fees(self.event, prices, self.actor, shown))

    @deed(tiers=[TIERS, TIERS[:1], ()])
    def refunds_are_set(self, tiers: tuple[RefundTier, ...]) -> None:
        self.twice(lambda: fees.set_refunds(self.tournament().pk, tiers, self.actor))

    @deed(
        conditions=[*map(frozenset, ([], [Condition.MEMBER], [Condition.MEMBER, Condition.NEW_MEMBER]))],
        pools=[*map(frozenset, ("", "1", "12"))],
    )
    def a_player_chooses(self, conditions: frozenset[Condition], pools: frozenset[str]) -> None:
        entry, choices = self.entry(), FeeChoices(conditions, pools)
        self.twice(lambda: set_choices(entry.tournament_id, {entry.pk: choices}, self.actor))


class Entries(Fees):
    @deed()
    def a_player_enters(self) -> None:
        self.newcomers += 1
        tournament, details = self.tournament(), EntryDetails(PlayerDetails(f"New {self.newcomers}"))
        request = LateEntryRequest(details, seed_text="a seed")
        self.twice(lambda: registration.enter(tournament.pk, details, self.actor))
        self.once(lambda: late_entry.enter(tournament.pk, request, self.actor))

    @deed()
    def a_player_of_the_other_tournament_enters(self) -> None:
        details = EntryDetails(PlayerDetails(self.entry().name))
        self.twice(lambda: registration.enter(self.tournament().pk, details, self.actor))

    @deed()
    def a_player_re_enters(self) -> None:
        entry = self.entry()
        self.once(lambda: reentry.re_enter(entry, self.actor, "a seed"))

    @deed()
    def an_entry_is_removed(self) -> None:
        entry = self.entry()
        if entry.tournament.entries.count() > 1:
            self.once(lambda: registration.remove(entry, self.actor))

    @deed()
    def the_data_of_a_person_are_removed(self) -> None:
        player = self.entry().player
        if self.chance.random() < 0.3:
            self.twice(lambda: personal_data.remove([player], self.actor))

    @deed(days_ago=[0, 3, 7])
    def a_player_withdraws_or_returns(self, days_ago: int) -> None:
        entry = self.entry()
        change = registration.unwithdraw if entry.is_withdrawn else registration.withdraw
        if self.once(lambda: change(entry, self.actor)) and not entry.is_withdrawn:
            day = timezone.now() - timedelta(days_ago)
            entry.tournament.entries.filter(pk=entry.pk).update(withdrawn_at=day)

    @deed()
    def withdrawals_are_refunded(self) -> None:
        for row in pending_withdrawals(self.event):
            self.twice(
                lambda row=row: refund_withdrawal(self.event, row.entry.pk, row.refund.minor, self.actor)
            )

    @deed()
    def a_debt_is_waived(self) -> None:
        if rows := remaining_charges(self.event):
            row = self.chance.choice(rows)
            self.once(lambda: waive_charges(self.event, row.entry.pk, row.revision, "No show", self.actor))

    @deed()
    def the_draw_is_made(self) -> None:
        self.once(self.draw)

    @deed()
    def the_draw_is_taken_back(self) -> None:
        self.once(lambda: draws.undo(self.first.pk, self.actor, "A player is missing"))

    @deed()
    def the_second_tournament_is_deleted_or_restored(self) -> None:
        if Tournament.objects.filter(pk=self.second.pk).exists():
            self.once(lambda: recycle_bin.delete_tournament(self.second, self.actor))
        else:
            self.once(lambda: recycle_bin.restore_tournament(self.second, self.actor))
