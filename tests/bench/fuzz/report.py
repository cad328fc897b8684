"""Sends generated requests over HTTP for some minutes and reports every complaint with its first request.

Requests change the event for good; after some rounds another event replaces it.
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, TextIO

import requests
from django.core.management import call_command
from schemathesis.schemas import BaseSchema

from deploy.bench.installation import Installation
from deploy.bench.machine import describe_machine
from deploy.bench.progress import ProgressBar
from deploy.bench.temporary import CannotMeasure, running_installation
from tests.bench.fuzz.checks import complaints
from tests.bench.fuzz.generation import (
    Case,
    Operation,
    boundary_cases,
    operations,
    random_cases,
    schema_of,
    with_stored_ids,
)
from tests.bench.fuzz.sample_event import STRANGER, SampleEvent, create_sample_event
from tests.bench.fuzz.stored_ids import StoredIds, load_stored_ids

SEED = 2048
CLIENTS = 2
CASES_PER_OPERATION = 10
ROUNDS_PER_EVENT = 3
ANSWER_TIMEOUT = 30.0
ROLE_WEIGHTS = {"owner": 12, "player": 5, "desk": 3, STRANGER: 2}
"""How often a role sends a request; other roles have the weight 1."""
VARIABLES = {"API_REQUESTS_A_MINUTE": "0", "LOG_LEVEL": "WARNING"}
"""Without the rate limit."""
ERROR_WORDS = ("Traceback", "Internal Server Error", "CRITICAL")


@dataclass
class Run:
    """Answers by status (0: no answer); each complaint once, with its number and the first request that caused it."""

    seed: int
    seconds: float = 0.0
    events: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    wrong: Counter[tuple[str, str]] = field(default_factory=Counter)
    first: dict[tuple[str, str], str] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def requests(self) -> int:
        return sum(self.statuses.values())

    def add(self, status: int, complaint_lines: list[str], request: str, operation: str) -> None:
        with self._lock:
            self.statuses[status] += 1
            for complaint in complaint_lines:
                self.wrong[operation, complaint] += 1
                self.first.setdefault((operation, complaint), request)

    def as_json(self) -> dict[str, Any]:
        return {
            "seed": self.seed,
            "seconds": round(self.seconds, 1),
            "events": self.events,
            "requests": self.requests,
            "statuses": dict(sorted(self.statuses.items())),
            "wrong": [
                {"operation": name, "what": what, "times": times, "first": self.first[name, what]}
                for (name, what), times in self.wrong.most_common()
            ],
        }


@dataclass
class FuzzReport:
    """By database: the run and the error lines of its logs."""

    machine: str
    runs: dict[str, Run] = field(default_factory=dict)
    logs: dict[str, list[str]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {
            "bench": "fuzz",
            "machine": self.machine,
            "databases": {name: run.as_json() for name, run in self.runs.items()},
            "faults_in_logs": self.logs,
            "not_run": self.missing,
        }


def measure(kinds: Iterable[str], minutes: float, seed: int, screen: TextIO) -> FuzzReport:
    report = FuzzReport(describe_machine())
    for kind in kinds:
        bar = ProgressBar(kind, screen)
        try:
            with running_installation(kind, workers=1, **VARIABLES) as running:
                logging.disable(logging.WARNING)  # this process has no broker to publish to
                report.runs[running.vendor] = fuzz(running.installation, minutes, seed, bar.message)
                logging.disable(logging.NOTSET)
                logs = running.installation.folder.glob("*.log")
                report.logs[running.vendor] = _error_lines(logs)
        except CannotMeasure as error:
            report.missing[kind] = str(error)
        bar.clear()
    return report


def _error_lines(logs: Iterable[Path]) -> list[str]:
    return [
        line
        for log in logs
        for line in log.read_text(errors="replace").splitlines()
        if any(word in line for word in ERROR_WORDS)
    ]


def as_text(report: FuzzReport) -> str:
    lines = [report.machine]
    for name, run in report.runs.items():
        statuses = ", ".join(f"{status}: {times}" for status, times in sorted(run.statuses.items()))
        size = f"{run.requests} requests in {run.seconds:.0f} s, {run.events} events (seed {run.seed})"
        lines += ["", f"{name}: {size}", f"  answered {statuses}"]
        lines += [
            f"  {times} x {operation}: {what}\n      {run.first[operation, what]}"
            for (operation, what), times in run.wrong.most_common()
        ]
        lines += [f"  in the log: {line}" for line in report.logs[name][:20]]
        lines.append("  No complaints." if not run.wrong and not report.logs[name] else "  MISSED")
    lines += ["", *(f"Not run on {kind}: {reason}" for kind, reason in report.missing.items())]
    return "\n".join(lines).rstrip()


def fuzz(installation: Installation, minutes: float, seed: int, show_progress: Callable[[str], None]) -> Run:
    """Sends requests for `minutes`, but at least one round of every operation."""
    run, schema, began = Run(seed), schema_of(), time.monotonic()
    chance, by_name = Random(seed), operations(schema)
    for number in count():
        if number % ROUNDS_PER_EVENT == 0:
            with installation.database():
                call_command("flush", interactive=False, verbosity=0, reset_sequences=False)
                event = create_sample_event(f"Fuzz {seed} {number}")
            run.events += 1
        for name, operation in by_name.items():
            with installation.database():
                ids = load_stored_ids()
            cases = _cases(schema, operation, number, seed, chance)
            _send_all(installation.url, cases, event, ids, chance, run)
            run.seconds = time.monotonic() - began
            counts = f"{run.requests} requests, {len(run.wrong)} complaints"
            show_progress(f"{run.seconds:.0f} s, {counts}, {name}")
            if number and run.seconds > minutes * 60:
                return run
        if run.seconds > minutes * 60:
            return run
    return run


def _cases(schema: BaseSchema, operation: Operation, number: int, seed: int, chance: Random) -> list[Case]:
    """Random cases; in the first round of an event also the boundary cases."""
    cases = random_cases(operation, CASES_PER_OPERATION, seed + number)
    if number % ROUNDS_PER_EVENT == 0:
        cases += boundary_cases(schema, operation)
    chance.shuffle(cases)
    return cases


def choose_roles(event: SampleEvent, number: int, chance: Random) -> list[str]:
    """A role for each of so many requests."""
    names = list(event.tokens)
    return chance.choices(names, [ROLE_WEIGHTS.get(name, 1) for name in names], k=number)


def _send_all(
    url: str, cases: list[Case], event: SampleEvent, ids: StoredIds, chance: Random, run: Run
) -> None:
    roles = choose_roles(event, len(cases), chance)
    cases = [with_stored_ids(case, ids, chance) for case in cases]
    with ThreadPoolExecutor(CLIENTS) as threads:
        sending = [
            threads.submit(_send, url, case, role, event.tokens[role], run)
            for case, role in zip(cases, roles, strict=True)
        ]
        for future in sending:
            future.result()


def _send(url: str, case: Case, role: str, token: str, run: Run) -> None:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    name = f"{case.operation.method.upper()} {case.operation.path}"
    request = f"{role}: {case.method} {case.formatted_path} {case.query or ''} {str(case.body)[:200]!r}"
    try:
        answer = case.call(base_url=url, headers=headers, timeout=ANSWER_TIMEOUT)
    except requests.RequestException as error:
        run.add(0, [f"No answer: {type(error).__name__}"], request, name)
        return
    run.add(answer.status_code, complaints(case, answer), request, name)
