"""How far a long piece of work is, on one line of a terminal; nothing where nobody looks."""

from typing import Self, TextIO

_FEW = 20


class Progress:
    """Counts steps of `whole`. Silent for few steps and where the output is no terminal."""

    def __init__(self, whole: int, out: TextIO) -> None:
        self.whole, self.out, self.done = whole, out, 0
        self.is_seen = whole > _FEW and out.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def step(self) -> None:
        self.done += 1
        if self.is_seen:
            self.out.write(f"\r{self.done} of {self.whole} ({100 * self.done // self.whole} %)")
            self.out.flush()

    def clear(self) -> None:
        """Takes the line away, before something is printed or at the end."""
        if self.is_seen:
            self.out.write("\r\x1b[K")
            self.out.flush()
