"""Uploaded game records are checked by a worker and compared with the result. A difference opens one question."""

import uuid
from copy import deepcopy
from datetime import timedelta

import pytest

from matches import game_records
from matches.keepers import Keeper
from matches.models import MOST_RECORD_BYTES, GameRecord, Match, RecordState
from matches.rows import FinalScore, NewRow
from rules.score import Side
from tests.matches import files
from tests.tournament import stories
from tests.tournament.results.test_desk import Phone, final
from tournament import tasks
from tournament.drawing import draws
from tournament.models import JournalLine, Pairing, Player, Question
from tournament.records import checking as records
from tournament.results import desk, questions
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db

LEFT, RIGHT = Keeper.LEFT, Keeper.RIGHT
RECORD = "record"


@pytest.fixture(scope="module")
def pairing_of_module(actor_of_module) -> Pairing:
    return stories.playable(stories.released(actor_of_module, 4, lengths=(3,)))[0]


@pytest.fixture
def pairing(db, pairing_of_module) -> Pairing:
    return deepcopy(pairing_of_module)


@pytest.fixture
def bring(pairing, actor):
    """Brings a file for one side."""

    def bringing(data: bytes = files.CLEAN, name: str = "final.mat", keeper: Keeper = LEFT) -> GameRecord:
        return records.upload(pairing, keeper, data, name, actor)[0]

    return bringing


@pytest.fixture
def checked(bring):
    """Brings a file and has it checked."""

    def checking(data: bytes = files.CLEAN) -> GameRecord:
        record = bring(data)
        records.check_record(record.pk)
        return reread(record)

    return checking


def reread(record: GameRecord) -> GameRecord:
    return GameRecord.objects.get(pk=record.pk)


def call_them(pairing: Pairing, left: str, right: str) -> None:
    for entry, name in ((pairing.left, left), (pairing.right, right)):
        Player.objects.filter(pk=entry.player_id).update(name=name)


def open_questions() -> list[Question]:
    return list(Question.objects.filter(kind=RECORD, closed_at__isnull=True))


def verbs() -> list[str]:
    return list(JournalLine.objects.order_by("pk").values_list("verb", flat=True))


def test_a_file_is_stored_before_it_is_parsed(bring, pairing):
    record = bring(b"whatever this is")
    assert record.is_waiting
    assert bytes(reread(record).data) == b"whatever this is"
    line = JournalLine.objects.get(verb="bring record")
    assert (line.subject_id, line.after["sha256"]) == (str(pairing.match_id), record.sha256)


def test_uploading_the_same_file_twice_changes_nothing(bring, pairing):
    record = bring()
    state = verbs(), Match.objects.get(pk=pairing.match_id).version
    again, is_new = records.upload(pairing, RIGHT, files.CLEAN, "other.mat", stories.director())
    assert (again.pk, is_new) == (record.pk, False)
    assert (verbs(), Match.objects.get(pk=pairing.match_id).version) == state


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"", "record-is-empty"), (bytes(MOST_RECORD_BYTES + 1), "record-too-large")],
    ids=["empty", "too large"],
)
def test_an_unacceptable_file_is_refused_with_a_sentence(bring, data, code):
    with pytest.raises(Refused) as refused:
        bring(data)
    assert refused.value.code == code
    assert not GameRecord.objects.exists()


def test_a_file_of_exactly_five_megabytes_is_accepted(bring):
    assert bring(bytes(MOST_RECORD_BYTES)).size == MOST_RECORD_BYTES


def test_a_thirty_first_record_is_refused(bring):
    for number in range(game_records.MOST_RECORDS):
        bring(b"%d" % number)
        GameRecord.objects.update(state=RecordState.UNREADABLE)
    with pytest.raises(Refused) as refused:
        bring()
    assert "30 records" in str(refused.value)


@pytest.mark.parametrize(
    ("name", "stored"),
    [
        ("final.mat", "final.mat"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\ana\\final match.sgf", "final match.sgf"),
        ("a\x00b\x1b[2J\u202etam.exe", "ab[2Jtam.exe"),
        ("  ...  ", "record"),
        ("", "record"),
        ("\ud800.mat", "mat"),
        ("小林 – Ρήγας.mat", "小林 – Ρήγας.mat"),
        ("x" * 300 + ".mat", "x" * 116 + ".mat"),
        ("x" * 300, "x" * 120),
        ("a." + "y" * 300, "a"),
    ],
)
def test_a_file_name_is_sanitized_and_stored(name, stored):
    assert records.file_name(name) == stored


def test_a_record_marks_its_match_as_begun(bring, pairing, actor):
    bring()
    with pytest.raises(Refused):
        draws.undo(pairing.round.bracket.tournament_id, actor, "a mistake")


def test_a_clean_record_is_checked_once(checked, bring):
    record = checked()
    assert record.state == RecordState.CHECKED
    assert record.verdict["score"] == [3, 0]
    records.check_record(record.pk)
    assert verbs().count("check record") == 1
    assert reread(record).checked_at == record.checked_at


def test_an_unreadable_file_is_reported_and_stored(checked):
    record = checked(b"a shopping list")
    assert record.state == RecordState.UNREADABLE
    assert bytes(record.data) == b"a shopping list"


def test_a_check_that_times_out_is_reported_and_final(bring):
    record = bring()
    assert game_records.claim_for_check(record.pk) is not None
    records.give_up(record.pk)
    assert reread(record).state == RecordState.TOO_MUCH
    assert bytes(reread(record).data) == files.CLEAN
    records.check_record(record.pk)
    assert reread(record).state == RecordState.TOO_MUCH


def test_a_worker_times_out_before_another_may_claim_the_record():
    task = tasks.check_record
    assert task.soft_time_limit < task.time_limit < game_records.CLAIM_LIFETIME.total_seconds()


def test_the_sweep_requeues_forgotten_records_and_fails_hopeless_ones(bring):
    forgotten, hopeless = bring(), bring(files.WRONG)
    old = forgotten.requested_at - timedelta(minutes=5)
    GameRecord.objects.update(requested_at=old)
    GameRecord.objects.filter(pk=hopeless.pk).update(attempts=game_records.MOST_ATTEMPTS, busy_until=old)
    records.sweep()
    assert reread(forgotten).is_waiting
    assert reread(forgotten).requested_at > old
    assert reread(hopeless).state == RecordState.TOO_MUCH


def test_a_record_that_matches_the_posted_score_opens_no_question(checked, pairing, actor):
    stories.play(pairing, actor, "left", (3, 0))
    checked()
    assert open_questions() == []


def test_a_record_with_swapped_columns_opens_no_question(checked, pairing, actor):
    stories.play(pairing, actor, "right", (3, 0))
    checked()
    assert open_questions() == []


def test_a_difference_from_the_posted_score_opens_one_question(checked, pairing, actor):
    stories.play(pairing, actor, "left", (3, 1))
    record = checked()
    for _ in range(2):
        records.sweep()
        records.compare_with_report(record)
    question = Question.objects.get(kind=RECORD)
    assert (question.match_id, question.asked_by) == (pairing.match_id, "left")
    detail = question.detail
    assert (detail["left"], detail["right"], detail["reported_left"], detail["reported_right"]) == (
        3,
        0,
        3,
        1,
    )
    assert verbs().count("find difference") == 1


def test_a_result_posted_after_the_check_is_compared_by_the_sweep(checked, pairing, actor):
    checked()
    assert open_questions() == []
    stories.play(pairing, actor, "left", (3, 2))
    records.sweep()
    assert len(open_questions()) == 1


def test_an_unconfirmed_report_is_compared_too(checked, pairing):
    final(Phone(pairing, RIGHT), 1, 3)
    checked()
    assert open_questions()[0].detail["reported_right"] == 3


def test_names_show_that_the_record_was_won_by_the_other_player(checked, pairing, actor):
    call_them(pairing, "Ana Novák", "Søren Holm")
    stories.play(pairing, actor, "left", (3, 0))
    checked(files.named("soren", "ana"))
    detail = open_questions()[0].detail
    assert (detail["left"], detail["right"], detail["is_sure"]) == (0, 3, True)


def test_a_question_closes_when_the_result_is_corrected_to_the_record(checked, pairing, actor):
    stories.play(pairing, actor, "left", (3, 1))
    checked()
    card = pairing.match.cards.get(keeper="desk")
    row = card.rows.get()
    again = NewRow(uuid.uuid4(), card.tail, FinalScore(3, 0), supersedes=row.key)
    desk.enter_at_desk(pairing, Keeper.DESK, again, actor)
    records.sweep()
    assert open_questions() == []
    assert Question.objects.get(kind=RECORD).ruling


def test_a_question_closed_by_the_desk_is_not_reopened(checked, pairing, actor):
    stories.play(pairing, actor, "left", (3, 1))
    record = checked()
    questions.close(open_questions()[0], "Keep the result", actor)
    GameRecord.objects.filter(pk=record.pk).update(compared_at=None)
    records.sweep()
    assert open_questions() == []


def test_setting_the_left_player_compares_the_record_again(checked, pairing, actor):
    stories.play(pairing, actor, "left", (3, 0))
    record = checked()
    assert open_questions() == []
    records.set_left_player(record, Side.RIGHT, actor)
    assert open_questions()[0].detail["right"] == 3
    records.set_left_player(record, Side.LEFT, actor)
    assert open_questions() == []
    assert verbs().count("say left player") == 2


def test_a_record_of_a_cancelled_match_is_stored_and_checked(bring, pairing, actor):
    record = bring()
    Pairing.objects.filter(pk=pairing.pk).update(match=None)
    Match.objects.filter(pk=pairing.match_id).update(state="cancelled")
    records.check_record(record.pk)
    records.sweep()
    assert reread(record).state == RecordState.CHECKED
    assert open_questions() == []
