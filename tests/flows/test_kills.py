"""Parts are killed while an event is reported: nothing is lost, nothing happens twice, and the test could fail."""

from tests.flows import replay
from tests.flows.hall import Hall, open_hall
from tests.flows.stage import Stage
from tests.flows.waiting import until, until_all_advanced
from tournament.models import Result

CLIENTS, WORKERS = 8, 2
RESULTS_PER_WORKER, RESULTS_PER_BROKER, RESULTS_PER_WEB = 12, 20, 31


class Chaos:
    """Kills a worker with every few results; less often the broker with all that it holds, and the web server."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.web = stage.start_web()
        self.workers = [stage.start_another_worker() for _ in range(WORKERS)]
        self.killed = {"workers": 0, "broker": 0, "web": 0}

    def after(self, decided: int) -> None:
        if decided % RESULTS_PER_WORKER == 0:
            self.stage.kill(self.workers.pop(0))
            self.workers.append(self.stage.start_another_worker())
            self.killed["workers"] += 1
        if decided % RESULTS_PER_BROKER == 0:
            self.stage.restart_broker()
            self.killed["broker"] += 1
        if decided % RESULTS_PER_WEB == 0:
            self.stage.kill(self.web)
            self.web = self.stage.start_web()
            self.killed["web"] += 1


def test_an_event_survives_killed_workers_and_an_emptied_broker(new_stage):
    stage = new_stage()
    hall = open_hall(stage, entries=64)
    chaos = Chaos(stage)
    stage.start_beat()
    hall.play_out(CLIENTS, chaos.after)
    with stage.database():
        until_all_advanced(stage)
        account = replay.account(hall.tournament, hall.told)
        print(f"\n{account}; killed: {chaos.killed}")
        assert (account.lost, account.twice) == (0, 0)
        assert account.applied == account.acknowledged
        assert replay.stored(hall.tournament) == replay.resolved(hall.tournament)
        assert replay.stored(hall.tournament) == replay.replayed(hall.tournament)
        assert {row.match_id: row.winner_id for row in replay.results(hall.tournament)} == hall.told.winners
        assert len(hall.told.winners) == 63
    assert chaos.killed == {"workers": 5, "broker": 3, "web": 2}


def play_with_lost_messages(stage: Stage) -> Hall:
    """The first four results are posted with no worker there, and the broker loses their messages.

    Then a worker comes, and the fifth result reaches it.
    """
    stage.start_web()
    hall = open_hall(stage, entries=16)
    tables = hall.open_tables()
    for table in tables[:4]:
        hall.play(table)
    assert stage.waiting_messages() == 4
    stage.restart_broker()
    assert stage.waiting_messages() == 0
    stage.start_another_worker()
    hall.play(tables[4])
    return hall


def waiting(hall: Hall) -> set[object]:
    """The matches whose results no worker has advanced."""
    return set(Result.objects.filter(advanced_at__isnull=True).values_list("match_id", flat=True))


def test_results_whose_messages_were_lost_stay_where_they_are_until_the_sweep_finds_them(new_stage):
    stage = new_stage(SWEEP="off")
    clock = stage.start_beat()
    hall = play_with_lost_messages(stage)
    with stage.database():
        fifth = list(hall.told.winners)[4]
        until(lambda: fifth not in waiting(hall), "the fifth result is advanced", stage)
        assert waiting(hall) == set(list(hall.told.winners)[:4])
        assert replay.account(hall.tournament, hall.told).lost == 4
        assert replay.stored(hall.tournament) != replay.resolved(hall.tournament)
    stage.kill(clock)
    stage.switches = {**stage.switches, "SWEEP": "on"}
    stage.start_beat()
    with stage.database():
        until_all_advanced(stage)
        assert replay.account(hall.tournament, hall.told).lost == 0
        assert replay.stored(hall.tournament) == replay.resolved(hall.tournament)
