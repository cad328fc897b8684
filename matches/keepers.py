"""Who keeps a card: one of the two sides, or the desk. Words only, nothing that reads or writes."""

from enum import StrEnum

from rules.score import Side


class Keeper(StrEnum):
    LEFT = "left"
    RIGHT = "right"
    DESK = "desk"

    @property
    def side(self) -> Side | None:
        """The side this keeper plays for; None for the desk."""
        return None if self is Keeper.DESK else Side(self.value)
