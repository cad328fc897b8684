"""A result's way: reported by one side, confirmed by another, posted; or sent to the desk with both versions."""

import uuid
from copy import deepcopy
from datetime import timedelta

import pytest
from django.utils import timezone

from matches.keepers import Keeper
from matches.models import Match, MatchState
from matches.rows import FinalScore, NewRow, Strike
from rules.problem import RuleBroken
from rules.score import Game, Side
from tests.tournament import stories
from tournament.access.actors import STRANGER
from tournament.brackets import advancing
from tournament.models import JournalLine, Pairing, Question, Result
from tournament.results import desk, disputes, questions, report_sweep
from tournament.results.awards import ExpectedResult
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db

LEFT, RIGHT = Keeper.LEFT, Keeper.RIGHT


@pytest.fixture(scope="module")
def pairing_of_module(actor_of_module) -> Pairing:
    return stories.playable(stories.released(actor_of_module, 4, lengths=(3,), confirm_after=10))[0]


@pytest.fixture
def pairing(db, pairing_of_module) -> Pairing:
    return deepcopy(pairing_of_module)


def posted_by_another_desk(pairing: Pairing) -> str:
    """Another desk posts 3–1; returns the refusal of a different result from this desk."""
    helper = stories.helper(pairing.round.bracket.tournament.event, "desk", stories.director(), "other desk")
    score = NewRow(uuid.uuid4(), pairing.match_id, FinalScore(3, 1))
    desk.enter_at_desk(pairing, Keeper.DESK, score, helper)
    return f"{pairing.left.name} – {pairing.right.name}: 3–1, posted by other desk."


def at_desk(keeper: Keeper, pairing: Pairing, actor) -> None:
    desk.enter_at_desk(pairing, keeper, NewRow(uuid.uuid4(), pairing.match_id, FinalScore(1, 3)), actor)


@pytest.mark.parametrize(
    "post",
    [
        lambda pairing, actor: at_desk(Keeper.DESK, pairing, actor),
        lambda pairing, actor: at_desk(Keeper.LEFT, pairing, actor),
        lambda pairing, actor: desk.award(
            pairing, pairing.right_id, "walkover", "", actor, expected=ExpectedResult(None)
        ),
    ],
)
def test_the_second_desk_reads_who_posted_the_result(pairing, actor, post):
    name = posted_by_another_desk(pairing)
    with pytest.raises(Refused) as refused:
        post(pairing, actor)
    assert name in str(refused.value)
    assert Result.objects.get().left_points == 3


class Phone:
    """One side's phone: writes rows after the last it wrote."""

    def __init__(self, pairing: Pairing, keeper: Keeper) -> None:
        self.pairing, self.keeper, self.tail = pairing, keeper, pairing.match_id

    def send(self, what, supersedes=None) -> desk.RowOutcome:
        key = uuid.uuid4()
        sent = desk.enter(self.pairing, self.keeper, NewRow(key, self.tail, what, supersedes), STRANGER)
        self.tail = key
        return sent


def final(phone: Phone, left: int, right: int) -> desk.RowOutcome:
    return phone.send(FinalScore(left, right))


def state(pairing: Pairing) -> str:
    return Match.objects.get(pk=pairing.match_id).state


def test_a_report_is_posted_when_the_opponent_confirms(pairing, actor):
    phone = Phone(pairing, LEFT)
    for _ in range(3):
        phone.send(Game(Side.LEFT))
    assert state(pairing) == MatchState.REPORTED
    assert not Result.objects.exists()
    desk.confirm(pairing, RIGHT, phone.tail, STRANGER)
    result = Result.objects.get()
    assert (result.winner_id, result.left_points, result.right_points) == (pairing.left_id, 3, 0)
    assert (result.confirmed_by, state(pairing)) == ("right", MatchState.POSTED)
    assert result.advanced_at is None


def test_a_player_cannot_confirm_their_own_report(pairing):
    final(Phone(pairing, LEFT), 3, 1)
    with pytest.raises(Refused) as refused:
        desk.confirm(pairing, LEFT, None, STRANGER)
    assert refused.value.code == "own-report"
    assert not Result.objects.exists()


def test_confirming_twice_changes_nothing(pairing):
    final(Phone(pairing, LEFT), 3, 1)
    for _ in range(2):
        desk.confirm(pairing, RIGHT, None, STRANGER)
    assert Result.objects.count() == 1


def test_a_changed_score_is_not_confirmed(pairing):
    phone = Phone(pairing, LEFT)
    final(phone, 3, 1)
    tail = phone.tail
    phone.send(Strike(), supersedes=tail)
    final(phone, 3, 2)
    with pytest.raises(Refused) as refused:
        desk.confirm(pairing, RIGHT, tail, STRANGER)
    assert refused.value.code == "card-changed"


def test_the_desk_can_confirm_a_report(pairing, actor):
    final(Phone(pairing, RIGHT), 1, 3)
    desk.confirm(pairing, Keeper.DESK, None, actor)
    assert Result.objects.get().confirmed_by == "desk"


def test_two_agreeing_cards_need_no_confirmation(pairing):
    final(Phone(pairing, LEFT), 1, 3)
    final(Phone(pairing, RIGHT), 1, 3)
    result = Result.objects.get()
    assert (result.winner_id, result.confirmed_by) == (pairing.right_id, "right")


def test_two_differing_cards_open_a_dispute(pairing, actor):
    final(Phone(pairing, LEFT), 3, 1)
    final(Phone(pairing, RIGHT), 1, 3)
    assert state(pairing) == MatchState.DISPUTED
    assert not Result.objects.exists()
    question = Question.objects.get()
    assert question.kind == "disagreement"
    disputes.rule(pairing, disputes.Ruling.for_card(RIGHT, "Both saw the last game."), actor)
    question.refresh_from_db()
    assert Result.objects.get().winner_id == pairing.right_id
    assert (question.closed_at is not None, question.ruling) == (True, "Both saw the last game.")


def test_a_disputed_match_stores_rows_and_posts_nothing(pairing):
    phone = Phone(pairing, LEFT)
    final(phone, 3, 1)
    disputes.open_dispute(pairing, RIGHT, "It was 3-2.", STRANGER)
    phone.send(Strike(), supersedes=phone.tail)
    final(phone, 3, 2)
    final(Phone(pairing, RIGHT), 3, 2)
    with pytest.raises(Refused):
        desk.confirm(pairing, RIGHT, None, STRANGER)
    assert state(pairing) == MatchState.DISPUTED
    assert not Result.objects.exists()
    assert Question.objects.get().note == "It was 3-2."


def test_the_desk_resolves_a_dispute_by_entering_the_score(pairing, actor):
    final(Phone(pairing, LEFT), 3, 1)
    final(Phone(pairing, RIGHT), 3, 2)
    writing = NewRow(uuid.uuid4(), pairing.match_id, FinalScore(3, 2))
    desk.enter_at_desk(pairing, Keeper.DESK, writing, actor)
    assert (Result.objects.get().right_points, state(pairing)) == (2, MatchState.POSTED)
    assert not Question.objects.filter(closed_at__isnull=True).exists()


def test_a_card_sent_after_posting_opens_a_question_only(pairing, actor):
    phone = Phone(pairing, LEFT)
    phone.send(Game(Side.LEFT))
    final(Phone(pairing, RIGHT), 1, 3)
    desk.confirm(pairing, Keeper.DESK, None, actor)
    late = NewRow(uuid.uuid4(), phone.tail, Game(Side.LEFT, cube=2))
    first = desk.enter(pairing, LEFT, late, STRANGER)
    again = desk.enter(pairing, LEFT, late, STRANGER)
    assert first.written is None
    assert first.question == again.question == Question.objects.get(kind="late_card")
    assert Result.objects.get().winner_id == pairing.right_id
    questions.close(first.question, "Too late.", actor)
    assert Question.objects.get().closed_by == actor.user


def test_final_scores_are_accepted_only_if_the_director_allows_them(actor):
    pairing = stories.playable(stories.released(actor, 2, final_score_allowed=False))[0]
    with pytest.raises(Refused) as refused:
        final(Phone(pairing, LEFT), 3, 1)
    assert refused.value.code == "games-wanted"


def test_an_uncontested_report_is_posted_after_the_configured_time(pairing):
    final(Phone(pairing, LEFT), 3, 1)
    report_sweep.settle_reports()
    assert not Result.objects.exists()
    Match.objects.filter(pk=pairing.match_id).update(reported_at=timezone.now() - timedelta(minutes=11))
    report_sweep.settle_reports()
    assert Result.objects.get().confirmed_by == "timeout"


def test_a_report_that_cannot_be_settled_delays_no_other(pairing, monkeypatch):
    second = stories.playable(pairing.round.bracket.tournament)[1]
    with monkeypatch.context() as crash:
        crash.setattr(desk, "settle_report", lambda pairing: None)
        for row in (pairing, second):
            for keeper in (LEFT, RIGHT):
                final(Phone(row, keeper), 3, 1)
    Pairing.objects.filter(pk=pairing.pk).update(left=None)
    report_sweep.settle_reports()
    assert Result.objects.get().pairing == second


def test_without_a_time_limit_a_report_stays_unconfirmed(actor):
    pairing = stories.playable(stories.released(actor, 2))[0]
    final(Phone(pairing, LEFT), 3, 1)
    Match.objects.filter(pk=pairing.match_id).update(reported_at=timezone.now() - timedelta(days=2))
    report_sweep.settle_reports()
    assert not Result.objects.exists()


def test_the_sweep_settles_cards_left_by_a_crash(pairing, monkeypatch):
    final(Phone(pairing, LEFT), 3, 1)
    with monkeypatch.context() as crash:
        crash.setattr(desk, "settle_report", lambda pairing: None)
        final(Phone(pairing, RIGHT), 3, 1)
    assert not Result.objects.exists()
    report_sweep.settle_reports()
    assert Result.objects.get().winner_id == pairing.left_id


def test_a_corrected_desk_card_swaps_the_advanced_players(pairing, actor):
    phone = Phone(pairing, LEFT)
    games = []
    for _ in range(3):
        phone.send(Game(Side.LEFT))
        games.append(phone.tail)
    desk.confirm(pairing, RIGHT, None, STRANGER)
    advancing.advance_waiting()
    tail = phone.tail
    for game in games:
        key = uuid.uuid4()
        writing = NewRow(key, tail, Game(Side.RIGHT), supersedes=game)
        desk.enter_at_desk(pairing, LEFT, writing, actor)
        tail = key
    standing = Result.objects.get(pairing=pairing, superseded_by__isnull=True)
    assert (standing.winner_id, standing.left_points, standing.right_points) == (pairing.right_id, 0, 3)
    advancing.advance_waiting()
    finals = stories.pairings(pairing.round.bracket.tournament).last()
    assert pairing.right_id in (finals.left_id, finals.right_id)
    verbs = list(JournalLine.objects.order_by("pk").values_list("verb", flat=True))
    assert verbs[-2:] == ["write on card", "post result"]
    assert verbs.count("take result back") == 1


def test_an_impossible_correction_keeps_the_posted_result(pairing, actor):
    phone = Phone(pairing, LEFT)
    phone.send(Game(Side.LEFT))
    first = phone.tail
    phone.send(Game(Side.LEFT, cube=2))
    desk.confirm(pairing, RIGHT, None, STRANGER)
    before = list(Result.objects.values()), list(JournalLine.objects.values())
    writing = NewRow(uuid.uuid4(), phone.tail, Game(Side.LEFT, cube=3), supersedes=first)
    with pytest.raises(RuleBroken):
        desk.enter_at_desk(pairing, LEFT, writing, actor)
    assert (list(Result.objects.values()), list(JournalLine.objects.values())) == before
