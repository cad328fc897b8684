"""Events with lives: who is still in, and when it is over. Who meets whom is decided elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from tournament.draw.graph import EntryId
from tournament.draw.pairing.contenders import Contender, PairingError


class Stop(StrEnum):
    """When an event with lives is over."""

    ONE_LEFT = "one_left"
    BELOW = "below"
    """Only one has more than the last life."""
    ROUNDS = "rounds"


@dataclass(frozen=True, slots=True)
class LivesRules:
    """Out at the loss number `lives`; `rounds` count only where the event stops after a number of rounds."""

    lives: int = 3
    stop: Stop = Stop.ONE_LEFT
    rounds: int = 0

    def __post_init__(self) -> None:
        if self.lives < 1:
            raise PairingError("Everybody has one life at least.")
        if self.stop == Stop.ROUNDS and self.rounds < 1:
            raise PairingError("Say after how many rounds the event stops.")


def still_in(contenders: Iterable[Contender[EntryId]], rules: LivesRules) -> list[Contender[EntryId]]:
    """Those with a life left, in the order handed in."""
    return [one for one in contenders if one.losses < rules.lives]


def is_over(contenders: Iterable[Contender[EntryId]], rules: LivesRules, rounds_played: int = 0) -> bool:
    """Whether nothing more is to be played.

    One left ends every event. `Stop.BELOW` also ends it when only one has more than the last life; where nobody has,
    because several lost it in the same round, those left play on until one is left.
    """
    left = still_in(contenders, rules)
    if len(left) <= 1:
        return True
    if rules.stop == Stop.BELOW:
        return sum(one.losses < rules.lives - 1 for one in left) == 1
    return rules.stop == Stop.ROUNDS and rounds_played >= rules.rounds
