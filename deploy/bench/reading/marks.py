"""What is measured of reading: how much, how often, and what each figure is held against. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from deploy.bench.figures import Figures

IDLE = "memory of the idle tree, MB"
Figure = Figures | float


class Mark(NamedTuple):
    """What a figure is held against. `at_least`: the more the better; else its median, or what `of` names, at most."""

    limit: float
    of: str = "p50"
    at_least: bool = False

    def is_met(self, figure: Figure) -> bool:
        value = getattr(figure, self.of) if isinstance(figure, Figures) else figure
        return bool(value >= self.limit if self.at_least else value <= self.limit)


class Rates(Figures):
    """How many a second, in the places where others have milliseconds."""

    __slots__ = ()

    def __str__(self) -> str:
        spread = f"p10 {self.p10:,.0f}, p90 {self.p90:,.0f}"
        return f"median {self.p50:6,.0f} a second   ({spread}; {self.count} tenths of a second)"

    @classmethod
    def a_second(cls, counts: Iterable[int], seconds: float) -> "Rates":
        """Of how many there were in each of some pieces of so many seconds."""
        found = Figures.of([count / seconds / 1000 for count in counts])
        return cls(found.count, found.p50, found.p10, found.p90, found.p99, found.longest)


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many entries the tournaments have; how long and how often everything is measured."""

    entries: tuple[int, ...] = (16, 64, 256, 1024)
    seconds: float = 3.0
    views: int = 20
    streams: int = 1000
    events: int = 60
    results: int = 64


TRIAL = Sizes(entries=(16,), seconds=0.4, views=2, streams=10, events=3, results=4)


EVERYWHERE = {
    "page 200, a second": [Mark(4000, at_least=True)],
    "page 304, a second": [Mark(10_000, at_least=True)],
}
MARKS: dict[str, list[Mark]] = {
    **{
        f"{what}, {entries} entries": marks
        for entries in Sizes().entries
        for what, marks in EVERYWHERE.items()
    },
    "first view after a change, 64 entries": [Mark(20)],
    "first view after a change, 1024 entries": [Mark(150)],
    "told to 1000 streams": [Mark(30), Mark(100, "p99")],
    "never told to 1000 streams": [Mark(0)],
    "memory of a stream, kB": [Mark(60)],
    "64 results at once, seen by 1000": [Mark(500, "longest")],
    "64 results at once, never seen": [Mark(0)],
    IDLE: [Mark(300)],
}
