"""Statistics of a series of measurements, and the limits that they are compared with. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Figures:
    """Percentiles of a series in milliseconds, the longest value, and the number of values."""

    count: int
    p50: float
    p10: float
    p90: float
    p99: float
    longest: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> "Figures":
        """Raises ValueError for an empty series."""
        if not seconds:
            raise ValueError("Nothing was measured.")
        ordered = sorted(value * 1000 for value in seconds)
        p50, p10, p90, p99 = (round(_percentile(ordered, share), 4) for share in (0.5, 0.1, 0.9, 0.99))
        return cls(len(ordered), p50, p10, p90, p99, round(ordered[-1], 4))

    def as_json(self) -> dict[str, float]:
        return asdict(self)

    def __str__(self) -> str:
        spread = f"p10 {self.p10:.1f}, p90 {self.p90:.1f}, longest {self.longest:.1f}"
        return f"median {self.p50:6.1f} ms   p99 {self.p99:6.1f} ms   ({spread}; {self.count} times)"


Figure = Figures | float


class Rates(Figures):
    """Statistics of a rate per second, in the fields that hold milliseconds elsewhere."""

    __slots__ = ()

    def __str__(self) -> str:
        spread = f"p10 {self.p10:,.0f}, p90 {self.p90:,.0f}"
        return f"median {self.p50:6,.0f} a second   ({spread}; {self.count} tenths of a second)"

    @classmethod
    def a_second(cls, counts: Iterable[int], seconds: float) -> "Rates":
        """Rates from the counts of successive intervals, each `seconds` long."""
        figures = Figures.of([count / seconds / 1000 for count in counts])
        return cls(figures.count, figures.p50, figures.p10, figures.p90, figures.p99, figures.longest)


class Mark(NamedTuple):
    """A limit for a figure: the median, or the field that `field` names, is at most `limit`; or at least."""

    limit: float
    field: str = "p50"
    at_least: bool = False

    def is_met(self, figure: Figure) -> bool:
        value = getattr(figure, self.field) if isinstance(figure, Figures) else figure
        return bool(value >= self.limit if self.at_least else value <= self.limit)


def _percentile(ordered: Sequence[float], share: float) -> float:
    """Interpolates linearly between the two nearest values."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
