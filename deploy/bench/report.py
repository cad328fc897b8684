"""What every bench says of itself: the machine that its figures are of, and how far it is."""

import os
import platform
import sys
from collections.abc import Callable
from typing import TextIO

BAR = 30


def machine() -> str:
    """What the figures are figures of; a machine that is busy with other things has others."""
    load = os.getloadavg()[0]
    made_of = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    return f"{made_of} (load {load:.1f} before), Python {platform.python_version()}"


class Bar:
    """A line on the screen that grows; nothing where the screen is a file."""

    def __init__(self, name: str, screen: TextIO = sys.stderr) -> None:
        self.name, self.screen = name, screen

    def show(self, done: int, of: int) -> None:
        if self.screen.isatty():
            filled = BAR * done // of
            bar = "#" * filled + "." * (BAR - filled)
            self.screen.write(f"\r{self.name:<12}[{bar}] {done}/{of}")
            self.screen.flush()

    def steps(self, of: int) -> Callable[[str], None]:
        """Shows one more of so many steps each time it is told what comes next."""
        done = iter(range(of + 1))

        def say(what: str) -> None:
            self.show(next(done, of), of)
            if self.screen.isatty():
                self.screen.write(f"  {what}\033[K")
                self.screen.flush()

        return say

    def say(self, what: str) -> None:
        if self.screen.isatty():
            self.screen.write(f"\r\033[K{self.name}: {what}")
            self.screen.flush()

    def clear(self) -> None:
        if self.screen.isatty():
            self.screen.write("\r\033[K")
