"""The Celery app and its configuration. The tasks are in `tournament.tasks`.

A message only wakes a worker: the row that is not yet advanced is the outbox, and the sweep finds rows whose message
was lost. So publishing never waits and never retries. Checks of game records have their own queue; a worker started
with `--queues celery` takes results only.
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

# The checks import every page, which no task needs: one second per start and 40 MB per worker.
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
        # Without a timeout, posting a result would wait for a broker that hangs.
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
    # A worker keeps its database connection between tasks; `tasks` closes a broken one.
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
    """Loads the database driver before the fork, so that the children of a worker share its memory."""
    database_timeouts.apply_timeouts()
    release_guard.check()


@celeryd_init.connect
@beat_init.connect
def _freeze_garbage(**_: object) -> None:
    """Excludes loaded modules from garbage collection, so that the children of a worker keep sharing their memory."""
    gc.freeze()


@celeryd_init.connect
def _set_unique_hostname(instance: Any, **_: object) -> None:
    """Adds the process id to the worker's name; otherwise `celery inspect` counts two workers of a machine as one."""
    name, host = nodesplit(instance.hostname)
    instance.hostname = nodename(f"{name}-{os.getpid()}", host)


@setup_logging.connect
def _use_django_logging(loglevel: int, **_: object) -> None:
    """Keeps the logging of the settings; Celery would add a handler that logs a traceback for every error.

    Silences Celery's warning that a task may run twice after a lost broker connection: tasks are idempotent.
    """
    root = logging.getLogger()
    root.setLevel(max(loglevel, root.level))
    logging.getLogger("py.warnings").setLevel(logging.ERROR)


@beat_embedded_init.connect
@worker_process_init.connect
def _prepare_child(**_: object) -> None:
    """Ties a child to its worker: the beat process of a killed worker would run for ever."""
    die_with_parent.tie_to_parent()
    database_timeouts.apply_timeouts()


task_prerun.connect(task_metrics.task_started)
task_postrun.connect(task_metrics.task_ended)
