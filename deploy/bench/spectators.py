"""What a thousand browsers cost that look on: each is told of a change, waits a moment, and asks for the live part.

Games are entered at a steady rate in as many matches as there are; each changes the running scores of the bracket
that everybody looks at. Timed is what a browser does: from being told until the answer is there, with its wait.
"""

import os
import time
import uuid
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from deploy.bench.answers import BadAnswer
from deploy.bench.crowd import Crowd
from deploy.bench.drawn import drawn
from deploy.bench.figures import Figures
from deploy.bench.grounds import CannotMeasure, ground
from deploy.bench.memory import megabytes
from deploy.bench.report import Bar, machine
from deploy.loose_parts import LooseParts
from tournament.models import Bracket, Pairing
from tournament.rehearsal.wire import Wire

MATCHES, LENGTH = 32, 25
TICKS = os.sysconf("SC_CLK_TCK")


class Sizes(NamedTuple):
    spectators: int = 1000
    rate: float = 5.0
    seconds: float = 20.0


@dataclass
class SpectatorsTold:
    machine: str
    at: str
    figures: dict[str, Figures] = field(default_factory=dict)
    counts: dict[str, dict[str, float]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        shown = {name: one.as_json() for name, one in self.figures.items()}
        said = {"bench": "spectators", "unit": "ms", "machine": self.machine, "at": self.at}
        return {**said, "told until shown": shown, "counts": self.counts, "not_measured": self.missing}


def spectators_told(kinds: Iterable[str], sizes: Sizes, screen: TextIO) -> SpectatorsTold:
    told = SpectatorsTold(machine(), datetime.now(UTC).isoformat(timespec="seconds"))
    for kind in kinds:
        bar = Bar(kind, screen)
        try:
            with ground(kind, workers=1) as running:
                bar.say("the spectators come in")
                shown, told.counts[running.vendor] = _measure(running.parts, sizes)
                told.figures[running.vendor] = Figures.of(shown)
        except (CannotMeasure, BadAnswer, TimeoutError) as error:
            told.missing[kind] = str(error)
        bar.clear()
    return told


def as_text(told: SpectatorsTold) -> str:
    lines = [told.machine]
    for name, figures in told.figures.items():
        counts = ", ".join(f"{what} {count:g}" for what, count in told.counts[name].items())
        lines += ["", name, f"  {'told of a change, until it is on the page':<46} {figures}", f"  {counts}"]
    lines += ["", *(f"Not measured on {kind}: {why}" for kind, why in told.missing.items())]
    return "\n".join(lines).rstrip()


def _measure(parts: LooseParts, sizes: Sizes) -> tuple[list[float], dict[str, float]]:
    """The seconds from being told until the page was there, and counts."""
    with parts.database():
        tournament, tokens = drawn(2 * MATCHES, LENGTH)
        bracket = Bracket.objects.get(tournament=tournament)
        pairings = list(Pairing.objects.filter(round__bracket=bracket, match__isnull=False))
    page = f"/e/{tournament.event.slug}/{tournament.slug}/fragment/"
    webs = [part.process.pid for part in parts.started if part.name == "web"]
    with Crowd(parts.url, str(bracket.pk), sizes.spectators, page) as crowd:
        before, began = sum(map(_cpu_seconds, webs)), time.monotonic()
        games = _enter_games(parts.url, sizes, pairings, tokens)
        time.sleep(1)
        seconds, spent = time.monotonic() - began, sum(map(_cpu_seconds, webs)) - before
        saw = crowd.saw
    answers = {f"answers {status}": count for status, count in saw.answers.items()}
    counts: dict[str, float] = {"spectators": sizes.spectators, "games": games, **answers}
    counts |= {
        "MB sent": round(saw.bytes_sent / 1e6, 1),
        "requests a second": round(len(saw.shown) / seconds),
    }
    counts |= {"web CPU seconds": round(spent, 1), "in seconds": round(seconds, 1), **megabytes(parts)}
    return saw.shown, counts


def _enter_games(url: str, sizes: Sizes, pairings: list[Pairing], tokens: dict[uuid.UUID, str]) -> int:
    """One game after the other at the rate asked for, in one match after the other."""
    tails = {pairing.pk: str(pairing.match_id) for pairing in pairings}
    began, games = time.monotonic(), round(sizes.rate * sizes.seconds)

    def enter(number: int) -> None:
        time.sleep(max(0.0, began + number / sizes.rate - time.monotonic()))
        pairing = pairings[number % len(pairings)]
        row = {"key": str(uuid.uuid4()), "predecessor": tails[pairing.pk], "winner": "left", "win": "single"}
        wire = Wire(url, tokens[pairing.left_id] if pairing.left_id else "")
        answer = wire.post(f"/api/v1/matches/{pairing.match_id}/games/", {**row, "cube": 1})
        wire.close()
        if not answer.is_ok:
            raise BadAnswer(f"The product answered {answer.status}: {str(answer.body)[:300]}")
        tails[pairing.pk] = row["key"]

    with ThreadPoolExecutor(4) as threads:
        return len(list(threads.map(enter, range(games))))


def _cpu_seconds(pid: int) -> float:
    """Of a process so far; 0 where the system does not tell."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(told[11]) + int(told[12])) / TICKS
