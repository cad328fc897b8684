"""The progress line of a bench on a terminal; silent where the output is a file."""

import sys
from collections.abc import Callable
from typing import TextIO

BAR_LENGTH = 30


class ProgressBar:
    def __init__(self, name: str, screen: TextIO = sys.stderr) -> None:
        self.name, self.screen = name, screen

    def show(self, done: int, total: int) -> None:
        if self.screen.isatty():
            filled = BAR_LENGTH * done // total
            bar = "#" * filled + "." * (BAR_LENGTH - filled)
            self.screen.write(f"\r{self.name:<12}[{bar}] {done}/{total}")
            self.screen.flush()

    def steps(self, total: int) -> Callable[[str], None]:
        """Returns a function that counts one more of `total` steps at each call and shows the name of that step."""
        numbers = iter(range(total + 1))

        def start_step(name: str) -> None:
            self.show(next(numbers), total)
            if self.screen.isatty():
                self.screen.write(f"  {name}\033[K")
                self.screen.flush()

        return start_step

    def message(self, text: str) -> None:
        if self.screen.isatty():
            self.screen.write(f"\r\033[K{self.name}: {text}")
            self.screen.flush()

    def clear(self) -> None:
        if self.screen.isatty():
            self.screen.write("\r\033[K")
