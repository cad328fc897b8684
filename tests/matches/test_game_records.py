"""Records that are brought to a match: every file stored once and for good, checked by one worker at a time."""

import hashlib
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from matches import game_records, scorecard
from matches.game_records import Judgement, RecordFile, TooManyRecords
from matches.keepers import Keeper
from matches.models import MOST_RECORD_BYTES, GameRecord, Match, RecordState
from rules.score import Side

pytestmark = pytest.mark.django_db

BYTES = b"anything\x00\xff\r\n at all"
CHECKED = Judgement(RecordState.CHECKED, {"counts": {}})


def bring(match: Match, data: bytes = BYTES, name: str = "final.mat", keeper: Keeper = Keeper.LEFT):
    with scorecard.changing(match.pk) as locked:
        return game_records.add_record(locked, RecordFile(data, name), keeper)


@pytest.fixture
def record(seven_points) -> GameRecord:
    return bring(seven_points)[0]


def reread(record: GameRecord) -> GameRecord:
    return GameRecord.objects.get(pk=record.pk)


def later(record: GameRecord, **moments: timedelta) -> None:
    """So much time goes by for these moments of the record."""
    moved = {name: getattr(reread(record), name) - by for name, by in moments.items()}
    GameRecord.objects.filter(pk=record.pk).update(**moved)


def test_a_record_is_kept_byte_by_byte_with_its_digest(record):
    kept = reread(record)
    assert bytes(kept.data) == BYTES
    assert (kept.size, kept.sha256) == (len(BYTES), hashlib.sha256(BYTES).hexdigest())
    assert (kept.name, kept.uploaded_by, kept.state) == ("final.mat", "left", RecordState.WAITING)


def test_the_same_bytes_twice_are_one_record_whoever_brings_them(seven_points, record):
    again, is_new = bring(seven_points, name="other.mat", keeper=Keeper.RIGHT)
    assert (again.pk, is_new) == (record.pk, False)
    assert reread(record).name == "final.mat"


def test_other_bytes_are_another_record_and_both_stay(seven_points, record):
    other, is_new = bring(seven_points, data=BYTES + b".")
    assert is_new
    assert {stored.pk for stored in seven_points.records.all()} == {record.pk, other.pk}


def test_a_match_has_so_many_records_and_no_more(seven_points, record):
    for number in range(game_records.MOST_RECORDS - 1):
        bring(seven_points, data=b"record %d" % number)
        seven_points.records.update(state=RecordState.UNREADABLE)
    with pytest.raises(TooManyRecords):
        bring(seven_points, data=b"one more")
    assert bring(seven_points)[0].pk == record.pk


def test_one_worker_at_a_time_checks_a_record(record):
    assert game_records.claim_for_check(record.pk) is not None
    assert game_records.claim_for_check(record.pk) is None


def test_a_record_whose_worker_was_killed_is_free_again_after_a_while(record):
    game_records.claim_for_check(record.pk)
    later(record, busy_until=2 * game_records.CLAIM_LIFETIME)
    claimed = game_records.claim_for_check(record.pk)
    assert claimed is not None
    assert claimed.attempts == 2


def test_only_the_first_verdict_counts_and_a_checked_record_is_not_claimed(record):
    assert game_records.store_judgement(record.pk, CHECKED)
    assert not game_records.store_judgement(record.pk, Judgement(RecordState.TOO_MUCH, None))
    assert reread(record).state == RecordState.CHECKED
    assert reread(record).rules_version == game_records.RULES_VERSION
    assert game_records.claim_for_check(record.pk) is None


def test_a_record_that_no_worker_took_is_found_and_not_asked_for_twice_at_once(record):
    assert game_records.claim_overdue_messages() == []
    later(record, requested_at=2 * game_records.RETRY_AFTER)
    assert game_records.claim_overdue_messages() == [record.pk]
    assert game_records.claim_overdue_messages() == []


def test_a_record_that_a_worker_is_at_is_not_forgotten(record):
    later(record, requested_at=2 * game_records.RETRY_AFTER)
    game_records.claim_for_check(record.pk)
    assert game_records.claim_overdue_messages() == []


def test_a_record_on_which_every_worker_was_lost_is_hopeless(record):
    for _ in range(game_records.MOST_ATTEMPTS):
        assert game_records.failed_records() == []
        assert game_records.claim_for_check(record.pk) is not None
        later(record, busy_until=2 * game_records.CLAIM_LIFETIME)
    assert game_records.claim_for_check(record.pk) is None
    assert game_records.claim_overdue_messages() == []
    assert game_records.failed_records() == [record.pk]


def test_a_verdict_by_older_rules_is_worked_out_again_and_a_new_one_is_left_alone(record):
    game_records.store_judgement(record.pk, CHECKED)
    game_records.recheck_outdated()
    assert reread(record).state == RecordState.CHECKED
    GameRecord.objects.filter(pk=record.pk).update(rules_version=game_records.RULES_VERSION - 1)
    game_records.recheck_outdated()
    assert (reread(record).state, reread(record).attempts) == (RecordState.WAITING, 0)
    assert game_records.claim_overdue_messages() == [record.pk]


def test_what_the_desk_says_of_the_left_player_is_compared_anew(record):
    game_records.mark_compared(record, 7)
    game_records.set_left_player(record, Side.RIGHT)
    assert (reread(record).left_player, reread(record).compared_at) == ("right", None)


def test_a_match_with_a_record_is_never_deleted(seven_points, record):
    with scorecard.changing(seven_points.pk) as match:
        scorecard.note_record(match)
    scorecard.discard([seven_points])
    assert Match.objects.filter(pk=seven_points.pk).exists()
    with pytest.raises(ProtectedError):
        Match.objects.filter(pk=seven_points.pk).delete()


@pytest.mark.parametrize(
    "wrong",
    [
        {"sha256": hashlib.sha256(BYTES).hexdigest()},
        {"size": 0},
        {"size": MOST_RECORD_BYTES + 1},
        {"name": ""},
        {"state": "lost"},
        {"state": "checked", "verdict": None},
    ],
    ids=str,
)
def test_the_database_itself_refuses_a_record_that_cannot_be(seven_points, record, wrong):
    now = timezone.now()
    facts = {
        "sha256": "0" * 64,
        "size": 1,
        "name": "x",
        "uploaded_by": "left",
        "uploaded_at": now,
        "requested_at": now,
    }
    with pytest.raises(IntegrityError), transaction.atomic():
        GameRecord.objects.create(match=seven_points, data=b"x", **{**facts, **wrong})
