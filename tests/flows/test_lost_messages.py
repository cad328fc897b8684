"""Messages that a broker lost: results stay where they are until the sweep finds them. So the flows could fail."""

from deploy.bench.faults import replay
from tests.flows.hall import Hall, open_hall
from tests.flows.stage import Stage
from tests.flows.waiting import until, until_all_advanced
from tournament.models import Result


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
