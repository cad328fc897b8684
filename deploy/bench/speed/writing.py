"""Figures of writing on one database: games from phones that post without a pause, and single results.

The fsync time of the disk is measured before the figures of each size.
"""

from collections.abc import Callable
from dataclasses import dataclass

from deploy.bench.figures import Figure, Figures, Mark, Rates
from deploy.bench.machine import fsync_time
from deploy.bench.speed import games as game_posts
from deploy.bench.speed import results
from deploy.bench.temporary import RunningInstallation

FSYNC = "fsync of the disk"
GAMES, SUBMIT, RECEIVED = (
    "games accepted a second",
    "a game's submit",
    "a result, until a spectator receives who advanced",
)
STAGES = {
    "received": RECEIVED,
    "accepted": "  its answer to the player",
    "until_posted": "  stage 1: until it is written",
    "until_advanced": "  stage 2: until a worker has advanced the players",
    "until_received": "  stage 3: until the spectator has received it",
}
BESIDE_DISK = (GAMES, SUBMIT, *STAGES.values())
WITHOUT_BROKER = "answer to a deciding post, broker dead"
LARGEST_TO_SMALLEST = "a result among most entries, times one among fewest"
MARKS: dict[str, list[Mark]] = {
    RECEIVED: [Mark(20), Mark(60, "p99")],
    WITHOUT_BROKER: [Mark(100, "longest")],
    LARGEST_TO_SMALLEST: [Mark(1.3)],
}
POSTGRESQL_MARKS = {GAMES: [Mark(200, at_least=True)]}


@dataclass(frozen=True, slots=True)
class Sizes:
    """Entries of the tournaments, results timed, games posted in each pass, and results without a broker."""

    entries: tuple[int, ...] = (16, 64, 256, 1024)
    results: int = 150
    games: int = game_posts.GAMES
    passes: int = game_posts.PASSES
    without_broker: int = 20


TRIAL = Sizes(entries=(8,), results=3, games=2, passes=1, without_broker=2)


def measure(
    running: RunningInstallation, sizes: Sizes, show_progress: Callable[[str], None]
) -> dict[str, Figure]:
    """Figures by name, in milliseconds unless the name gives another unit."""
    figures: dict[str, Figure] = {}
    for entries in sizes.entries:
        figures[with_size(FSYNC, entries)] = fsync_time(running.installation.folder)
        show_progress(f"games among {entries} entries")
        posts = game_posts.measure(running, entries, sizes.games, sizes.passes)
        figures[with_size(GAMES, entries)] = Rates.a_second([round(rate) for rate in posts.rates], 1)
        figures[with_size(SUBMIT, entries)] = Figures.of(posts.seconds)
        show_progress(f"results among {entries} entries")
        times = vars(results.measure(running, entries, sizes.results))
        for stage, name in STAGES.items():
            figures[with_size(name, entries)] = Figures.of(times[stage])
    figures[LARGEST_TO_SMALLEST] = _ratio(figures, sizes)
    show_progress("results without a broker")
    figures[WITHOUT_BROKER] = Figures.of(results.measure_without_broker(running, sizes.without_broker))
    return figures


def with_size(name: str, entries: int) -> str:
    return f"{name}, {entries} entries"


def without_size(name: str) -> str:
    return name.rpartition(", ")[0] if name.endswith(" entries") else name


def _ratio(figures: dict[str, Figure], sizes: Sizes) -> float:
    fewest, most = (
        figures[with_size(RECEIVED, entries)] for entries in (min(sizes.entries), max(sizes.entries))
    )
    return round(_median(most) / _median(fewest), 3)


def _median(figure: Figure) -> float:
    return figure.p50 if isinstance(figure, Figures) else figure
