"""One measurement of `bench formats`: its times, its mark and a note; and the function that times calls."""

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from deploy.bench.figures import Figures

Argument = TypeVar("Argument")


@dataclass(frozen=True, slots=True)
class Measure:
    """`mark` is the highest median in milliseconds, `most` the highest ratio of two sizes; None: no promise."""

    name: str
    figures: Figures | None = None
    mark: float | None = None
    ratio: float | None = None
    most: float | None = None
    note: str = ""

    @property
    def is_met(self) -> bool | None:
        """None without a promise."""
        if self.ratio is not None and self.most is not None:
            return self.ratio <= self.most
        if self.figures is None or self.mark is None:
            return None
        return self.figures.p50 <= self.mark

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "ms": self.figures.as_json() if self.figures else None,
            "mark_ms": self.mark,
            "ratio": self.ratio,
            "most": self.most,
            "met": self.is_met,
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes and number of samples; `marks` is False where the sizes are not those of the marks."""

    bracket: int = 1024
    small_bracket: int = 16
    swiss: Sequence[int] = (64, 256, 1024, 4096)
    tables: Sequence[int] = (64, 256, 1024)
    samples: int = 15
    marks: bool = True


TRIAL = Sizes(bracket=32, swiss=(16,), tables=(16, 32), samples=2, marks=False)


def time_calls(
    function: Callable[[Argument], object], make_argument: Callable[[], Argument], samples: int
) -> list[float]:
    """The seconds of each call, with a new argument each time. Garbage is not collected meanwhile."""
    seconds = []
    gc.collect()
    gc.disable()
    try:
        for _ in range(samples):
            argument = make_argument()
            began = time.perf_counter()
            function(argument)
            seconds.append(time.perf_counter() - began)
    finally:
        gc.enable()
    return seconds


def no_argument() -> None:
    """The argument of a function that ignores it."""
