"""Public pages by the thousand a second, and the first view after a change."""

import time
from collections.abc import Iterator
from itertools import islice
from urllib.parse import urlsplit

from deploy.bench.answers import BadAnswer
from deploy.bench.asking import PIECE, ask
from deploy.bench.figures import Figures
from deploy.bench.reading.marks import Figure, Rates, Sizes
from deploy.bench.reading.stand import Stand, seen
from tournament.rehearsal.wire import Wire

CONNECTIONS = 16
SECONDS_TO_HEAR = 0.05


def pages_of(stand: Stand, sizes: Sizes) -> dict[str, Figure]:
    """Its page at each size; whatever else strangers look at, at one."""
    name = f"{stand.tournament.entries.count()} entries"
    looked_at = {"page": stand.page} | (stand.other_pages() if stand.entries == sizes.site else {})
    told: dict[str, Figure] = {}
    for what, address in looked_at.items():
        fresh, unchanged = _rates(stand, address, sizes)
        told |= {f"{what} 200, a second, {name}": fresh, f"{what} 304, a second, {name}": unchanged}
    return told | {f"{what}, {name}": views for what, views in _first_views(stand, sizes).items()}


def _rates(stand: Stand, path: str, sizes: Sizes) -> tuple[Rates, Rates]:
    """How often it is answered a second, and how often that it is as it was."""
    address, browser = urlsplit(stand.ground.parts.url), Wire(stand.ground.parts.url)
    etag = {name.lower(): text for name, text in seen(browser.get(path)).headers.items()}["etag"]
    browser.close()
    place = str(address.hostname), int(address.port or 80), path, CONNECTIONS, sizes.seconds
    fresh, unchanged = ask(*place), ask(*place, etag)
    if set(fresh.statuses) != {"200"} or set(unchanged.statuses) != {"304"}:
        raise BadAnswer(f"{path} was answered {fresh.statuses} and {unchanged.statuses}.")
    return Rates.a_second(fresh.pieces, PIECE), Rates.a_second(unchanged.pieces, PIECE)


def _first_views(stand: Stand, sizes: Sizes) -> dict[str, Figures]:
    """Of the page and of what else shows the match that goes on, each after a game of its own."""
    browser, games = Wire(stand.ground.parts.url), stand.games()
    told = {"first view after a change": _views(stand.page, islice(games, sizes.views), browser)}
    for what, address in stand.pages_of_the_match().items():
        views = _views(address, islice(games, sizes.other_views), browser)
        told[f"first view of a {what} after a change"] = views
    browser.close()
    return told


def _views(address: str, games: Iterator[None], browser: Wire) -> Figures:
    views = []
    for _ in games:
        time.sleep(SECONDS_TO_HEAR)  # until the web server has heard of it, so that it is Django that answers
        began = time.perf_counter()
        seen(browser.get(address))
        views.append(time.perf_counter() - began)
    return Figures.of(views)
