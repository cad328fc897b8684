"""Messages and workers that were lost: what they were about stays where it is until the sweep finds it. So the flows
could fail."""

from django.db.models import F

from deploy.bench.faults import injection
from deploy.bench.faults.event import reconcile
from matches import game_records
from matches.models import GameRecord, Match
from tests.flows import replay
from tests.flows.browser import Browser
from tests.flows.hall import Hall, OpenMatch, open_hall
from tests.flows.installations import Laptop
from tests.flows.test_records import bring, state_of
from tests.flows.waiting import until, until_all_advanced
from tests.matches import files
from tournament.models import Result

LARGEST = 5_000_000
ROWS = files.CLEAN[files.CLEAN.index(b"  1)") :]
ONE_SECOND = {"RECORD_SECONDS": "1"}


def a_long_evening() -> bytes:
    """Stake play in clean games, 200,000 rolls, the largest file that is taken: seconds of work for any worker."""
    games = []
    for number in range(LARGEST // (len(ROWS) + 60)):
        score = f" Game {number + 1}\n {files.LEFT_COLUMN} : {4 * number:<23} {files.RIGHT_COLUMN} : 0\n"
        games.append(score.encode() + ROWS + b"\n")
    return b" 0 point match\n\n" + b"".join(games)


def bring_a_long_evening(hall: Hall, table: OpenMatch) -> str:
    """A session for stakes, so that no game follows its end."""
    with hall.site.database():
        Match.objects.filter(pk=table.match).update(length=None)
    return str(bring(hall, table, a_long_evening())["id"])


def every_worker_is_killed(stage: Laptop) -> None:
    """One of them in the middle of the only record that there is."""
    with stage.database():
        until(lambda: GameRecord.objects.get().busy_until, "a worker is at the record", stage)
        stage.kill_workers()
        assert list(GameRecord.objects.values_list("state", "attempts")) == [("waiting", 1)]


def play_with_lost_messages(hall: Hall, tables: list[OpenMatch]) -> str:
    """These results are posted and a record is brought with no worker there, and the broker loses their messages.

    Returns the record, whose first worker is lost too.
    """
    for table in tables:
        hall.play(table)
    record = str(bring(hall, tables[0], files.CLEAN)["id"])
    assert hall.site.waiting_messages() == len(tables) + 1
    hall.site.restart_broker()
    assert hall.site.waiting_messages() == 0
    with hall.site.database():
        assert game_records.claim_for_check(record) is not None
    return record


def waiting(hall: Hall) -> set[object]:
    """The matches whose results no worker has advanced."""
    return set(Result.objects.filter(advanced_at__isnull=True).values_list("match_id", flat=True))


def age_all_claims() -> None:
    """Makes all claims and requests of records older than the lifetime of a claim."""
    long = 2 * game_records.CLAIM_LIFETIME
    GameRecord.objects.update(busy_until=F("busy_until") - long, requested_at=F("requested_at") - long)


def test_lost_messages_and_killed_workers_are_recovered_by_the_sweep(stage):
    """The first worker that comes again may be no longer than a second at a record; what takes longer is said to."""
    hall = open_hall(stage, entries=16)
    long_match, *tables, fifth = hall.open_matches()[:6]
    long = bring_a_long_evening(hall, long_match)
    with injection.suspended(stage.clock):
        every_worker_is_killed(stage)
        lost = play_with_lost_messages(hall, tables)
        usual, stage.variables = stage.variables, {**stage.variables, **ONE_SECOND}
        in_a_hurry = stage.add_worker()
        stage.variables = usual
        hall.play(fifth)
        with stage.database():
            until(lambda: fifth.match not in waiting(hall), "the fifth result is advanced", stage)
            assert waiting(hall) == {table.match for table in tables}
            assert reconcile(hall.tournament, hall.log).lost == len(tables)
            assert replay.stored_seats(hall.tournament) != replay.resolved_seats(hall.tournament)
            assert {state_of(record) for record in (long, lost)} == {"waiting"}
            age_all_claims()
    with stage.database():
        until_all_advanced(stage)
        assert reconcile(hall.tournament, hall.log).lost == 0
        assert replay.stored_seats(hall.tournament) == replay.resolved_seats(hall.tournament)
        until(
            lambda: "waiting" not in {state_of(record) for record in (long, lost)},
            "records are checked",
            stage,
        )
        assert (state_of(long), state_of(lost)) == ("too_much", "checked")
        assert {*GameRecord.objects.values_list("attempts", flat=True)} == {2}
        assert GameRecord.objects.get(pk=lost).verdict["counts"]["error"] == 0
    phone = Browser(stage.url)
    phone.read(f"/p/{hall.tokens[long_match.left]}/")
    assert "took too long and was stopped" in phone.read(f"/records/{long}/")
    stage.terminate(in_a_hurry)
    stage.start_workers()
