"""Rules of lives events: the players still in, and the end of the event."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from rules.translation import gettext_noop
from tournament.draw.graph import EntryId
from tournament.draw.pairing.contenders import Contender, PairingError


class Stop(StrEnum):
    """The condition that ends a lives event."""

    ONE_LEFT = "one_left"
    BELOW = "below"
    """Only one player has more than the last life."""
    ROUNDS = "rounds"


@dataclass(frozen=True, slots=True)
class LivesRules:
    """A player is out at loss number `lives`. `rounds` counts only for an event that stops after a number of rounds."""

    lives: int = 3
    stop: Stop = Stop.ONE_LEFT
    rounds: int = 0

    def __post_init__(self) -> None:
        if self.lives < 1:
            raise PairingError(gettext_noop("Every player has at least one life."))
        if self.stop == Stop.ROUNDS and self.rounds < 1:
            raise PairingError(gettext_noop("Set the number of rounds after which the event stops."))


def still_in(contenders: Iterable[Contender[EntryId]], rules: LivesRules) -> list[Contender[EntryId]]:
    """Returns the contenders with a life left, in the same order."""
    return [contender for contender in contenders if contender.losses < rules.lives]


def is_over(contenders: Iterable[Contender[EntryId]], rules: LivesRules, rounds_played: int = 0) -> bool:
    """Returns True if nothing more is to be played.

    Every event ends when one player is left. `Stop.BELOW` also ends it when only one has more than the last life. If
    none has, because several lost it in the same round, play continues until one player is left.
    """
    left = still_in(contenders, rules)
    if len(left) <= 1:
        return True
    if rules.stop == Stop.BELOW:
        return sum(contender.losses < rules.lives - 1 for contender in left) == 1
    return rules.stop == Stop.ROUNDS and rounds_played >= rules.rounds
