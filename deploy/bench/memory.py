"""What the parts hold in memory: each page counted once, shared ones by their share. Linux only; elsewhere nothing."""

import time
from pathlib import Path

from deploy.loose_parts import LooseParts

PROC = Path("/proc")
SECONDS_TO_REST = 20


def megabytes(parts: LooseParts) -> dict[str, float]:
    """The proportional memory of each part with its children, by name; empty where the system does not tell."""
    if not (PROC / "self" / "smaps_rollup").exists():
        return {}
    told: dict[str, float] = {}
    for part in parts.started:
        family = _family(part.process.pid)
        name = f"MB {part.name}"
        told[name] = round(told.get(name, 0.0) + sum(_proportional(pid) for pid in family) / 1024, 1)
    return told


def idle_megabytes(parts: LooseParts) -> float:
    """Of all parts together, once those that are still starting have come to rest; 0 where the system does not tell."""
    before = now = 0.0
    for _ in range(SECONDS_TO_REST):
        now = sum(megabytes(parts).values())
        if abs(now - before) < 1:
            break
        before = now
        time.sleep(1)
    return round(now, 1)


def _family(pid: int) -> list[int]:
    found = [pid]
    for task in (PROC / str(pid) / "task").glob("*/children"):
        for child in task.read_text().split():
            found += _family(int(child))
    return found


def _proportional(pid: int) -> int:
    """Kilobytes; 0 for a process that has ended."""
    try:
        lines = (PROC / str(pid) / "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
