"""The metrics page: access, counters, gauges, and its content while the broker is down."""

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
def metrics_client(settings) -> Client:
    settings.METRICS_TOKEN = TOKEN
    return Client(headers={"Authorization": f"Bearer {TOKEN}"})


def read_metrics(client: Client) -> dict[tuple[str, str], float]:
    """Returns the values by name and labels. Checks that every metric has a valid name and a description."""
    answer = client.get("/metrics")
    assert answer.status_code == 200
    families = list(text_string_to_metric_families(answer.content.decode()))
    assert all(NAME.fullmatch(family.name) and family.documentation for family in families)
    return {
        (sample.name, ",".join(sample.labels.values())): sample.value
        for family in families
        for sample in family.samples
    }


def test_metrics_give_404_without_a_token_and_401_for_a_wrong_one(settings):
    assert Client().get("/metrics").status_code == 404
    settings.METRICS_TOKEN = TOKEN
    for headers in (
        {},
        {"Authorization": "Bearer let-me"},
        {"Authorization": TOKEN},
        {"Authorization": "Bearer é"},
    ):
        answer = Client(headers=headers).get("/metrics")
        assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")
        assert b"director_" not in answer.content


@pytest.mark.django_db
def test_metrics_accept_any_host_and_pages_only_the_site_name(metrics_client, settings):
    settings.ALLOWED_HOSTS = ["play.example.org"]
    paths = ("/healthz", "/readyz", "/metrics", "/reach/")
    for host in ("127.0.0.1:8000", "172.18.0.5:8000", "web:8000"):
        statuses = [metrics_client.get(path, headers={"Host": host}).status_code for path in paths]
        assert statuses == [200, 200, 200, 400]


@pytest.mark.django_db
def test_metrics_show_waiting_results_and_finished_tasks(metrics_client, django_assert_max_num_queries):
    result = stories.post(stories.playable(stories.released(stories.director(), 4))[0], stories.director())
    Result.objects.filter(pk=result.pk).update(posted_at=timezone.now() - timedelta(minutes=2))
    runs_before = read_metrics(metrics_client).get(("director_task_seconds_count", "sweep"), 0)
    for task_id, state in (("one", "SUCCESS"), ("two", task_metrics.FAILURE)):
        task_metrics.task_started(task_id)
        task_metrics.task_ended(task_id, type("Sweep", (), {"name": "tournament.tasks.sweep"}), state)
    with django_assert_max_num_queries(8):
        metrics = read_metrics(metrics_client)
    assert metrics["director_results_waiting", ""] == 1
    assert metrics["director_oldest_result_waiting_seconds", ""] >= 120
    assert metrics["director_task_seconds_count", "sweep"] == runs_before + 2
    assert metrics["director_task_failures_total", "sweep"] >= 1
    assert metrics["director_last_sweep_timestamp_seconds", ""] > timezone.now().timestamp() - 60
    assert metrics["director_records_waiting", ""] == 0
    assert metrics["director_database_bytes", ""] > 100_000
    assert metrics["director_database_up", ""] == metrics["director_broker_up", ""] == 1
    assert metrics["process_resident_memory_bytes", ""] > 1_000_000
    rules = yaml.safe_load((ROOT / "deploy" / "server" / "alerts.yaml").read_text())["groups"][0]["rules"]
    names_in_rules = {name for rule in rules for name in re.findall(r"director_\w+", rule["expr"])}
    assert len(rules) > 5
    assert names_in_rules - {"director_requests_total", "director_request_seconds_bucket"} <= {
        name for name, _ in metrics
    }


@pytest.mark.django_db
def test_metrics_are_served_while_the_broker_is_down(metrics_client, monkeypatch):
    away = task_metrics.redis.Redis.from_url("unix:///nowhere.sock", socket_connect_timeout=0.1, retry=None)
    monkeypatch.setattr(task_metrics, "broker", lambda: away)
    monkeypatch.setattr("tournament.runtime.publish._server", away)
    task_metrics.task_ended("never begun", None, task_metrics.FAILURE)
    metrics = read_metrics(metrics_client)
    assert metrics["director_broker_up", ""] == 0
    assert ("director_task_seconds_count", "sweep") not in metrics


async def answer_201(scope, receive, send):
    await send({"type": "http.response.start", "status": 201, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def close_without_answer(scope, receive, send):
    return None


async def raise_error(scope, receive, send):
    raise RuntimeError("broken on purpose")


@pytest.mark.parametrize(
    ("app", "path", "method", "labels"),
    [
        (answer_201, "/api/v1/matches/1/games/", "POST", ("api", "write", "2xx")),
        (answer_201, "/e/open/", "GET", ("page", "read", "2xx")),
        (close_without_answer, "/p/x/", "POST", ("page", "write", "4xx")),
        (raise_error, "*", "OPTIONS", ("page", "read", "5xx")),
    ],
)
def test_requests_are_counted_by_kind_and_status(app, path, method, labels):
    def request_count() -> float:
        named = dict(zip(("kind", "does", "status"), labels, strict=True))
        return HTTP_METRICS.get_sample_value("director_requests_total", named) or 0.0

    async def ignore(message):
        return None

    runs_before = request_count()
    answer = RequestMetrics(app)({"path": path, "method": method}, ignore, ignore)
    if app is raise_error:
        with pytest.raises(RuntimeError):
            asyncio.run(answer)
    else:
        asyncio.run(answer)
    assert request_count() == runs_before + 1


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
def answering_process(variables: dict[str, str]) -> Iterator[list[str]]:
    """Starts a process with one request and one live stream; yields the totals that it reports."""
    command = [sys.executable, "-c", ONE_PROCESS]
    with subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **variables}, stdin=PIPE, stdout=PIPE, text=True
    ) as process:
        yield process.stdout.readline().split()
        process.kill()


def test_web_processes_share_counters_and_a_killed_one_has_no_streams(tmp_path):
    variables_of_two = data_folder.metrics_environment(tmp_path, 2)
    with answering_process(variables_of_two) as first, answering_process(variables_of_two) as second:
        assert (first, second) == (["1.0", "1.0"], ["2.0", "2.0"])
    with answering_process(variables_of_two) as third:
        assert third == ["3.0", "1.0"]
    assert data_folder.metrics_environment(tmp_path, 1) == {}
    with answering_process({}) as alone:
        assert alone == ["1.0", "1.0"]


def test_a_dead_process_is_removed_even_if_its_number_is_used_again(tmp_path, monkeypatch):
    def deny_kill(pid: int, sign: int) -> None:
        raise PermissionError(pid, sign)

    (tmp_path / "gauge_livesum_4242.db").touch()
    monkeypatch.setenv(METRICS_DIR, str(tmp_path))
    monkeypatch.setattr(os, "kill", deny_kill)
    remove_dead_processes()
    assert list(tmp_path.iterdir()) == []


def test_metrics_are_stored_in_shared_memory_if_it_exists(tmp_path, monkeypatch):
    memory = Path("/dev/shm")
    assert data_folder.metrics_parent(tmp_path) == (memory if memory.is_dir() else tmp_path)
    monkeypatch.setattr(data_folder, "SHARED_MEMORY", tmp_path / "nowhere")
    assert data_folder.metrics_parent(tmp_path) == tmp_path
