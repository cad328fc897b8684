"""Figures for whoever watches over the product: who sees them, what they count, what they say without a broker."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from subprocess import PIPE

import pytest
import yaml
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from deploy import data_folder
from deploy.install import ROOT
from deploy.monitoring import task_metrics
from deploy.monitoring.http_metrics import HTTP_METRICS, METRICS_DIR, RequestMetrics, remove_dead_processes
from tests.tournament import stories
from tournament.models import Result

TOKEN = "let-me-watch"
NAME = re.compile(r"(director|process)_[a-z_]+")


@pytest.fixture
def watching(settings) -> Client:
    settings.METRICS_TOKEN = TOKEN
    return Client(headers={"Authorization": f"Bearer {TOKEN}"})


def figures(client: Client) -> dict[tuple[str, str], float]:
    """Every figure by its name and labels; each has a name as they are wanted, and a sentence."""
    answer = client.get("/metrics")
    assert answer.status_code == 200
    families = list(text_string_to_metric_families(answer.content.decode()))
    assert all(NAME.fullmatch(family.name) and family.documentation for family in families)
    return {
        (one.name, ",".join(one.labels.values())): one.value for family in families for one in family.samples
    }


def test_metrics_give_404_without_a_token_and_401_for_a_wrong_one(settings):
    assert Client().get("/metrics").status_code == 404
    settings.METRICS_TOKEN = TOKEN
    for shown in (
        {},
        {"Authorization": "Bearer let-me"},
        {"Authorization": TOKEN},
        {"Authorization": "Bearer é"},
    ):
        answer = Client(headers=shown).get("/metrics")
        assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")
        assert b"director_" not in answer.content


@pytest.mark.django_db
def test_metrics_accept_any_host_and_pages_only_the_site_name(watching, settings):
    settings.ALLOWED_HOSTS = ["play.example.org"]
    asked = ("/healthz", "/readyz", "/metrics", "/reach/")
    for host in ("127.0.0.1:8000", "172.18.0.5:8000", "web:8000"):
        said = [watching.get(path, headers={"Host": host}).status_code for path in asked]
        assert said == [200, 200, 200, 400]


@pytest.mark.django_db
def test_metrics_show_waiting_results_and_finished_tasks(watching, django_assert_max_num_queries):
    result = stories.post(stories.playable(stories.released(stories.director(), 4))[0], stories.director())
    Result.objects.filter(pk=result.pk).update(posted_at=timezone.now() - timedelta(minutes=2))
    before = figures(watching).get(("director_task_seconds_count", "sweep"), 0)
    for task_id, state in (("one", "SUCCESS"), ("two", task_metrics.FAILURE)):
        task_metrics.task_started(task_id)
        task_metrics.task_ended(task_id, type("Sweep", (), {"name": "tournament.tasks.sweep"}), state)
    with django_assert_max_num_queries(8):
        told = figures(watching)
    assert told["director_results_waiting", ""] == 1
    assert told["director_oldest_result_waiting_seconds", ""] >= 120
    assert told["director_task_seconds_count", "sweep"] == before + 2
    assert told["director_task_failures_total", "sweep"] >= 1
    assert told["director_last_sweep_timestamp_seconds", ""] > timezone.now().timestamp() - 60
    assert told["director_records_waiting", ""] == 0
    assert told["director_database_bytes", ""] > 100_000
    assert told["director_database_up", ""] == told["director_broker_up", ""] == 1
    assert told["process_resident_memory_bytes", ""] > 1_000_000
    rules = yaml.safe_load((ROOT / "deploy" / "server" / "alerts.yaml").read_text())["groups"][0]["rules"]
    asked = {name for rule in rules for name in re.findall(r"director_\w+", rule["expr"])}
    assert len(rules) > 5
    assert asked - {"director_requests_total", "director_request_seconds_bucket"} <= {
        name for name, _ in told
    }


@pytest.mark.django_db
def test_metrics_are_served_while_the_broker_is_down(watching, monkeypatch):
    away = task_metrics.redis.Redis.from_url("unix:///nowhere.sock", socket_connect_timeout=0.1, retry=None)
    monkeypatch.setattr(task_metrics, "broker", lambda: away)
    monkeypatch.setattr("tournament.runtime.publish._server", away)
    task_metrics.task_ended("never begun", None, task_metrics.FAILURE)
    told = figures(watching)
    assert told["director_broker_up", ""] == 0
    assert ("director_task_seconds_count", "sweep") not in told


async def posts_a_game(scope, receive, send):
    await send({"type": "http.response.start", "status": 201, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def hears_somebody_hang_up(scope, receive, send):
    return None


async def breaks(scope, receive, send):
    raise RuntimeError("broken on purpose")


@pytest.mark.parametrize(
    ("app", "path", "method", "labels"),
    [
        (posts_a_game, "/api/v1/matches/1/games/", "POST", ("api", "write", "2xx")),
        (posts_a_game, "/e/open/", "GET", ("page", "read", "2xx")),
        (hears_somebody_hang_up, "/p/x/", "POST", ("page", "write", "4xx")),
        (breaks, "*", "OPTIONS", ("page", "read", "5xx")),
    ],
)
def test_requests_are_counted_by_kind_and_status(app, path, method, labels):
    def counted() -> float:
        named = dict(zip(("kind", "does", "status"), labels, strict=True))
        return HTTP_METRICS.get_sample_value("director_requests_total", named) or 0.0

    async def heard(message):
        return None

    before = counted()
    answer = RequestMetrics(app)({"path": path, "method": method}, heard, heard)
    if app is breaks:
        with pytest.raises(RuntimeError):
            asyncio.run(answer)
    else:
        asyncio.run(answer)
    assert counted() == before + 1


ONE_PROCESS = """
import asyncio, sys
from deploy.monitoring import http_metrics

async def answers(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})

async def nobody(message):
    return None

http_metrics.remove_dead_processes()
http_metrics.LIVE_STREAMS.inc()
asyncio.run(http_metrics.RequestMetrics(answers)({"path": "/", "method": "GET"}, nobody, nobody))
page = {"kind": "page", "does": "read", "status": "2xx"}
registry = http_metrics.collected_registry()
print(registry.get_sample_value("director_requests_total", page), registry.get_sample_value("director_live_streams"))
print(flush=True)
sys.stdin.read()
"""


@contextmanager
def a_process_that_answers(variables: dict[str, str]) -> Iterator[list[str]]:
    """It has one live stream and has answered once; yields what it then tells of all at its port."""
    command = [sys.executable, "-c", ONE_PROCESS]
    with subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **variables}, stdin=PIPE, stdout=PIPE, text=True
    ) as process:
        yield process.stdout.readline().split()
        process.kill()


def test_web_processes_share_counters_and_a_killed_one_has_no_streams(tmp_path):
    together = data_folder.metrics_environment(tmp_path, 2)
    with a_process_that_answers(together) as first, a_process_that_answers(together) as second:
        assert (first, second) == (["1.0", "1.0"], ["2.0", "2.0"])
    with a_process_that_answers(together) as third:
        assert third == ["3.0", "1.0"]
    assert data_folder.metrics_environment(tmp_path, 1) == {}
    with a_process_that_answers({}) as alone:
        assert alone == ["1.0", "1.0"]


def test_a_dead_process_is_removed_even_if_its_number_is_used_again(tmp_path, monkeypatch):
    def is_somebody_elses(pid: int, sign: int) -> None:
        raise PermissionError(pid, sign)

    (tmp_path / "gauge_livesum_4242.db").touch()
    monkeypatch.setenv(METRICS_DIR, str(tmp_path))
    monkeypatch.setattr(os, "kill", is_somebody_elses)
    remove_dead_processes()
    assert list(tmp_path.iterdir()) == []


def test_metrics_are_stored_in_shared_memory_if_it_exists(tmp_path, monkeypatch):
    memory = Path("/dev/shm")
    assert data_folder.metrics_parent(tmp_path) == (memory if memory.is_dir() else tmp_path)
    monkeypatch.setattr(data_folder, "SHARED_MEMORY", tmp_path / "nowhere")
    assert data_folder.metrics_parent(tmp_path) == tmp_path
