"""The Celery app: how tasks travel. What they do stands in `tournament.tasks`.

A message is only a wake-up: the row that is not yet advanced is the outbox, and the sweep finds what a lost message
left behind. So a publish never waits and never retries. Checks of game records have a queue of their own: a worker
takes from both queues, and `--queues celery` makes one that is always free for results.
"""

import gc
import logging
import os
from typing import Any

from celery import Celery
from celery.signals import (
    beat_embedded_init,
    beat_init,
    celeryd_init,
    setup_logging,
    task_postrun,
    task_prerun,
    worker_process_init,
)
from celery.utils.nodenames import nodename, nodesplit
from django.conf import settings
from kombu import Exchange, Queue

from deploy import database_timeouts, die_with_parent, environment, release_guard
from deploy.monitoring import task_metrics

# They read every page's address, which no task needs: a second of each start, and 40 MB of each worker.
os.environ.setdefault("CELERY_SKIP_CHECKS", "true")

app = Celery("director")
app.conf.update(
    broker_url=environment.celery_url(settings.REDIS_URL),
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_transport_options={
        "global_keyprefix": settings.REDIS_PREFIX,
        "visibility_timeout": 120,
        "max_retries": 1,
        "interval_start": 0,
        "interval_step": 0,
        "interval_max": 0,
        "socket_connect_timeout": 1,
        # A broker that hangs answers nobody: without this whoever hands a result in would wait as long as it hangs.
        "socket_timeout": 1,
    },
    task_queues=[Queue(name, Exchange(name), name) for name in ("celery", "records")],
    task_routes={"tournament.tasks.check_record": {"queue": "records"}},
    task_publish_retry=False,
    task_publish_retry_policy={"max_retries": 0},
    task_ignore_result=True,
    result_backend=None,
    task_serializer="json",
    accept_content=["json"],
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_prefetch_multiplier=1,
    task_time_limit=60,
    task_soft_time_limit=45,
    worker_hijack_root_logger=False,
    # A worker keeps its database connection from task to task; `tasks` drops one that broke.
    CELERY_DB_REUSE_MAX=100_000,
    timezone="UTC",
    beat_scheduler="deploy.sweep_clock:SweepScheduler",
    beat_schedule={
        "sweep": {
            "task": "tournament.tasks.sweep",
            "schedule": settings.SWEEP_SECONDS,
        },
    }
    if settings.SWEEP
    else {},
)
app.autodiscover_tasks()


@celeryd_init.connect
def _prepare_worker(**_: object) -> None:
    """What a connection needs is loaded once, and before anything is kept: a worker's children share what was there."""
    database_timeouts.apply_timeouts()
    release_guard.check()


@celeryd_init.connect
@beat_init.connect
def _freeze_garbage(**_: object) -> None:
    """What is loaded stays for good: nobody looks through it for garbage, and a worker's children share it."""
    gc.freeze()


@celeryd_init.connect
def _set_unique_hostname(instance: Any, **_: object) -> None:
    """Of two workers on one machine whoever asks how they are would otherwise count one."""
    name, host = nodesplit(instance.hostname)
    instance.hostname = nodename(f"{name}-{os.getpid()}", host)


@setup_logging.connect
def _use_django_logging(loglevel: int, **_: object) -> None:
    """Leaves the log as the settings have it; Celery would add one of its own, with a traceback for every fault.

    It also warns, each time the broker goes, that what runs then may run once more: so it is meant.
    """
    root = logging.getLogger()
    root.setLevel(max(loglevel, root.level))
    logging.getLogger("py.warnings").setLevel(logging.ERROR)


@beat_embedded_init.connect
@worker_process_init.connect
def _prepare_child(**_: object) -> None:
    """A worker's own children end with it, also when it is killed: its clock would go on for ever."""
    die_with_parent.tie_to_parent()
    database_timeouts.apply_timeouts()


task_prerun.connect(task_metrics.task_started)
task_postrun.connect(task_metrics.task_ended)
