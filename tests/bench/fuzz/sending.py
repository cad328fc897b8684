"""The long run: rubbish for so many minutes, sent over HTTP to the real parts by two askers at once.

What is asked is done for good, so that the event wears away; after some rounds another takes its place.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

import requests
from django.core.management import call_command
from schemathesis.schemas import BaseSchema

from deploy.loose_parts import LooseParts
from tests.bench.fuzz.checks import complaints
from tests.bench.fuzz.generation import (
    Case,
    Operation,
    aimed,
    at_boundaries,
    by_chance,
    operations,
    schema_of,
)
from tests.bench.fuzz.sample_event import STRANGER, Cast, assemble
from tests.bench.fuzz.stored_ids import Known, known_now

ASKERS = 2
EACH = 10
ROUNDS_OF_AN_EVENT = 3
SECONDS_TO_ANSWER = 30.0
WEIGHTS = {"owner": 12, "player": 5, "desk": 3, STRANGER: 2}
"""How often who asks; everybody else once."""
Say = Callable[[str], None]


@dataclass
class Run:
    """What was sent and what was wrong: each complaint once, with how often and the first request that met it."""

    seed: int
    seconds: float = 0.0
    events: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    wrong: Counter[tuple[str, str]] = field(default_factory=Counter)
    first: dict[tuple[str, str], str] = field(default_factory=dict)
    _alone: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def requests(self) -> int:
        return sum(self.statuses.values())

    def note(self, status: int, said: list[str], asked: str, operation: str) -> None:
        with self._alone:
            self.statuses[status] += 1
            for one in said:
                self.wrong[operation, one] += 1
                self.first.setdefault((operation, one), asked)

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


def run(parts: LooseParts, minutes: float, seed: int, say: Say) -> Run:
    """Sends rubbish until the time is over, at least one round for every operation."""
    done, schema, began = Run(seed), schema_of(), time.monotonic()
    chance = Random(seed)
    asked = operations(schema)
    for number in count():
        if number % ROUNDS_OF_AN_EVENT == 0:
            with parts.database():
                call_command("flush", interactive=False, verbosity=0, reset_sequences=False)
                cast = assemble(f"Rubbish {seed} {number}")
            done.events += 1
        for name, operation in asked.items():
            with parts.database():
                known = known_now()
            cases = _cases(schema, operation, number, seed, chance)
            _send_all(parts.url, cases, cast, known, chance, done)
            done.seconds = time.monotonic() - began
            say(f"{done.seconds:.0f} s, {done.requests} requests, {len(done.wrong)} complaints, {name}")
            if number and done.seconds > minutes * 60:
                return done
        if done.seconds > minutes * 60:
            return done
    return done


def _cases(schema: BaseSchema, operation: Operation, number: int, seed: int, chance: Random) -> list[Case]:
    """In the first round what lies at the boundaries, too."""
    drawn = by_chance(operation, EACH, seed + number)
    boundaries = list(at_boundaries(schema, operation)) if number % ROUNDS_OF_AN_EVENT == 0 else []
    cases = [*drawn, *boundaries]
    chance.shuffle(cases)
    return cases


def askers_of(cast: Cast, many: int, chance: Random) -> list[str]:
    """Who asks each of so many requests."""
    names = list(cast.tokens)
    return chance.choices(names, [WEIGHTS.get(name, 1) for name in names], k=many)


def _send_all(url: str, cases: list[Case], cast: Cast, known: Known, chance: Random, done: Run) -> None:
    askers = askers_of(cast, len(cases), chance)
    sent = [(aimed(case, known, chance), asker) for case, asker in zip(cases, askers, strict=True)]
    with ThreadPoolExecutor(ASKERS) as threads:
        for one in [threads.submit(_send, url, case, cast, asker, done) for case, asker in sent]:
            one.result()


def _send(url: str, case: Case, cast: Cast, asker: str, done: Run) -> None:
    token = cast.tokens[asker]
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    name = f"{case.operation.method.upper()} {case.operation.path}"
    asked = f"{asker}: {case.method} {case.formatted_path} {case.query or ''} {str(case.body)[:200]!r}"
    try:
        answer = case.call(base_url=url, headers=headers, timeout=SECONDS_TO_ANSWER)
    except requests.RequestException as error:
        done.note(0, [f"No answer: {type(error).__name__}"], asked, name)
        return
    done.note(answer.status_code, complaints(case, answer), asked, name)
