"""This machine: its description, the fsync time of its disk, and the memory that the parts use."""

import os
import platform
import time
from pathlib import Path

from deploy.bench.figures import Figures
from deploy.bench.installation import Installation

PAGE = b"x" * 4096
FSYNC_SAMPLES = 200
PROC = Path("/proc")
SECONDS_TO_SETTLE = 20


def describe_machine() -> str:
    """Includes the load: a busy machine has other figures."""
    load = os.getloadavg()[0]
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    return f"{system} (load {load:.1f} before), Python {platform.python_version()}"


def fsync_time(folder: Path) -> Figures:
    """Appends pages to a file and times fsync: no stored result can be faster than this."""
    path = folder / "fsync-trial"
    seconds = []
    with open(path, "wb") as file:
        for _ in range(FSYNC_SAMPLES):
            began = time.perf_counter()
            file.write(PAGE)
            file.flush()
            os.fsync(file.fileno())
            seconds.append(time.perf_counter() - began)
    path.unlink()
    return Figures.of(seconds)


def megabytes(installation: Installation) -> dict[str, float]:
    """The proportional memory (PSS) of each part with its children, by name. Empty except on Linux."""
    if not (PROC / "self" / "smaps_rollup").exists():
        return {}
    memory: dict[str, float] = {}
    for part in installation.parts:
        kilobytes = sum(_proportional_kilobytes(pid) for pid in _process_tree(part.process.pid))
        name = f"MB {part.name}"
        memory[name] = round(memory.get(name, 0.0) + kilobytes / 1024, 1)
    return memory


def idle_megabytes(installation: Installation) -> float:
    """The memory of all parts once it no longer changes. 0 except on Linux."""
    before = now = 0.0
    for _ in range(SECONDS_TO_SETTLE):
        now = sum(megabytes(installation).values())
        if abs(now - before) < 1:
            break
        before = now
        time.sleep(1)
    return round(now, 1)


def _process_tree(pid: int) -> list[int]:
    pids = [pid]
    for task in (PROC / str(pid) / "task").glob("*/children"):
        for child in task.read_text().split():
            pids += _process_tree(int(child))
    return pids


def _proportional_kilobytes(pid: int) -> int:
    """0 for a process that has ended."""
    try:
        lines = (PROC / str(pid) / "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
