"""A record that takes a worker seconds: it is killed in the middle of it, or the time that is allowed is over."""

from django.utils import timezone

from matches import recordkeeping
from matches.models import GameRecord, Match
from tests.flows.browser import Browser
from tests.flows.hall import Hall, Table, open_hall
from tests.flows.stage import Stage
from tests.flows.test_records import bring, state_of
from tests.flows.waiting import until
from tests.matches import files

LARGEST, LARGE = 5_000_000, 1_000_000
ROWS = files.CLEAN[files.CLEAN.index(b"  1)") :]


def a_long_evening(size: int) -> bytes:
    """Stake play in clean games, 200,000 rolls in the largest file that is taken: seconds of work for any worker."""
    games = []
    for number in range(size // (len(ROWS) + 60)):
        score = f" Game {number + 1}\n {files.LEFT_COLUMN} : {4 * number:<23} {files.RIGHT_COLUMN} : 0\n"
        games.append(score.encode() + ROWS + b"\n")
    return b" 0 point match\n\n" + b"".join(games)


def bring_it(stage: Stage, size: int) -> tuple[Hall, Table, str]:
    """To a match for stakes, so that no game comes after its end."""
    hall = open_hall(stage, entries=2)
    table = hall.open_tables()[0]
    with stage.database():
        Match.objects.update(length=None)
    return hall, table, bring(hall, table, a_long_evening(size))["id"]


def test_a_record_whose_worker_was_killed_at_it_is_taken_up_again(new_stage):
    stage = new_stage(SWEEP_SECONDS="0.5")
    stage.start_web()
    worker = stage.start_another_worker()
    _hall, _table, record = bring_it(stage, LARGE)
    with stage.database():
        until(lambda: GameRecord.objects.get().busy_until, "a worker is at the record", stage)
        stage.kill(worker)
        assert state_of(record) == "waiting"
        long_ago = timezone.now() - recordkeeping.BUSY
        GameRecord.objects.update(busy_until=long_ago, asked_at=long_ago)
    stage.start_another_worker()
    stage.start_beat()
    with stage.database():
        until(lambda: state_of(record) == "checked", "the record is checked", stage)
        row = GameRecord.objects.get()
        assert (row.tries, row.verdict["counts"]["error"]) == (2, 0)


def test_a_record_that_takes_longer_than_allowed_is_said_to_and_holds_up_nothing(new_stage):
    stage = new_stage(RECORD_SECONDS="1")
    stage.start_web()
    stage.start_another_worker()
    hall, table, record = bring_it(stage, LARGEST)
    with stage.database():
        until(lambda: state_of(record) != "waiting", "the check is given up", stage)
        assert state_of(record) == "too_much"
        assert GameRecord.objects.get().tries == 1
    clean = bring(hall, table, files.CLEAN)["id"]
    with stage.database():
        until(lambda: state_of(clean) == "checked", "the next record is checked", stage)
    phone = Browser(stage.url)
    phone.read(f"/p/{hall.tokens[table.left]}/")
    assert "could not be checked in the time that is allowed for it" in phone.read(f"/records/{record}/")
