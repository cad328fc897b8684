"""How long this disk takes to keep something for good: the floor under every stored result."""

import os
import time
from pathlib import Path

from deploy.bench.figures import Figures

PAGE = b"x" * 4096
TIMES = 200


def fsync_time(folder: Path) -> Figures:
    """Appends a page and waits until the disk has it, many times."""
    path = folder / "fsync-trial"
    times = []
    with open(path, "wb") as file:
        for _ in range(TIMES):
            began = time.perf_counter()
            file.write(PAGE)
            file.flush()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - began)
    path.unlink()
    return Figures.of(times)
