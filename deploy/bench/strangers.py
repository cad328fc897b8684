"""`bench strangers`: times the desk's page alone and beside strangers who search without a pause."""

import http.client
import re
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TextIO
from urllib.parse import urlencode, urlsplit

from django.core.management.base import CommandError

from deploy.bench import search_clients
from deploy.bench.figures import Figures
from deploy.bench.installation import Installation
from deploy.bench.machine import describe_machine
from deploy.bench.progress import ProgressBar
from deploy.bench.search_clients import MOST_CONNECTIONS, MOST_SECONDS
from deploy.bench.steps import UnexpectedAnswer, draw_tournament
from deploy.bench.temporary import CannotMeasure, running_installation
from tournament.accounts import links

ENTRIES, LENGTH = 256, 9
MOST_RATIO = 3.0
LOAD_INTERVAL = 0.2
WARM_UP = 2.0
COOKIE = re.compile(r"(sessionid|csrftoken)=([^;]+)")
CSRF_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


@dataclass
class StrangersReport:
    """By database: the desk's page alone and beside strangers, and the answers that the strangers received."""

    machine: str
    at: str
    alone: dict[str, Figures] = field(default_factory=dict)
    beside: dict[str, Figures] = field(default_factory=dict)
    answers: dict[str, int] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def ratio(self, name: str) -> float:
        return round(self.beside[name].p99 / self.alone[name].p99, 2)

    def as_json(self) -> dict[str, Any]:
        return {
            "bench": "strangers",
            "unit": "ms",
            "machine": self.machine,
            "at": self.at,
            "alone": {name: figures.as_json() for name, figures in self.alone.items()},
            "beside strangers": {name: figures.as_json() for name, figures in self.beside.items()},
            "ratio of p99": {name: self.ratio(name) for name in self.beside},
            "answers to strangers": self.answers,
            "not_measured": self.missing,
        }


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--strangers", type=int, default=100, help=f"connections, at most {MOST_CONNECTIONS} (100)"
    )
    parser.add_argument(
        "--seconds", type=float, default=30.0, help="duration alone, and again beside strangers (30)"
    )


def run(
    kinds: Iterable[str], options: dict[str, Any], screen: TextIO = sys.stderr
) -> tuple[str, dict[str, Any]]:
    strangers, seconds = options["strangers"], options["seconds"]
    if not 1 <= strangers <= MOST_CONNECTIONS or not 1 <= seconds <= MOST_SECONDS / 2:
        raise CommandError("Measure 1 to 200 strangers, for 1 to 150 seconds.")
    report = StrangersReport(describe_machine(), datetime.now(UTC).isoformat(timespec="seconds"))
    for kind in kinds:
        bar = ProgressBar(kind, screen)
        try:
            with running_installation(kind, workers=1) as running:
                bar.message("the desk alone, then beside strangers")
                _measure(report, running.vendor, running.installation, strangers, seconds)
        except (CannotMeasure, UnexpectedAnswer, TimeoutError) as error:
            report.missing[kind] = str(error)
        bar.clear()
    return as_text(report), report.as_json()


def as_text(report: StrangersReport) -> str:
    lines = [report.machine]
    for name, alone in report.alone.items():
        ratio = report.ratio(name)
        verdict = "met" if ratio <= MOST_RATIO else "MISSED"
        lines += ["", name, f"  {'the desk alone':<32} {alone}"]
        lines += [f"  {'the desk beside strangers':<32} {report.beside[name]}"]
        lines += [f"  answers to strangers {report.answers[name]}"]
        lines += [f"  Mark: {verdict} (p99 {ratio:g} times its value alone, at most {MOST_RATIO:g})"]
    lines += ["", *(f"Not measured on {kind}: {reason}" for kind, reason in report.missing.items())]
    return "\n".join(lines).rstrip()


def _measure(
    report: StrangersReport, name: str, installation: Installation, strangers: int, seconds: float
) -> None:
    with installation.database():
        tournament, _tokens = draw_tournament(ENTRIES, LENGTH)
        sign_in_link = links.make_sign_in_link(tournament.event.memberships.get().user)
    event_path = f"/e/{tournament.event.slug}/"
    desk = DeskBrowser(installation.url, f"{event_path}{tournament.slug}/desk/")
    desk.sign_in(sign_in_link)
    desk.load_for(WARM_UP)
    alone = desk.load_for(seconds)
    address, duration = urlsplit(installation.url), seconds + 2 * WARM_UP
    clients = search_clients.start(
        str(address.hostname), int(address.port or 0), f"{event_path}join/", strangers, duration
    )
    try:
        desk.load_for(WARM_UP)
        beside = desk.load_for(seconds)
        answers, _ = clients.communicate(timeout=duration + search_clients.ANSWER_TIMEOUT)
    finally:
        clients.kill()
        clients.wait()
    report.alone[name], report.beside[name] = Figures.of(alone), Figures.of(beside)
    report.answers[name] = int(answers)


class DeskBrowser:
    """A signed-in browser that loads the desk's page."""

    def __init__(self, url: str, page: str) -> None:
        address = urlsplit(url)
        self._connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=120)
        self._origin, self._page = url, page
        self._cookies: dict[str, str] = {}

    def sign_in(self, path: str) -> None:
        form = CSRF_TOKEN.search(self._request("GET", path, 200))
        if form is None:
            raise UnexpectedAnswer("The page of the sign-in link has no form.")
        self._request("POST", path, 302, urlencode({"csrfmiddlewaretoken": form[1]}))

    def load_for(self, seconds: float) -> list[float]:
        """Loads the page at a steady pace and returns the seconds that each load took."""
        durations, deadline = [], time.monotonic() + seconds
        while time.monotonic() < deadline:
            began = time.perf_counter()
            self._request("GET", self._page, 200)
            durations.append(time.perf_counter() - began)
            time.sleep(LOAD_INTERVAL)
        return durations

    def _request(self, method: str, path: str, status: int, body: str = "") -> str:
        """Returns the text of the answer. Raises UnexpectedAnswer unless it has this status."""
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        headers = {"Cookie": cookies, "Origin": self._origin, "Referer": f"{self._origin}{path}"}
        if body:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        self._connection.request(method, path, body or None, headers)
        answer = self._connection.getresponse()
        text = answer.read().decode()
        if answer.status != status:
            raise UnexpectedAnswer(f"The product answered {answer.status} to {path}: {text[:300]}")
        for line in answer.headers.get_all("Set-Cookie") or []:
            if cookie := COOKIE.match(line):
                self._cookies[cookie[1]] = cookie[2]
        return text
