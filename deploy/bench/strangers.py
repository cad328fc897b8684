"""Measures the desk's page alone, then beside greedy strangers, and compares the slowest answers."""

import http.client
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple, TextIO
from urllib.parse import urlencode, urlsplit

from deploy.bench import greedy
from deploy.bench.answers import BadAnswer
from deploy.bench.drawn import drawn
from deploy.bench.figures import Figures
from deploy.bench.grounds import CannotMeasure, ground
from deploy.bench.report import Bar, machine
from deploy.loose_parts import LooseParts
from tournament.accounts import directors, links

ENTRIES, LENGTH = 256, 9
MARK = 3.0
PAUSE = 0.2
"""Seconds between two loads of the desk."""
COOKIE = re.compile(r"(sessionid|csrftoken)=([^;]+)")
SECRET = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class Sizes(NamedTuple):
    strangers: int = 100
    seconds: float = 30.0


@dataclass
class StrangersTold:
    machine: str
    at: str
    quiet: dict[str, Figures] = field(default_factory=dict)
    beside: dict[str, Figures] = field(default_factory=dict)
    answers: dict[str, int] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def ratio(self, name: str) -> float:
        return round(self.beside[name].p99 / self.quiet[name].p99, 2)

    def as_json(self) -> dict[str, Any]:
        return {
            "bench": "strangers",
            "unit": "ms",
            "machine": self.machine,
            "at": self.at,
            "quiet": {name: one.as_json() for name, one in self.quiet.items()},
            "beside strangers": {name: one.as_json() for name, one in self.beside.items()},
            "ratio of p99": {name: self.ratio(name) for name in self.beside},
            "answers to strangers": self.answers,
            "not_measured": self.missing,
        }


def strangers_told(kinds: Iterable[str], sizes: Sizes, screen: TextIO) -> StrangersTold:
    told = StrangersTold(machine(), datetime.now(UTC).isoformat(timespec="seconds"))
    for kind in kinds:
        bar = Bar(kind, screen)
        try:
            with ground(kind, workers=1) as running:
                bar.say("the desk alone, then beside strangers")
                name = running.vendor
                told.quiet[name], told.beside[name], told.answers[name] = _measure(running.parts, sizes)
        except (CannotMeasure, BadAnswer, TimeoutError) as error:
            told.missing[kind] = str(error)
        bar.clear()
    return told


def as_text(told: StrangersTold) -> str:
    lines = [told.machine]
    for name, quiet in told.quiet.items():
        ratio = told.ratio(name)
        verdict = "met" if ratio <= MARK else "MISSED"
        lines += ["", name, f"  {'the desk alone':<32} {quiet}"]
        lines += [f"  {'the desk beside greedy strangers':<32} {told.beside[name]}"]
        lines += [f"  answers to strangers {told.answers[name]}"]
        lines += [f"  Mark: {verdict} (p99 {ratio:g} times its value alone, at most {MARK:g})"]
    lines += ["", *(f"Not measured on {kind}: {why}" for kind, why in told.missing.items())]
    return "\n".join(lines).rstrip()


def _measure(parts: LooseParts, sizes: Sizes) -> tuple[Figures, Figures, int]:
    with parts.database():
        tournament, _tokens = drawn(ENTRIES, LENGTH)
        sign_in = links.make_sign_in_link(directors.director())
    here = f"/e/{tournament.event.slug}/"
    desk = Desk(parts.url, f"{here}{tournament.slug}/desk/")
    desk.sign_in(sign_in)
    desk.load_for(2.0)
    quiet = desk.load_for(sizes.seconds)
    address = urlsplit(parts.url)
    strangers = greedy.start(
        str(address.hostname), int(address.port or 0), f"{here}join/", sizes.strangers, sizes.seconds + 4
    )
    try:
        desk.load_for(2.0)
        beside = desk.load_for(sizes.seconds)
        answers, _ = strangers.communicate(timeout=sizes.seconds + 4 + greedy.ANSWERED_SECONDS)
    finally:
        strangers.kill()
        strangers.wait()
    return Figures.of(quiet), Figures.of(beside), int(answers)


class Desk:
    """A signed-in browser with the desk's page open."""

    def __init__(self, url: str, page: str) -> None:
        address = urlsplit(url)
        self._wire = http.client.HTTPConnection(str(address.hostname), address.port, timeout=120)
        self._origin, self._page = url, page
        self._cookies: dict[str, str] = {}

    def sign_in(self, path: str) -> None:
        form = SECRET.search(self._ask("GET", path, 200))
        if form is None:
            raise BadAnswer("The page of the sign-in link has no form.")
        self._ask("POST", path, 302, urlencode({"csrfmiddlewaretoken": form[1]}))

    def load_for(self, seconds: float) -> list[float]:
        """Loads the page at a steady pace; the seconds that each load took."""
        took, ends = [], time.monotonic() + seconds
        while time.monotonic() < ends:
            began = time.perf_counter()
            self._ask("GET", self._page, 200)
            took.append(time.perf_counter() - began)
            time.sleep(PAUSE)
        return took

    def _ask(self, method: str, path: str, status: int, body: str = "") -> str:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        headers = {"Cookie": cookies, "Origin": self._origin, "Referer": f"{self._origin}{path}"}
        if body:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        self._wire.request(method, path, body or None, headers)
        answer = self._wire.getresponse()
        text = answer.read().decode()
        if answer.status != status:
            raise BadAnswer(f"The product answered {answer.status} to {path}: {text[:300]}")
        for line in answer.headers.get_all("Set-Cookie") or []:
            if found := COOKIE.match(line):
                self._cookies[found[1]] = found[2]
        return text
