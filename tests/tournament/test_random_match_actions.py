"""One match with two phones and the desk acting in random order, with one or two cards, disputes and rulings.

Invariants after each step: only the desk posts a disputed match, a result posted by two players equals both cards,
and a ruling never changes.
"""

import random
import uuid

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from matches.keepers import Keeper
from matches.miscounts import miscounts
from matches.models import Card, MatchState
from matches.rows import FinalScore, NewRow, RowContent, Strike
from matches.scorecard import row_to_undo
from rules.problem import RuleBroken
from rules.score import Game, Side, Win
from tests import servers
from tests.tournament import stories
from tournament.access.actors import STRANGER
from tournament.models import Pairing, Question, Result, Tournament
from tournament.models.desk import QuestionKind
from tournament.queries.cards.card import load_phone_match
from tournament.queries.cards.two_cards import compare_cards
from tournament.results import desk, disputes, report_sweep
from tournament.results import two_cards as twocards
from tournament.results.disputes import Decision, Ruling
from tournament.results.questions import TAKEN_BACK
from tournament.results.two_cards import CardTails
from tournament.runtime.errors import Refused

PLAYERS = st.sampled_from([Keeper.LEFT, Keeper.RIGHT])
GAMES = st.builds(Game, st.sampled_from(Side), st.sampled_from(Win), cube=st.sampled_from([1, 1, 2]))
FINALS = st.sampled_from([FinalScore(5, 0), FinalScore(5, 3), FinalScore(2, 5)])
NO = (Refused, RuleBroken)


class AnyEvening(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.evening = transaction.atomic()
        self.evening.__enter__()

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.evening.__exit__(None, None, None)

    @initialize(two_cards=st.booleans(), seed=st.integers(0, 2**32))
    def sit_down(self, two_cards: bool, seed: int) -> None:
        self.chance = random.Random(seed)
        self.actor = stories.director()
        self.made = stories.released(self.actor, 2, lengths=(5,), two_cards=two_cards)
        self.rulings: dict[uuid.UUID, tuple[object, ...]] = {}

    @property
    def pairing(self) -> Pairing:
        pairing: Pairing = stories.pairings(self.made).get()
        return pairing

    def try_to(self, work) -> bool:
        try:
            with transaction.atomic():
                work()
        except NO:
            return False
        return True

    def write(self, keeper: Keeper, what: RowContent, supersedes: uuid.UUID | None = None) -> None:
        pairing = self.pairing
        card = Card.objects.filter(match=pairing.match, keeper=keeper.value).first()
        tail = card.tail if card else pairing.match_id
        row = NewRow(uuid.uuid4(), tail, what, supersedes)
        self.try_to(lambda: desk.enter(pairing, keeper, row, STRANGER))

    @rule(keeper=PLAYERS, what=st.one_of(GAMES, GAMES, FINALS))
    def a_player_writes(self, keeper: Keeper, what: RowContent) -> None:
        self.write(keeper, what)

    @rule(keeper=PLAYERS)
    def a_player_undoes_the_last_row(self, keeper: Keeper) -> None:
        card = Card.objects.filter(match=self.pairing.match, keeper=keeper.value).first()
        last = row_to_undo(list(card.rows.all())) if card else None
        if last is not None:
            self.write(keeper, Strike(), last.key)

    @rule(keeper=PLAYERS, is_whole=st.booleans())
    def a_player_adopts(self, keeper: Keeper, is_whole: bool) -> None:
        comparison = compare_cards(load_phone_match(self.pairing, keeper))
        tails = CardTails(comparison.mine, comparison.theirs)
        if is_whole:
            if self.try_to(lambda: twocards.adopt_card(self.pairing, keeper, tails, STRANGER)):
                assert compare_cards(load_phone_match(self.pairing, keeper)).lines == ()
        elif comparison.lines:
            line = self.chance.choice(comparison.lines).key
            self.try_to(lambda: twocards.adopt_line(self.pairing, keeper, line, tails, STRANGER))

    @rule(keeper=PLAYERS)
    def a_player_undoes_an_adoption(self, keeper: Keeper) -> None:
        comparison = compare_cards(load_phone_match(self.pairing, keeper))
        tails = CardTails(comparison.mine, comparison.theirs)
        done = self.try_to(lambda: twocards.undo_adoption(self.pairing, keeper, tails, STRANGER))
        assert done or not comparison.can_undo
        assert not compare_cards(load_phone_match(self.pairing, keeper)).can_undo

    @rule(keeper=PLAYERS)
    def a_player_opens_a_dispute(self, keeper: Keeper) -> None:
        self.try_to(lambda: disputes.open_dispute(self.pairing, keeper, "Look", STRANGER))

    @rule(keeper=PLAYERS)
    def a_player_withdraws_a_dispute(self, keeper: Keeper) -> None:
        self.try_to(lambda: disputes.withdraw_dispute(self.pairing, keeper, STRANGER))

    @rule(keeper=st.sampled_from(Keeper), decision=st.sampled_from(Decision))
    def the_desk_rules(self, keeper: Keeper, decision: Decision) -> None:
        ruling = Ruling("So be it", decision, "CARD-4", keeper, score=self.chance.choice([(5, 1), (5, 5)]))
        self.try_to(lambda: disputes.rule(self.pairing, ruling, self.actor))

    @rule(keeper=st.sampled_from(Keeper))
    def a_player_or_the_desk_confirms(self, keeper: Keeper) -> None:
        self.try_to(lambda: desk.confirm(self.pairing, keeper, None, self.actor))

    @rule()
    def the_sweep_runs(self) -> None:
        report_sweep.settle_reports()

    @rule()
    def the_desk_undoes_the_result(self) -> None:
        self.try_to(lambda: desk.retract(self.pairing, "Wrong table", self.actor))

    @invariant()
    def disputed_matches_have_a_question_and_no_result(self) -> None:
        match = self.pairing.match
        questions = Question.objects.filter(kind=QuestionKind.DISAGREEMENT, closed_at__isnull=True)
        is_asked = questions.filter(match=match).exists()
        standing = Result.objects.filter(superseded_by__isnull=True).exclude(kind="retracted").first()
        assert is_asked == (match.state == MatchState.DISPUTED)
        assert (standing is not None) == (match.state == MatchState.POSTED)
        if standing is not None and standing.confirmed_by in ("left", "right") and self.two_cards:
            left, right = (match.cards.get(keeper=side) for side in ("left", "right"))
            assert left.agrees_with(right)

    @property
    def two_cards(self) -> bool:
        return Tournament.objects.get(pk=self.made.pk).two_cards

    @invariant()
    def cards_add_up(self) -> None:
        assert miscounts([self.pairing.match_id]) == []

    @invariant()
    def no_ruling_is_ever_changed(self) -> None:
        closed = Question.objects.filter(kind=QuestionKind.DISAGREEMENT, closed_at__isnull=False)
        now = {row.pk: (row.ruling, row.rule, row.closed_at, str(row.detail)) for row in closed}
        assert {pk: now[pk] for pk in self.rulings} == self.rulings
        assert all(question.ruling or question.detail.get(TAKEN_BACK) for question in closed)
        self.rulings = now


@pytest.mark.django_db
def test_match_invariants_hold_after_every_step() -> None:
    run_state_machine_as_test(
        AnyEvening,
        settings=settings(
            max_examples=4 if servers.uses_sqlite() else 5,
            stateful_step_count=16,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
