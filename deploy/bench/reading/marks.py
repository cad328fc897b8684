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
    """How many entries the tournaments have; how long and how often everything is measured. `site`: at how many entries
    all the other public pages are measured too."""

    entries: tuple[int, ...] = (16, 64, 256, 1024)
    site: int = 64
    seconds: float = 3.0
    views: int = 20
    other_views: int = 10
    streams: int = 1000
    events: int = 60
    results: int = 64


TRIAL = Sizes(entries=(16,), site=16, seconds=0.4, views=2, other_views=1, streams=10, events=3, results=4)


OTHERS = ("player", "match", "home", "draw proof", "bracket over the API")
AS_IT_IS, UNCHANGED = Mark(4000, at_least=True), Mark(10_000, at_least=True)


def _from_memory() -> dict[str, list[Mark]]:
    """The page at every size, the others at one."""
    measured = [("page", entries) for entries in Sizes().entries] + [(what, Sizes().site) for what in OTHERS]
    told: dict[str, list[Mark]] = {}
    for what, entries in measured:
        told[f"{what} 200, a second, {entries} entries"] = [AS_IT_IS]
        told[f"{what} 304, a second, {entries} entries"] = [UNCHANGED]
    return told


def _first_views() -> dict[str, list[Mark]]:
    views = ("first view", "first view of a player", "first view of a match")
    most = {64: Mark(20), 1024: Mark(150)}
    return {
        f"{view} after a change, {entries} entries": [mark]
        for view in views
        for entries, mark in most.items()
    }


MARKS: dict[str, list[Mark]] = {
    **_from_memory(),
    **_first_views(),
    "told to 1000 streams": [Mark(30), Mark(100, "p99")],
    "never told to 1000 streams": [Mark(0)],
    "memory of a stream, kB": [Mark(60)],
    "64 results at once, seen by 1000": [Mark(500, "longest")],
    "64 results at once, never seen": [Mark(0)],
    IDLE: [Mark(300)],
}
