"""The keepers of score cards: both sides and the desk."""

from enum import StrEnum

from rules.score import Side


class Keeper(StrEnum):
    LEFT = "left"
    RIGHT = "right"
    DESK = "desk"

    @property
    def side(self) -> Side | None:
        """The side of this keeper; None for the desk."""
        return None if self is Keeper.DESK else Side(self.value)
