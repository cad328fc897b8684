"""Messages and workers that were lost: what they were about stays where it is until the sweep finds it. So the flows
could fail."""

from contextlib import ExitStack

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
from tests.tournament.money.stories import SPLIT
from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.fees.schedule import Fee, FeeSchedule
from tournament.ledger.balances import open_amounts
from tournament.models import Result
from tournament.money import awards, fees, prize_structures
from tournament.queries.money.book_check import differences_in_books

LARGEST = 5_000_000
ROWS = files.CLEAN[files.CLEAN.index(b"  1)") :]
ONE_SECOND = {"RECORD_SECONDS": "1"}
THE_WORTH = 1
"""The message that a page of what players are worth sends."""


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


def test_workers_that_are_killed_between_a_result_and_its_end_cost_nobody_a_prize(stage):
    """They wait for the lock on the tournament, and compute what players are worth, when they are killed."""
    hall = open_hall(stage, entries=4)
    made = hall.tournament
    with stage.database():
        director = Actor(user=made.event.memberships.get().user)
        fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(30_00)), director)
        prize_structures.set_structure(made.pk, SPLIT, director)
    desk = Browser(stage.url)
    desk.sign_in(hall.sign_in_link)
    workers = [part for part in stage.parts if part.name.startswith("worker")]
    with injection.suspended(stage.clock), ExitStack() as paused:
        for worker in workers:
            paused.enter_context(injection.suspended(worker))
        semifinals = hall.open_matches()
        for semifinal in semifinals:
            hall.play(semifinal)
        desk.read(f"/e/{made.event.slug}/{made.slug}/worth/")
        with stage.database(), advancing.lock_tournament(made.pk):
            paused.close()
            left = max(0, len(semifinals) + THE_WORTH - len(workers))  # a worker takes one and waits with it
            until(lambda: stage.waiting_messages() <= left, "each worker took a message", stage)
            stage.kill_workers()
        stage.restart_broker()
        with stage.database():
            assert waiting(hall) == {semifinal.match for semifinal in semifinals}
    stage.start_workers()
    with stage.database():
        until_all_advanced(stage)
    *_, final = hall.open_matches()
    hall.play(final)
    with stage.database():
        until_all_advanced(stage)
        awards.award_prizes(made.pk, director)
        winner = hall.winner_of(final)
        loser = final.left if winner == final.right else final.right
        claims = {entry.pk: open_amounts(made.event_id, [entry.player_id]) for entry in made.entries.all()}
        owed = {pk: amounts[player]["EUR"] for pk, amounts in claims.items() for player in amounts}
        others = dict.fromkeys({*claims} - {winner, loser}, 30_00)
        assert owed == {winner: 30_00 - 80_00, loser: 30_00 - 40_00, **others}
        assert differences_in_books(made.event) == []
