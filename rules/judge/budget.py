"""How much work a record may cost, counted in rolls, so that no file holds a worker for long. No clock is read."""

from dataclasses import dataclass

FULL_CHECK_ROLLS = 10
"""What a roll costs that has to be held against all its legal plays; one that is plain to see costs 1."""


@dataclass(slots=True)
class Budget:
    """`rolls` and `problems` that are left."""

    rolls: int = 600_000
    problems: int = 300

    @property
    def is_spent(self) -> bool:
        return self.rolls <= 0 or self.problems <= 0
