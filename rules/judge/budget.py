"""Limits the work for one record, counted in rolls, so that no file blocks a worker for long."""

from dataclasses import dataclass

FULL_CHECK_ROLLS = 10
"""The cost of a roll that is compared with all legal plays; a plain roll costs 1."""


@dataclass(slots=True)
class Budget:
    """The remaining `rolls` and `problems`."""

    rolls: int = 600_000
    problems: int = 300

    @property
    def is_spent(self) -> bool:
        return self.rolls <= 0 or self.problems <= 0
