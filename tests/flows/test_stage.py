"""The stage itself: it starts the real parts on the database of this run."""

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


def names_of_workers(stage: Stage, most: int) -> set[str]:
    """What they call themselves; so many answers are waited for."""
    asking = Celery(broker=environment.celery_url(stage.broker_url), set_as_current=False)
    asking.conf.broker_transport_options = {"global_keyprefix": BROKER_PREFIX}
    answers = asking.control.ping(timeout=2, limit=most) or []
    asking.close()
    return {name for answer in answers for name in answer}


def test_a_stage_uses_the_database_of_this_run(stage):
    with stage.database():
        assert connection.vendor == ("sqlite" if is_sqlite() else "postgresql")
        assert not Event.objects.exists()


def test_the_flows_run_on_two_nodes_and_three_workers_or_on_a_laptop(stage):
    parts = Counter(part.name.rstrip("0123456789") for part in stage.running)
    webs, workers = (1, 1) if is_sqlite() else (2, 3)
    assert parts == {"broker": 1, "web": webs, "worker": workers, "beat": 1}
    until(lambda: len(names_of_workers(stage, workers)) == workers, "each worker tells its own name", stage)
    urls = [stage.url, *(node.url for node in stage.nodes)]
    assert len(set(urls)) == webs
    assert {urlopen(f"{url}/readyz").status for url in urls} == {200}
