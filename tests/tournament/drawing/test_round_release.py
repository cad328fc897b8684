"""Rounds that a worker pairs and releases some minutes after the last result, unless somebody stops it."""

from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

from matches.keepers import Keeper
from tests.tournament import stories
from tests.tournament.queries.cards import Phone
from tournament.draw.formats import Format, Kind
from tournament.drawing import round_previews, round_release, rounds
from tournament.models import JournalLine, Pairing, Question, Result, Round, RoundRelease, Tournament
from tournament.queries.next_rounds import find_next_round
from tournament.results import desk, questions
from tournament.runtime.errors import Refused
from tournament.tasks import sweep

pytestmark = pytest.mark.django_db
SWISS = Format(Kind.SWISS, rounds=3)
GRACE = timedelta(minutes=5)


@pytest.fixture
def actor():
    return stories.director()


@pytest.fixture
def made(actor):
    made = stories.released(actor, 4, format=SWISS)
    round_release.set_round_release(made.pk, RoundRelease.AUTOMATIC, actor, 5)
    return made


def play_round(made, actor):
    return [stories.play(pairing, actor) for pairing in stories.playable(made)]


def let_time_pass(made, time=GRACE):
    """Every result and answer of the tournament is older by this time."""
    Result.objects.filter(pairing__round__bracket__tournament=made).update(posted_at=F("posted_at") - time)
    Question.objects.filter(tournament=made, closed_at__isnull=False).update(closed_at=F("closed_at") - time)


def next_round(made):
    return find_next_round(Tournament.objects.get(pk=made.pk))


def round_numbers(made):
    round_release.pair_due_rounds()
    return list(Round.objects.filter(bracket__tournament=made).values_list("number", flat=True))


def refusal(work):
    with pytest.raises(Refused) as refused:
        work()
    return refused.value.code


@pytest.mark.parametrize("plan", [SWISS, Format(Kind.LIVES, lives=2)])
def test_rounds_are_paired_some_minutes_after_the_last_result_until_the_end(actor, plan):
    made = stories.released(actor, 4, format=plan)
    round_release.set_round_release(made.pk, RoundRelease.AUTOMATIC, actor)
    last = play_round(made, actor)[-1]
    assert next_round(made).automatic_at == last.posted_at + GRACE
    let_time_pass(made, GRACE - timedelta(seconds=20))
    assert round_numbers(made) == [1]
    let_time_pass(made, timedelta(seconds=20))
    assert round_numbers(made) == round_numbers(made) == [1, 2]
    line = JournalLine.objects.get(verb="pair round")
    assert (line.actor, line.after["round"]) == ("system", 2)
    for number in range(3, 12):
        play_round(made, actor)
        let_time_pass(made)
        if round_numbers(made)[-1] < number:
            break
    assert next_round(made).number == 0
    assert refusal(lambda: rounds.pair_next_round(made.pk, actor)) in ("all-rounds-played", "event-over")


@pytest.mark.django_db(transaction=True)
def test_the_sweep_pairs_a_due_round(actor, made):
    play_round(made, actor)
    let_time_pass(made)
    sweep()
    assert Round.objects.count() == 2


def test_a_director_stops_and_resumes_it(actor, made):
    play_round(made, actor)
    round_release.stop_automatic_pairing(made.pk, 2, actor)
    let_time_pass(made)
    assert round_numbers(made) == [1]
    assert (next_round(made).automatic_at, next_round(made).is_stopped) == (None, True)
    round_release.resume_automatic_pairing(made.pk, 2, actor)
    assert round_numbers(made) == [1, 2]
    assert refusal(lambda: round_release.stop_automatic_pairing(made.pk, 2, actor)) == "round-was-paired"
    play_round(made, actor)
    let_time_pass(made)
    assert round_numbers(made) == [1, 2, 3]


def test_a_round_that_is_taken_back_or_a_preview_that_is_discarded_waits_for_a_tap(actor, made):
    play_round(made, actor)
    let_time_pass(made)
    assert round_numbers(made) == [1, 2]
    assert round_previews.undo_release(made.pk, "Somebody is missing", actor)
    assert round_numbers(made) == [1]
    round_previews.discard_preview(made.pk, actor)
    assert round_numbers(made) == [1]
    assert next_round(made).is_stopped
    rounds.pair_next_round(made.pk, actor)
    rounds.take_back_round(made.pk, "Somebody is missing", actor)
    assert round_numbers(made) == [1]


def test_a_preview_waits_for_its_release(actor, made):
    play_round(made, actor)
    round_previews.preview_next_round(made.pk, actor)
    let_time_pass(made)
    assert round_numbers(made) == [1]


def test_an_open_question_holds_the_round_back_and_its_answer_starts_the_minutes_again(actor, made):
    pairing, *_ = [result.pairing for result in play_round(made, actor)]
    Phone(fresh(pairing), Keeper.RIGHT).final(0, 3)
    let_time_pass(made)
    question = Question.objects.get()
    assert (round_numbers(made), next_round(made).automatic_at) == ([1], None)
    questions.close(question, "It stands", actor)
    assert round_numbers(made) == [1]
    let_time_pass(made)
    assert round_numbers(made) == [1, 2]


def fresh(pairing):
    return Pairing.objects.select_related("match", "round__bracket__tournament__event").get(pk=pairing.pk)


def test_a_result_taken_back_or_corrected_starts_the_minutes_again(actor, made):
    first, *_ = play_round(made, actor)
    let_time_pass(made)
    desk.retract(fresh(first.pairing), "Wrong match", actor)
    assert round_numbers(made) == [1]
    stories.play(fresh(first.pairing), actor)
    assert round_numbers(made) == [1]
    let_time_pass(made)
    assert round_numbers(made) == [1, 2]


def test_the_setting_does_not_surprise_with_a_round_that_is_complete_already(actor, made):
    round_release.set_round_release(made.pk, RoundRelease.AT_ONCE, actor)
    play_round(made, actor)
    let_time_pass(made)
    assert (round_numbers(made), next_round(made).is_stopped) == ([1], False)
    round_release.set_round_release(made.pk, RoundRelease.AUTOMATIC, actor)
    assert (round_numbers(made), next_round(made).is_stopped) == ([1], True)


def test_deleted_archived_and_closed_tournaments_are_left_alone(actor, made):
    play_round(made, actor)
    let_time_pass(made)
    now = timezone.now()
    fields = [
        (row, field) for row in (made, made.event) for field in ("deleted_at", "archived_at", "closed_at")
    ]
    for row, field in fields:
        if hasattr(row, field):
            rows = type(row).with_deleted.filter(pk=row.pk)
            rows.update(**{field: now})
            assert round_numbers(made) == [1], field
            rows.update(**{field: None})
    assert round_numbers(made) == [1, 2]
