"""Random work in random formats: after each step the stored rows equal those computed from the facts.

Refusals change nothing. Workers may run late; then the rows are compared after they ran.
"""

import random
import uuid
from collections.abc import Callable

import pytest
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from matches.keepers import Keeper
from matches.rows import NewRow
from rules.score import Ending, Game, Side, Win
from tests.tournament import stories
from tournament import corrections
from tournament.brackets import advancing, double_entries, storage
from tournament.brackets.history import draw_as_of
from tournament.brackets.open_seats import entry_seats
from tournament.corrections import Change, Preview, consistency
from tournament.draw.formats import Format, Kind
from tournament.draw.seating import resolve
from tournament.drawing import jackpots, rounds, swaps
from tournament.drawing.jackpots import JackpotPlan
from tournament.drawing.swaps import Swap
from tournament.entries import late_entry, reentry, registration
from tournament.entries.late_entry import LateEntryRequest
from tournament.entries.reentry import ReentryTerms
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.models import (
    Correction,
    Entry,
    JackpotSeat,
    KeptSeat,
    Pairing,
    Result,
    ResultKind,
    Tournament,
)
from tournament.queries.forecast.forecast import forecast_event
from tournament.results import desk, disputes
from tournament.results.disputes import Decision, Ruling
from tournament.runtime.errors import Refused

PROGRESSIVE, LENGTH = "progressive", 3
FORMATS = (
    Format(third_place=True),
    Format(consolation=PROGRESSIVE),
    Format(consolation=PROGRESSIVE, last_chance="simple"),
    Format(Kind.DOUBLE, reset=True),
    Format(Kind.ROUND_ROBIN),
    Format(Kind.GROUPS, groups=2, qualifiers=1),
    Format(Kind.GROUPS, groups=2, qualifiers=2),
    Format(Kind.SWISS, rounds=3),
    Format(Kind.LIVES, lives=2),
)
TAKEN_BACK = Change(ResultKind.RETRACTED, None)
BESIDES_THE_BOARD = (ResultKind.WALKOVER, ResultKind.NO_SHOW, ResultKind.DOUBLE_NO_SHOW)


class AnyDayStored(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.day = transaction.atomic()
        self.day.__enter__()

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.day.__exit__(None, None, None)

    @initialize(chosen=st.sampled_from(FORMATS), entries=st.integers(6, 9), seed=st.integers(0, 2**32))
    def draw(self, chosen: Format, entries: int, seed: int) -> None:
        self.chance = random.Random(seed)
        self.actor = stories.director()
        self.made = stories.released(self.actor, entries, lengths=(LENGTH,), format=chosen)
        terms = ReentryTerms(allowed=True)
        reentry.set_terms(self.made.pk, terms, self.actor)
        self.made = Tournament.objects.get(pk=self.made.pk)
        self.workers_are_away = False
        self.late = 0

    def try_to(self, work: Callable[[], object]) -> None:
        """Does it, or finds that nothing changed because it was refused."""
        before = storage.read(self.made)
        try:
            work()
        except Refused:
            was_refused = True
        else:
            was_refused = False
        after = storage.read(self.made)
        same = (after.seated(), after.facts[:3]) == (before.seated(), before.facts[:3])
        assert same or not was_refused

    def rows(self, **which: object) -> list[Pairing]:
        return list(stories.pairings(self.made).filter(**which).order_by("pk"))

    def entries(self) -> list[Entry]:
        return list(Entry.objects.filter(tournament=self.made).order_by("entered_at", "pk"))

    @rule(how_many=st.integers(1, 4))
    def results_come_in(self, how_many: int) -> None:
        waiting = stories.playable(self.made)
        for pairing in self.chance.sample(waiting, min(how_many, len(waiting))):
            self.try_to(lambda pairing=pairing: self.post(pairing))

    def post(self, pairing: Pairing) -> None:
        fresh = self.rows(pk=pairing.pk)
        if fresh and fresh[0].match_id and fresh[0].match.began_at is None and not fresh[0].settled:
            stories.post(fresh[0], self.actor, self.chance.choice(["left", "right"]))

    @rule(away=st.sampled_from([False, False, True]))
    def workers_come_and_go(self, away: bool) -> None:
        self.workers_are_away = away

    def workers_do_their_work(self) -> None:
        """Whatever waits for them, in any order."""
        waiting = Result.objects.filter(advanced_at__isnull=True).order_by("posted_at", "pk")
        results = list(waiting.values_list("pk", flat=True))
        for result in self.chance.sample(results, len(results)):
            advancing.advance(result)

    @rule()
    def a_match_begins(self) -> None:
        waiting = [row for row in stories.playable(self.made) if row.match.began_at is None]
        if waiting:
            pairing = self.chance.choice(waiting)
            game = Game(Side.LEFT, Win.SINGLE, Ending.PLAYED, 1)
            writing = NewRow(uuid.uuid4(), pairing.match.pk, game)
            self.try_to(lambda: desk.enter_at_desk(pairing, Keeper.DESK, writing, self.actor))

    @rule(decision=st.sampled_from([None, *Decision]), score=st.sampled_from([(LENGTH, 1), (0, LENGTH)]))
    def two_players_ask_the_desk(self, decision: Decision | None, score: tuple[int, int]) -> None:
        """Which decides, or they take it back, or go on waiting."""
        if waiting := stories.playable(self.made):
            pairing = self.chance.choice(waiting)
            self.try_to(lambda: disputes.open_dispute(pairing, Keeper.LEFT, "Look", self.actor))
            ruling = Ruling("So be it", decision or Decision.PLAY_ON, keeper=Keeper.LEFT, score=score)
            if self.chance.random() < 0.8:
                self.try_to(lambda: self.settle(pairing, decision, ruling))

    def settle(self, pairing: Pairing, decision: Decision | None, ruling: Ruling) -> None:
        if decision is None:
            disputes.withdraw_dispute(pairing, Keeper.LEFT, self.actor)
        else:
            disputes.rule(pairing, ruling, self.actor)

    @rule(kind=st.sampled_from(BESIDES_THE_BOARD))
    def the_desk_awards(self, kind: ResultKind) -> None:
        rows = self.rows(left__isnull=False, right__isnull=False)
        if rows:
            pairing = self.chance.choice(rows)
            winner = None if kind == ResultKind.DOUBLE_NO_SHOW else self.chance.choice(sides(pairing))
            self.try_to(lambda: desk.award(pairing, winner, kind, "Not there", self.actor))

    @rule()
    def a_result_is_taken_back(self) -> None:
        if posted := self.posted():
            pairing = self.chance.choice(posted)
            self.try_to(lambda: desk.retract(pairing, "Wrong match", self.actor))

    def posted(self) -> list[Pairing]:
        standing = Result.objects.filter(superseded_by__isnull=True).exclude(kind=ResultKind.RETRACTED)
        return self.rows(results__in=standing)

    @rule(keeping=st.floats(0, 1), kind=st.sampled_from([ResultKind.PLAYED, *BESIDES_THE_BOARD]))
    def a_director_corrects(self, keeping: float, kind: ResultKind) -> None:
        if posted := self.posted():
            pairing = self.chance.choice(posted)
            self.try_to(lambda: self.correct(pairing, self.change(pairing, kind), keeping))

    @rule(keeping=st.sampled_from([0.0, 0.5, 1.0]))
    def a_director_takes_back(self, keeping: float) -> None:
        """Undoes a result or a kept seat."""
        if blockers := [*self.posted(), *self.rows(kept_seats__in=KeptSeat.objects.filter(lifted_at=None))]:
            pairing = self.chance.choice(blockers)
            self.try_to(lambda: self.correct(pairing, TAKEN_BACK, keeping))

    def change(self, pairing: Pairing, kind: ResultKind) -> Change:
        left, right = sides(pairing)
        if kind == ResultKind.DOUBLE_NO_SHOW:
            return Change(kind, None)
        if kind != ResultKind.PLAYED:
            return Change(kind, self.chance.choice([left, right]))
        return self.chance.choice([Change(kind, left, LENGTH, 0), Change(kind, right, 1, LENGTH)])

    def correct(self, pairing: Pairing, change: Change, keeping: float) -> None:
        """As it was shown: the preview says who will sit where, once results that wait were taken too."""
        keep = [row.pk for row in self.rows() if self.chance.random() < keeping]
        preview: Preview = corrections.preview(pairing.pk, change, keep)
        corrections.correct(preview, preview.digest, "Read from the wrong side", self.actor)
        is_all_taken = not Result.objects.filter(advanced_at__isnull=True).exists()
        assert not is_all_taken or storage.read(self.made).seated() == preview.consequences.after.states

    @rule()
    def a_correction_is_undone(self) -> None:
        made = Correction.objects.filter(tournament=self.made, undone_at__isnull=True).order_by("-made_at")
        if made:
            self.try_to(lambda: corrections.undo(made[0].pk, self.actor))

    @rule()
    def a_player_withdraws_or_returns(self) -> None:
        entry = self.chance.choice(self.entries())
        change = registration.unwithdraw if entry.is_withdrawn else registration.withdraw
        self.try_to(lambda: change(entry, self.actor))

    @rule()
    def a_player_enters_late(self) -> None:
        self.late += 1
        card = EntryDetails(PlayerDetails(f"Late {self.late}"))
        self.try_to(
            lambda: late_entry.enter(self.made.pk, LateEntryRequest(card, seed_text="a seed"), self.actor)
        )

    @rule()
    def a_player_re_enters(self) -> None:
        entry = self.chance.choice(self.entries())
        self.try_to(lambda: reentry.re_enter(entry, self.actor, "a seed"))

    @rule()
    def two_seats_are_swapped(self) -> None:
        seats = entry_seats(self.made)
        if len(seats) > 1:
            first, second = self.chance.sample(seats, 2)
            wanted = Swap(first.feed, second.feed, (first.entry, second.entry))
            self.try_to(lambda: swaps.swap(self.made.pk, wanted, self.actor, "They share a car"))

    @rule()
    def a_jackpot_fills(self) -> None:
        if self.made.jackpots.count() < 2:
            jackpot = jackpots.open_jackpot(self.made.pk, JackpotPlan(4, LENGTH), self.actor)
            for entry in self.chance.sample(self.entries(), 5):
                self.try_to(lambda entry=entry: jackpots.join(jackpot.pk, entry, self.actor))
            assert JackpotSeat.objects.filter(jackpot=jackpot).count() <= 4

    @rule(how=st.sampled_from([rounds.pair_next_round, rounds.pair_next_round, rounds.pair_free_players]))
    def a_round_is_paired(self, how: Callable[..., object]) -> None:
        self.try_to(lambda: how(self.made.pk, self.actor))

    @rule()
    def a_round_is_taken_back(self) -> None:
        self.try_to(lambda: rounds.take_back_round(self.made.pk, "Somebody came late", self.actor))

    @invariant()
    def stored_rows_match_the_facts(self) -> None:
        if not self.workers_are_away:
            self.workers_do_their_work()
            sheet = storage.read(self.made)
            assert sheet.seated() == resolve(sheet.graph, *sheet.facts).states
            assert consistency.differences(self.made.event) == []
            assert draw_as_of(self.made, timezone.now()).seating.states == sheet.seated()

    @invariant()
    def players_have_one_seat_and_other_opponents(self) -> None:
        assert double_entries.players_with_two_entries(self.made) == set()
        assert not self.rows(left__player=F("right__player"), settled="")

    @invariant()
    def the_end_is_forecast_at_any_moment(self) -> None:
        assert forecast_event(self.made.event, timezone.now()).trials


def sides(pairing: Pairing) -> list[uuid.UUID]:
    return [pk for pk in (pairing.left_id, pairing.right_id) if pk is not None]


@pytest.mark.django_db
def test_stored_rows_match_the_facts_after_every_step() -> None:
    run_state_machine_as_test(
        AnyDayStored,
        settings=settings(
            max_examples=3,
            stateful_step_count=14,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
