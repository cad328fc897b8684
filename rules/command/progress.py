"""A progress line in a terminal."""

from typing import Self, TextIO

_FEW = 20


class Progress:
    """Counts steps of `total`. Silent for few steps and if the output is no terminal."""

    def __init__(self, total: int, out: TextIO) -> None:
        self.total, self.out, self.done = total, out, 0
        self.is_shown = total > _FEW and out.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def step(self) -> None:
        self.done += 1
        if self.is_shown:
            self.out.write(f"\r{self.done} of {self.total} ({100 * self.done // self.total} %)")
            self.out.flush()

    def clear(self) -> None:
        """Removes the line, before other output and at the end."""
        if self.is_shown:
            self.out.write("\r\x1b[K")
            self.out.flush()
