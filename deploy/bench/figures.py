"""What a series of measured times says. Pure."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Figures:
    """Milliseconds: median, tenth and ninetieth percentile, ninety-ninth, the longest; and how many there were."""

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
        ordered = sorted(moment * 1000 for moment in seconds)
        p50, p10, p90, p99 = (round(_at(ordered, share), 4) for share in (0.5, 0.1, 0.9, 0.99))
        return cls(len(ordered), p50, p10, p90, p99, round(ordered[-1], 4))

    def as_json(self) -> dict[str, float]:
        return asdict(self)

    def __str__(self) -> str:
        spread = f"p10 {self.p10:.1f}, p90 {self.p90:.1f}, longest {self.longest:.1f}"
        return f"median {self.p50:6.1f} ms   p99 {self.p99:6.1f} ms   ({spread}; {self.count} times)"


def _at(ordered: Sequence[float], share: float) -> float:
    """The value at this share of the way through, between neighbours where it falls between two."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
