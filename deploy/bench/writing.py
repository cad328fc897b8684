"""How fast results are taken in and seen: games from phones that never pause, and the whole way of a deciding post.

For one database, at each size; beside every figure stands what the disk took to keep a page, just before.
"""

from collections.abc import Callable
from dataclasses import dataclass

from deploy.bench import disk, flow, posts
from deploy.bench.figures import Figures
from deploy.bench.grounds import Ground
from deploy.bench.reading.marks import Figure, Mark, Rates

FSYNC = "fsync of the disk"
GAMES, SUBMIT, SEEN = (
    "games taken in a second",
    "a game's submit",
    "a result, until a spectator is told who goes on",
)
STAGES = {
    "told": SEEN,
    "accepted": "  its answer to the player",
    "until_posted": "  of its way: until it is written",
    "until_advanced": "  of its way: until a worker has moved the players",
    "until_told": "  of its way: until the spectator is told",
}
BESIDE_DISK = (GAMES, SUBMIT, *STAGES.values())
WITHOUT_BROKER = "answer to a deciding post, broker dead"
LARGEST_TO_SMALLEST = "a result among most entries, times one among fewest"
MARKS: dict[str, list[Mark]] = {
    SEEN: [Mark(15), Mark(50, "p99")],
    WITHOUT_BROKER: [Mark(100, "longest")],
    LARGEST_TO_SMALLEST: [Mark(1.3)],
}
ON_POSTGRESQL = {GAMES: [Mark(300, at_least=True)]}
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many entries the tournaments have; how many results are timed, and how often how many games are posted."""

    entries: tuple[int, ...] = (16, 64, 256, 1024)
    results: int = 150
    games: int = posts.GAMES
    passes: int = posts.PASSES
    without_broker: int = 20


TRIAL = Sizes(entries=(8,), results=3, games=2, passes=1, without_broker=2)


def writing(ground: Ground, sizes: Sizes, say: Say) -> dict[str, Figure]:
    """Figures by what they are of: milliseconds, unless the name says what else."""
    told: dict[str, Figure] = {}
    for entries in sizes.entries:
        told[of_size(FSYNC, entries)] = disk.fsync_time(ground.parts.folder)
        say(f"games among {entries} entries")
        posted = posts.measure(ground, entries, sizes.games, sizes.passes)
        told[of_size(GAMES, entries)] = Rates.a_second([round(rate) for rate in posted.rates], 1)
        told[of_size(SUBMIT, entries)] = Figures.of(posted.seconds)
        say(f"results among {entries} entries")
        times = vars(flow.measure(ground, entries, sizes.results))
        told |= {of_size(name, entries): Figures.of(times[stage]) for stage, name in STAGES.items()}
    told[LARGEST_TO_SMALLEST] = _ratio(told, sizes)
    say("results without a broker")
    return {**told, WITHOUT_BROKER: Figures.of(flow.without_broker(ground, sizes.without_broker))}


def of_size(name: str, entries: int) -> str:
    return f"{name}, {entries} entries"


def without_size(name: str) -> str:
    """What a figure is of, whatever the size."""
    return name.rpartition(", ")[0] if name.endswith(" entries") else name


def _ratio(told: dict[str, Figure], sizes: Sizes) -> float:
    few, most = (told[of_size(SEEN, entries)] for entries in (min(sizes.entries), max(sizes.entries)))
    return round(_median(most) / _median(few), 3)


def _median(figure: Figure) -> float:
    return figure.p50 if isinstance(figure, Figures) else figure
