"""Figures of reading on one database: public pages, the first view after a change, live streams.

Clients run in processes of their own. Changes are published over the broker as the product publishes them, and
results are posted over HTTP as phones post them.
"""

import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from urllib.parse import urlsplit

import redis

from deploy.bench.figures import Figure, Figures, Mark, Rates
from deploy.bench.installation import BROKER_PREFIX
from deploy.bench.machine import megabytes
from deploy.bench.spectators import Spectators
from deploy.bench.speed.page_client import INTERVAL, request_page
from deploy.bench.steps import UnexpectedAnswer, check_answer, draw_tournament, until
from deploy.bench.temporary import RunningInstallation
from tournament.models import Bracket, Pairing, Result, Tournament
from tournament.rehearsal.wire import Wire
from tournament.web.request import COOKIE

IDLE_MEMORY = "memory of the idle tree, MB"
LENGTH = 25
CONNECTIONS = 16
SECONDS_TO_PUBLISH = 0.05
CHANGE_INTERVAL = 0.2


@dataclass(frozen=True, slots=True)
class Sizes:
    """Entries of the tournaments, and durations and counts. The other public pages are measured at `site` entries."""

    entries: tuple[int, ...] = (16, 64, 256, 1024)
    site: int = 64
    seconds: float = 3.0
    views: int = 20
    other_views: int = 10
    streams: int = 1000
    changes: int = 60
    results: int = 64


TRIAL = Sizes(entries=(16,), site=16, seconds=0.4, views=2, other_views=1, streams=10, changes=3, results=4)

WITH_LINK = "page with a player's link"
OTHER_PAGES = (WITH_LINK, "player", "match", "home", "draw proof", "bracket over the API")
CURRENT_PAGES = Mark(1500, at_least=True)


def _page_marks() -> dict[str, list[Mark]]:
    pages = [("page", entries) for entries in Sizes().entries] + [
        (page, Sizes().site) for page in OTHER_PAGES
    ]
    marks: dict[str, list[Mark]] = {}
    for page, entries in pages:
        marks[f"{page} 200, a second, {entries} entries"] = [CURRENT_PAGES]
        marks[f"{page} 304, a second, {entries} entries"] = [CURRENT_PAGES]
    return marks


def _first_view_marks() -> dict[str, list[Mark]]:
    views = ("first view", "first view of a player", "first view of a match")
    marks = {64: Mark(30), 1024: Mark(150)}
    return {
        f"{view} after a change, {entries} entries": [mark]
        for view in views
        for entries, mark in marks.items()
    }


MARKS: dict[str, list[Mark]] = {
    **_page_marks(),
    **_first_view_marks(),
    "received by 1000 streams": [Mark(40), Mark(120, "p99")],
    "never received by 1000 streams": [Mark(0)],
    "memory of a stream, kB": [Mark(60)],
    "64 results at once, received by 1000": [Mark(500, "longest")],
    "64 results at once, never received": [Mark(0)],
    IDLE_MEMORY: [Mark(300)],
}


def measure(
    running: RunningInstallation, sizes: Sizes, show_progress: Callable[[str], None]
) -> dict[str, Figure]:
    """Figures by name, in milliseconds unless the name gives another unit. Memory is measured on Linux only."""
    figures: dict[str, Figure] = {}
    with running.installation.database():
        for entries in sizes.entries:
            show_progress(f"public pages of {entries} entries")
            figures |= _page_figures(WatchedTournament.draw(running, entries), sizes)
        show_progress(f"{sizes.streams} live streams")
        entries = 2
        while entries < 2 * sizes.results:
            entries *= 2
        watched = WatchedTournament.draw(running, entries)
        figures |= _stream_figures(watched, sizes)
        figures |= _simultaneous_results(watched, sizes)
    return figures


@dataclass
class WatchedTournament:
    """A drawn tournament, the addresses of its pages, and ways to change it."""

    running: RunningInstallation
    tournament: Tournament
    bracket: Bracket
    tokens: dict[uuid.UUID, str]
    broker: redis.Redis

    @classmethod
    def draw(cls, running: RunningInstallation, entries: int) -> "WatchedTournament":
        tournament, tokens = draw_tournament(entries, LENGTH)
        bracket = Bracket.objects.get(tournament=tournament)
        return cls(
            running, tournament, bracket, tokens, redis.Redis.from_url(running.installation.broker_url)
        )

    @property
    def url(self) -> str:
        return self.running.installation.url

    @property
    def page(self) -> str:
        return f"/e/{self.tournament.event.slug}/{self.tournament.slug}/"

    @property
    def entries(self) -> int:
        return len(self.tokens)

    def match_pages(self) -> dict[str, str]:
        player, match = self._current_match()
        return {"player": f"{self.page}players/{player}/", "match": f"{self.page}match/{match}/"}

    def other_pages(self) -> dict[str, str]:
        return {
            WITH_LINK: self.page,
            **self.match_pages(),
            "home": "/",
            "draw proof": f"{self.page}draw-proof/",
            "bracket over the API": f"/api/v1/tournaments/{self.tournament.pk}/brackets/main/",
        }

    def publish(self, version: int) -> float:
        """Publishes a version as the product does; returns the time (`time.perf_counter`)."""
        at = time.perf_counter()
        self.broker.publish(f"{BROKER_PREFIX}live", f"{self.bracket.pk} {version}")
        return at

    def games(self) -> Iterator[None]:
        """Posts a game of one match at each step; the sides win in turn."""
        player, match = self._current_match()
        phone, tail = Wire(self.url, self.tokens[player]), str(match)
        for number in range(2 * LENGTH - 2):
            winner, key = "right" if number % 2 else "left", str(uuid.uuid4())
            row = {"key": key, "predecessor": tail, "winner": winner, "win": "single", "cube": 1}
            check_answer(phone.post(f"/api/v1/matches/{match}/games/", row))
            tail = key
            yield
        phone.close()

    def _current_match(self) -> tuple[uuid.UUID, uuid.UUID]:
        """The left player and the id of the first open match."""
        pairing = Pairing.objects.filter(round__bracket=self.bracket, match__isnull=False).first()
        if pairing is None or pairing.left_id is None or pairing.match_id is None:
            raise UnexpectedAnswer("A match that should be open is not.")
        return pairing.left_id, pairing.match_id


def _page_figures(watched: WatchedTournament, sizes: Sizes) -> dict[str, Figure]:
    size = f"{watched.tournament.entries.count()} entries"
    pages = {"page": watched.page} | (watched.other_pages() if watched.entries == sizes.site else {})
    figures: dict[str, Figure] = {}
    for page, path in pages.items():
        cookie = f"{COOKIE}={next(iter(watched.tokens.values()))}" if page == WITH_LINK else ""
        full, unchanged = _answer_rates(watched.url, path, cookie, sizes)
        figures |= {f"{page} 200, a second, {size}": full, f"{page} 304, a second, {size}": unchanged}
    return figures | {f"{name}, {size}": views for name, views in _first_views(watched, sizes).items()}


def _answer_rates(url: str, path: str, cookie: str, sizes: Sizes) -> tuple[Rates, Rates]:
    """Rates of full answers, and of answers 304 Not Modified."""
    address, browser = urlsplit(url), Wire(url)
    own_headers = {"Cookie": cookie} if cookie else {}
    headers = check_answer(browser.get(path, **own_headers)).headers
    etag = {name.lower(): text for name, text in headers.items()}["etag"]
    browser.close()
    request = str(address.hostname), int(address.port or 80), path, CONNECTIONS, sizes.seconds
    sent = [f"{name}: {text}" for name, text in own_headers.items()]
    full, unchanged = request_page(*request, *sent), request_page(*request, *sent, f"If-None-Match: {etag}")
    if set(full.statuses) != {"200"} or set(unchanged.statuses) != {"304"}:
        raise UnexpectedAnswer(f"{path} was answered {full.statuses} and {unchanged.statuses}.")
    return Rates.a_second(full.counts, INTERVAL), Rates.a_second(unchanged.counts, INTERVAL)


def _first_views(watched: WatchedTournament, sizes: Sizes) -> dict[str, Figures]:
    """The first view of each page after a game of its own."""
    browser, games = Wire(watched.url), watched.games()
    figures = {"first view after a change": _time_views(watched.page, islice(games, sizes.views), browser)}
    for page, path in watched.match_pages().items():
        views = _time_views(path, islice(games, sizes.other_views), browser)
        figures[f"first view of a {page} after a change"] = views
    browser.close()
    return figures


def _time_views(path: str, games: Iterator[None], browser: Wire) -> Figures:
    seconds = []
    for _ in games:
        time.sleep(
            SECONDS_TO_PUBLISH
        )  # the web server has dropped its cached page by then, so Django answers
        began = time.perf_counter()
        check_answer(browser.get(path))
        seconds.append(time.perf_counter() - began)
    return Figures.of(seconds)


def _stream_figures(watched: WatchedTournament, sizes: Sizes) -> dict[str, Figure]:
    count, installation = sizes.streams, watched.running.installation
    before = megabytes(installation).get("MB web", 0.0)
    with Spectators(watched.url, str(watched.bracket.pk), count) as spectators:
        time.sleep(1)
        kilobytes = (megabytes(installation).get("MB web", 0.0) - before) * 1024 / count
        first = watched.bracket.version + 1
        changes = []
        for version in range(first, first + sizes.changes):
            changes.append((watched.publish(version), version))
            time.sleep(CHANGE_INTERVAL)
        delays = spectators.delays(changes)
        broken = spectators.close().broken
    figures: dict[str, Figure] = {
        f"received by {count} streams": Figures.of(delays),
        f"never received by {count} streams": float(len(changes) * count - len(delays) + broken),
    }
    if before:
        figures["memory of a stream, kB"] = round(kilobytes, 1)
    return figures


def _simultaneous_results(watched: WatchedTournament, sizes: Sizes) -> dict[str, Figure]:
    """Confirms every open match at the same moment."""
    count, results = sizes.streams, sizes.results
    rows = Pairing.objects.filter(round__bracket=watched.bracket, match__isnull=False).select_related("match")
    pairings = list(rows[:results])
    phones = [_report_result(watched, pairing) for pairing in pairings]
    waiting = Result.objects.filter(pairing__round__bracket=watched.bracket, advanced_at__isnull=True)
    with Spectators(watched.url, str(watched.bracket.pk), count) as spectators:
        time.sleep(1)
        with ThreadPoolExecutor(results) as threads:
            seconds = list(threads.map(lambda phone: _confirm(*phone), phones))
        until(lambda: not waiting.exists(), "results are advanced")
        watched.bracket.refresh_from_db()
        delays = spectators.delays(_posted_versions(watched, pairings))
    name = f"{results} results at once"
    return {
        f"{name}, accepted": Figures.of(seconds),
        f"{name}, received by {count}": Figures.of(delays),
        f"{name}, never received": float(results * count - len(delays)),
    }


def _posted_versions(watched: WatchedTournament, pairings: list[Pairing]) -> list[tuple[float, int]]:
    """The time (`time.perf_counter`) when each result was posted, and the bracket version that shows it.

    Each posting and each advance made one version under the tournament's lock, in the order of their times.
    """
    rows = list(Result.objects.filter(pairing__in=pairings).values_list("posted_at", "advanced_at"))
    moments = [(posted, True) for posted, _ in rows] + [(advanced, False) for _, advanced in rows if advanced]
    skew = time.time() - time.perf_counter()
    first = watched.bracket.version - len(moments) + 1
    return [
        (at.timestamp() - skew, version)
        for version, (at, is_posting) in enumerate(sorted(moments), start=first)
        if is_posting
    ]


def _report_result(watched: WatchedTournament, pairing: Pairing) -> tuple[Wire, uuid.UUID]:
    """Reports the final score and returns the opponent's phone, which is to confirm it, with the match id."""
    match = pairing.match
    if match is None:
        raise UnexpectedAnswer("A match that should be open is not.")
    left, right = (Wire(watched.url, watched.tokens[entry]) for entry in (match.left, match.right))
    row = {"key": str(uuid.uuid4()), "predecessor": str(match.pk), "left": LENGTH, "right": LENGTH - 2}
    check_answer(left.post(f"/api/v1/matches/{match.pk}/final/", row))
    check_answer(right.get(f"/api/v1/matches/{match.pk}/"))
    left.close()
    return right, match.pk


def _confirm(phone: Wire, match: uuid.UUID) -> float:
    """Returns the seconds until the answer."""
    began = time.perf_counter()
    check_answer(phone.post(f"/api/v1/matches/{match}/confirm/"))
    seconds = time.perf_counter() - began
    phone.close()
    return seconds
