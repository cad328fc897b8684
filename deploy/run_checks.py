"""Runs lint, type and import checks and the test suite on both databases with real servers.

Starts the tools and prints their output; contains no checks of its own.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
NO_TESTS_COLLECTED = 5
MAX_TEST_PROCESSES = 8

CHECKS = {
    "ruff check": ("ruff", "check", "."),
    "ruff format": ("ruff", "format", "--check", "."),
    "mypy": ("mypy",),
    "import contracts": ("lint-imports",),
    "djlint": ("djlint", "templates", "--lint", "--quiet"),
}
RUNS = {
    "tests on PostgreSQL and Redis": {"TEST_DATABASE": "postgresql"},
    "tests on SQLite and Valkey": {"TEST_DATABASE": "sqlite"},
}


@dataclass(slots=True)
class RunningCheck:
    """A tool that runs in parallel with the tests. Its output is printed if it fails."""

    name: str
    process: subprocess.Popen[bytes]
    output: IO[bytes]

    def passed(self) -> bool:
        code = self.process.wait()
        if code:
            self.output.seek(0)
            print(f"\n===== {self.name} =====\n{self.output.read().decode(errors='replace')}", flush=True)
        return code == 0


def run_all(arguments: Sequence[str]) -> int:
    """Runs everything, or only the tests that the pytest arguments select. Returns the exit code."""
    started_at = time.monotonic()
    checks = [] if arguments else [_start(name, command) for name, command in CHECKS.items()]
    outcome = {name: _run_tests(name, variables, arguments) for name, variables in RUNS.items()}
    some_ran = any(code == 0 for code in outcome.values())
    passed = {name: code == 0 or (code == NO_TESTS_COLLECTED and some_ran) for name, code in outcome.items()}
    passed |= {check.name: check.passed() for check in checks}
    _print_summary(passed, time.monotonic() - started_at)
    return 0 if all(passed.values()) else 1


def _start(name: str, command: Sequence[str]) -> RunningCheck:
    output = tempfile.TemporaryFile()  # noqa: SIM115 (read after the tool has ended)
    tool = [str(BIN / command[0]), *command[1:]]
    process = subprocess.Popen(
        tool, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL
    )
    return RunningCheck(name, process, output)


def _run_tests(name: str, variables: dict[str, str], arguments: Sequence[str]) -> int:
    print(f"\n===== {name} =====", flush=True)
    picked = list(arguments) or _parallel_options()
    command = [sys.executable, "-m", "pytest", *picked]
    environment = {**os.environ, **variables}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # otherwise each test process compiles all modules
    return subprocess.run(
        command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, check=False
    ).returncode


def _parallel_options() -> list[str]:
    """Returns options for one process more than cores, because tests of whole events mostly wait.

    A process that dies is not replaced: pytest-xdist would wait for ever if its file has one test left.
    """
    at_once = min((os.cpu_count() or 1) + 1, MAX_TEST_PROCESSES)
    spread = ["--dist", "loadfile", "--no-loadscope-reorder"]
    return ["-n", str(at_once), *spread, "--max-worker-restart", "0"]


def _print_summary(passed: dict[str, bool], seconds: float) -> None:
    print(f"\n===== summary, {seconds:.0f} s =====")
    for name, is_well in passed.items():
        print(f"{'passed' if is_well else 'FAILED'}  {name}")
    failed = sum(not is_well for is_well in passed.values())
    print(f"checks: {len(passed) - failed} passed, {failed} failed", flush=True)
