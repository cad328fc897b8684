"""Tells of a run of rubbish: how much was sent, how it was answered, and every complaint with its first request."""

import logging
from dataclasses import dataclass, field
from typing import Any, TextIO

from deploy.bench.grounds import CannotMeasure, ground
from deploy.bench.report import Bar, machine
from tests.bench.fuzz.sending import Run, run

SEED = 2048
UNCOUNTED = {"API_REQUESTS_A_MINUTE": "0", "LOG_LEVEL": "WARNING"}
"""Whoever asks more often than a person would is not turned away here."""


@dataclass
class Told:
    machine: str
    runs: dict[str, Run] = field(default_factory=dict)
    logs: dict[str, list[str]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {
            "bench": "fuzz",
            "machine": self.machine,
            "databases": {name: one.as_json() for name, one in self.runs.items()},
            "faults_in_logs": self.logs,
            "not_run": self.missing,
        }


def fuzz_told(kinds: tuple[str, ...], minutes: float, seed: int, screen: TextIO) -> Told:
    """So many minutes of rubbish on each of these kinds of database."""
    told = Told(machine())
    for kind in kinds:
        bar = Bar(kind, screen)
        try:
            with ground(kind, workers=1, **UNCOUNTED) as running:
                logging.disable(logging.WARNING)  # this process has no broker to tell of what it makes
                told.runs[running.vendor] = run(running.parts, minutes, seed, bar.say)
                logging.disable(logging.NOTSET)
                told.logs[running.vendor] = _faults(running.parts.folder.glob("*.log"))
        except CannotMeasure as error:
            told.missing[kind] = str(error)
        bar.clear()
    return told


def _faults(logs: Any) -> list[str]:
    """Lines of the logs that tell of an error of ours."""
    words = ("Traceback", "Internal Server Error", "CRITICAL")
    return [
        line
        for log in logs
        for line in log.read_text(errors="replace").splitlines()
        if any(word in line for word in words)
    ]


def as_text(told: Told) -> str:
    lines = [told.machine]
    for name, done in told.runs.items():
        statuses = ", ".join(f"{status}: {times}" for status, times in sorted(done.statuses.items()))
        lines += [
            "",
            f"{name}: {done.requests} requests in {done.seconds:.0f} s, {done.events} events (seed {done.seed})",
        ]
        lines.append(f"  answered {statuses}")
        lines += [
            f"  {times} x {operation}: {what}\n      {done.first[operation, what]}"
            for (operation, what), times in done.wrong.most_common()
        ]
        lines += [f"  in the log: {line}" for line in told.logs[name][:20]]
        lines.append("  Nothing to complain of." if not done.wrong and not told.logs[name] else "  MISSED")
    lines += ["", *(f"Not run on {kind}: {why}" for kind, why in told.missing.items())]
    return "\n".join(lines).rstrip()
