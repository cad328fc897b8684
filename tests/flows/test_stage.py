"""The stage itself: what it starts are the real parts, on the database of this run, and it leaves nothing behind."""

import socket
import subprocess
from collections import Counter
from urllib.request import urlopen

from celery import Celery
from django.db import connection

from deploy import environment
from deploy.bench.installation import BROKER_PREFIX
from tests.database_template import is_sqlite
from tests.flows.stage import Stage
from tests.flows.waiting import until
from tournament.models import Event

WITH_CHILDREN = 6
"""A broker, a web server, two workers and what each has forked."""


def left_of(stage: Stage) -> list[str]:
    """The processes that still run with this stage's folder in their environment or arguments."""
    listing = subprocess.run(["ps", "axeww"], capture_output=True, text=True, check=True).stdout
    return [line for line in listing.splitlines() if str(stage.folder) in line]


def names_of_workers(stage: Stage, most: int) -> set[str]:
    """What they call themselves; so many answers are waited for."""
    asking = Celery(broker=environment.celery_url(stage.broker_url), set_as_current=False)
    asking.conf.broker_transport_options = {"global_keyprefix": BROKER_PREFIX}
    answers = asking.control.ping(timeout=2, limit=most) or []
    asking.close()
    return {name for answer in answers for name in answer}


def test_processes_use_the_database_of_this_run(stage):
    output = stage.manage(
        "shell", "-v", "0", "-c", "from django.db import connection; print(connection.vendor)"
    )
    assert output.split()[-1] == ("sqlite" if is_sqlite() else "postgresql")
    with stage.database():
        assert connection.vendor == output.split()[-1]
        assert not Event.objects.exists()


def test_the_flows_run_on_two_nodes_and_three_workers_or_on_a_laptop(stage):
    parts = Counter(part.name.rstrip("0123456789") for part in stage.running)
    webs, workers = (1, 1) if is_sqlite() else (2, 3)
    assert parts == {"broker": 1, "web": webs, "worker": workers, "beat": 1}
    until(lambda: len(names_of_workers(stage, workers)) == workers, "each worker tells its own name", stage)
    urls = [stage.url, *(node.url for node in stage.nodes)]
    assert len(set(urls)) == webs
    assert {urlopen(f"{url}/readyz").status for url in urls} == {200}


def test_a_killed_worker_and_a_closed_stage_leave_no_processes_or_ports(
    new_stage,
):
    stage = new_stage()
    stage.start_web()
    killed = stage.add_worker()
    stage.add_worker()
    until(lambda: len(left_of(stage)) == WITH_CHILDREN, "both workers have a child", stage)
    stage.kill(killed)
    until(lambda: len(left_of(stage)) == WITH_CHILDREN - 2, "it ended with its child", stage)
    port = int(stage.url.rpartition(":")[2])
    stage.close()
    until(lambda: not left_of(stage), "every process has ended")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a connection that ended is no listener
        probe.bind(("127.0.0.1", port))
