"""Waiting for what other processes do: as the bench of faults waits."""

from deploy.bench.faults.waiting import BETWEEN, LONGEST, until, until_all_advanced

__all__ = ["BETWEEN", "LONGEST", "until", "until_all_advanced"]
