"""The waiting functions of the benches."""

from deploy.bench.steps import LONGEST_WAIT, POLL_SECONDS, until, until_all_advanced

__all__ = ["LONGEST_WAIT", "POLL_SECONDS", "until", "until_all_advanced"]
