"""Public pages by the thousand a second, and the first view after a change."""

import time
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
    address, browser = urlsplit(stand.ground.parts.url), Wire(stand.ground.parts.url)
    etag = seen(browser.get(stand.page, accept_language="en-US,en;q=0.5")).headers["etag"]
    place = str(address.hostname), int(address.port or 80), stand.page, CONNECTIONS, sizes.seconds
    name = f"{stand.tournament.entries.count()} entries"
    fresh, unchanged = ask(*place), ask(*place, etag)
    if set(fresh.statuses) != {"200"} or set(unchanged.statuses) != {"304"}:
        raise BadAnswer(f"Public pages were answered {fresh.statuses} and {unchanged.statuses}.")
    views = []
    for _ in islice(stand.games(), sizes.views):
        time.sleep(SECONDS_TO_HEAR)  # until the web server has heard of it, so that it is Django that answers
        began = time.perf_counter()
        seen(browser.get(stand.page))
        views.append(time.perf_counter() - began)
    browser.close()
    return {
        f"page 200, a second, {name}": Rates.a_second(fresh.pieces, PIECE),
        f"page 304, a second, {name}": Rates.a_second(unchanged.pieces, PIECE),
        f"first view after a change, {name}": Figures.of(views),
    }
