"""Uploaded records: every file is stored once and unchanged, and one worker at a time checks it."""

import hashlib
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from matches import game_records, scorecard
from matches.game_records import Judgement, RecordFile, TooManyRecords
from matches.keepers import Keeper
from matches.locking import lock_match
from matches.models import MOST_RECORD_BYTES, GameRecord, Match, RecordState
from rules.score import Side

pytestmark = pytest.mark.django_db

BYTES = b"anything\x00\xff\r\n at all"
CHECKED = Judgement(RecordState.CHECKED, {"counts": {}})


def upload(match: Match, data: bytes = BYTES, name: str = "final.mat", keeper: Keeper = Keeper.LEFT):
    with transaction.atomic():
        return game_records.add_record(lock_match(match.pk).match, RecordFile(data, name), keeper)


@pytest.fixture
def record(seven_points) -> GameRecord:
    return upload(seven_points)[0]


def reread(record: GameRecord) -> GameRecord:
    return GameRecord.objects.get(pk=record.pk)


def later(record: GameRecord, **moments: timedelta) -> None:
    """Moves these times of the record into the past."""
    moved = {name: getattr(reread(record), name) - by for name, by in moments.items()}
    GameRecord.objects.filter(pk=record.pk).update(**moved)


def test_a_record_is_stored_byte_by_byte_with_its_digest(record):
    stored = reread(record)
    assert bytes(stored.data) == BYTES
    assert (stored.size, stored.sha256) == (len(BYTES), hashlib.sha256(BYTES).hexdigest())
    assert (stored.name, stored.uploaded_by, stored.state) == ("final.mat", "left", RecordState.WAITING)


def test_the_same_bytes_twice_are_one_record(seven_points, record):
    again, is_new = upload(seven_points, name="other.mat", keeper=Keeper.RIGHT)
    assert (again.pk, is_new) == (record.pk, False)
    assert reread(record).name == "final.mat"


def test_different_bytes_are_separate_records(seven_points, record):
    second, is_new = upload(seven_points, data=BYTES + b".")
    assert is_new
    assert {stored.pk for stored in seven_points.records.all()} == {record.pk, second.pk}


def test_a_match_has_a_maximum_of_records(seven_points, record):
    for number in range(game_records.MOST_RECORDS - 1):
        upload(seven_points, data=b"record %d" % number)
        seven_points.records.update(state=RecordState.UNREADABLE)
    with pytest.raises(TooManyRecords):
        upload(seven_points, data=b"one more")
    assert upload(seven_points)[0].pk == record.pk


def test_one_worker_at_a_time_checks_a_record(record):
    assert game_records.claim_for_check(record.pk) is not None
    assert game_records.claim_for_check(record.pk) is None


def test_a_record_of_a_killed_worker_can_be_claimed_again_later(record):
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


def test_an_overdue_record_is_queued_again_once(record):
    assert game_records.claim_overdue_messages() == []
    later(record, requested_at=2 * game_records.RETRY_AFTER)
    assert game_records.claim_overdue_messages() == [record.pk]
    assert game_records.claim_overdue_messages() == []


def test_a_claimed_record_is_not_overdue(record):
    later(record, requested_at=2 * game_records.RETRY_AFTER)
    game_records.claim_for_check(record.pk)
    assert game_records.claim_overdue_messages() == []


def test_a_record_fails_after_every_worker_was_lost(record):
    for _ in range(game_records.MOST_ATTEMPTS):
        assert game_records.failed_records() == []
        assert game_records.claim_for_check(record.pk) is not None
        later(record, busy_until=2 * game_records.CLAIM_LIFETIME)
    assert game_records.claim_for_check(record.pk) is None
    assert game_records.claim_overdue_messages() == []
    assert game_records.failed_records() == [record.pk]


def test_only_verdicts_by_older_rules_are_computed_again(record):
    game_records.store_judgement(record.pk, CHECKED)
    game_records.recheck_outdated()
    assert reread(record).state == RecordState.CHECKED
    GameRecord.objects.filter(pk=record.pk).update(rules_version=game_records.RULES_VERSION - 1)
    game_records.recheck_outdated()
    assert (reread(record).state, reread(record).attempts) == (RecordState.WAITING, 0)
    assert game_records.claim_overdue_messages() == [record.pk]


def test_setting_the_left_player_requests_a_comparison(record):
    game_records.mark_compared(record, 7)
    game_records.set_left_player(record, Side.RIGHT)
    assert (reread(record).left_player, reread(record).compared_at) == ("right", None)


def test_a_match_with_a_record_is_never_deleted(seven_points, record):
    with transaction.atomic():
        scorecard.note_record(lock_match(seven_points.pk).match)
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
def test_the_database_refuses_an_impossible_record(seven_points, record, wrong):
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
