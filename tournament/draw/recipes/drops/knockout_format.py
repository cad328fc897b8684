"""Settings of knock-outs with second chances: third place, consolation, last chance, double elimination.

Only this module decides which brackets a tournament can have beside its main one. `building` writes them.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.translation import gettext_noop
from tournament.draw.graph import GraphError

MAIN, THIRD, CONSOLATION, LOWER, LAST_CHANCE, FINAL = (
    "main",
    "third place",
    "consolation",
    "lower",
    "last chance",
    "final",
)

SIMPLE, PROGRESSIVE, FEED_IN = "simple", "progressive", "feed-in"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockoutFormat:
    """A main bracket and the second chances of its losers.

    `consolation` is None, SIMPLE (for losers of their first played match; players with a bye play it in round 2),
    PROGRESSIVE (the losers of the first `dropping` rounds; by default all but the final's), FEED_IN (the losers of each
    round but the final meet winners from below) or a drop notation. With `double` its winner meets the main winner for
    the title, and a second time if `reset` is set and the main winner loses; then every round drops and the bracket is
    called "lower". `last_chance` is for losers of that bracket: SIMPLE (its first round), PROGRESSIVE (its first
    three), or a notation whose capitals are rounds of that bracket and whose small letters are rounds of the main one.
    It stops after `last_chance_rounds`, with several winners, if that is set. With `keeps_byes` a progressive
    consolation has byes, as seats for late players, wherever one of its recipes has them. Raises GraphError for
    settings that cannot be combined.
    """

    third_place: bool = False
    consolation: str | None = None
    dropping: int | None = None
    double: bool = False
    reset: bool = False
    last_chance: str | None = None
    last_chance_rounds: int | None = None
    keeps_byes: bool = False

    def __post_init__(self) -> None:
        if self.reset and not self.double:
            raise GraphError(gettext_noop("Only a double elimination has a second final."))
        if self.double and (self.third_place or self.dropping is not None or self.consolation == SIMPLE):
            raise GraphError(
                gettext_noop("In a double elimination every loser drops: choose a notation or none.")
            )
        if self.last_chance and not (self.consolation or self.double):
            raise GraphError(
                gettext_noop("A last chance is for those who lose in a consolation. Choose one first.")
            )
        if FEED_IN in (self.last_chance, self.consolation if self.double else None):
            raise GraphError(gettext_noop("A feed-in is a layout of a consolation. Choose another one here."))
        if self.last_chance_rounds is not None and (self.last_chance_rounds < 1 or not self.last_chance):
            raise GraphError(gettext_noop("A last chance stops after round 1 or a later one."))

    @property
    def rankings(self) -> tuple[Ranking, ...]:
        """Brackets that are placed together, for `knockout_places`."""
        if self.double:
            rankings = [Ranking((MAIN, LOWER), above=(FINAL,))]
        else:
            rankings = [Ranking((MAIN, THIRD) if self.third_place else (MAIN,))]
            rankings += [Ranking((CONSOLATION,))] if self.consolation else []
        return (*rankings, Ranking((LAST_CHANCE,))) if self.last_chance else tuple(rankings)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Brackets whose players share one list of places. Those `above` rank over all others."""

    brackets: tuple[str, ...]
    above: tuple[str, ...] = ()


KNOCK_OUT = KnockoutFormat()
WITH_THIRD_PLACE = KnockoutFormat(third_place=True)
SIMPLE_CONSOLATION = KnockoutFormat(consolation=SIMPLE)
PROGRESSIVE_CONSOLATION = KnockoutFormat(consolation=PROGRESSIVE)
CONSOLATION_AND_LAST_CHANCE = KnockoutFormat(consolation=PROGRESSIVE, last_chance=PROGRESSIVE)
DOUBLE_ELIMINATION = KnockoutFormat(double=True)
DOUBLE_ELIMINATION_WITH_RESET = KnockoutFormat(double=True, reset=True)
