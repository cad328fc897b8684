"""The drop notation: the rounds of a lower bracket and the losers that join each.

`A.B.C.D.|.|` reads: a dot separates the rounds of the lower bracket; a letter is a round of the upper bracket, A its
first, whose losers join there; `|` is a round that nobody joins. A small letter is a round of the main bracket if
capitals stand for another bracket.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from string import ascii_letters
from typing import TypeAlias

from rules.translation import gettext_noop
from tournament.draw.graph import GraphError

Counts: TypeAlias = Mapping[str, int]
"""The number of losers for each letter."""

NO_DROPS = "|"


class NotationError(GraphError):
    """This is not a drop notation, or it does not fit this number of entries. The message says why."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """The letters that join each lower round, the first round first."""

    rounds: tuple[str, ...]

    @property
    def letters(self) -> str:
        return "".join(self.rounds)

    @property
    def enters(self) -> dict[str, int]:
        """The lower round that each letter joins, from 1."""
        return {letter: number for number, joining in enumerate(self.rounds, 1) for letter in joining}

    def __str__(self) -> str:
        return ".".join(joining or NO_DROPS for joining in self.rounds)


def parse(text: str) -> Recipe:
    """Returns the recipe of a notation. `fit` checks the number of rounds. Raises NotationError."""
    rounds = tuple("" if part.strip() == NO_DROPS else part.strip() for part in text.strip().split("."))
    for number, (joining, part) in enumerate(zip(rounds, text.split("."), strict=True), 1):
        if not part.strip():
            raise NotationError(
                gettext_noop("Round {number} of {text!r} is empty. Write | for a round that nobody joins."),
                number=number,
                text=text,
            )
        if not set(joining) <= set(ascii_letters):
            raise NotationError(
                gettext_noop(
                    "{part!r} in {text!r} is not a round. Write letters, or | for a round that nobody joins."
                ),
                part=part.strip(),
                text=text,
            )
    repeated = [letter for letter, times in Counter("".join(rounds)).items() if times > 1]
    if repeated:
        raise NotationError(
            gettext_noop("The losers of {letter} can drop only once; {text!r} names them twice."),
            letter=repeated[0],
            text=text,
        )
    if not rounds[0]:
        raise NotationError(
            gettext_noop("Nobody joins the first round of {text!r}. Begin it with a letter."), text=text
        )
    return Recipe(rounds)


class Obstacle(StrEnum):
    """A reason why a recipe does not fit a number of entries."""

    NO_SUCH_ROUND = "no_such_round"
    TOO_FEW = "too_few"
    ROUNDS_MISSING = "rounds_missing"
    ROUNDS_LEFT_OVER = "rounds_left_over"
    TWO_BYES = "two_byes"


@dataclass(frozen=True, slots=True)
class Misfit:
    """The obstacle, with the lower round or letter and its players."""

    obstacle: Obstacle
    players: int
    round: int = 0
    letter: str = ""
    byes: int = 0

    def __str__(self) -> str:
        return self.template.format_map(self.params)

    @property
    def template(self) -> str:
        return _SENTENCES[self.obstacle]

    @property
    def params(self) -> dict[str, int | str]:
        return {"players": self.players, "round": self.round, "letter": self.letter, "byes": self.byes}


_SENTENCES = {
    Obstacle.NO_SUCH_ROUND: gettext_noop("Nobody can drop from a round {letter} here."),
    Obstacle.TOO_FEW: gettext_noop("Only {players} would drop. A bracket needs two."),
    Obstacle.ROUNDS_MISSING: gettext_noop(
        "After lower round {round} there are still {players} players. Add rounds with |."
    ),
    Obstacle.ROUNDS_LEFT_OVER: gettext_noop(
        "One player is left after lower round {round}. Leave out the rounds that follow."
    ),
    Obstacle.TWO_BYES: gettext_noop(
        "There would be {players} in lower round {round}. To come out even, the first lower round would need {byes}"
        " byes, more than it has players, and somebody would get two."
    ),
}


@dataclass(frozen=True, slots=True)
class Fit:
    """A recipe that fits: the number of seats in each lower round, and the number of byes in the first."""

    recipe: Recipe
    seats: tuple[int, ...]
    byes: int


def fit(recipe: Recipe, counts: Counts) -> Fit | Misfit:
    """Checks that the recipe ends with one winner, with byes in its first round only and none against another bye.

    A player who joins lower round r stands for 2^(r-1) seats of the first one. The byes are the difference between the
    seats of all losers and the next 2^rounds.
    """
    missing = [letter for letter in recipe.letters if not counts.get(letter)]
    if missing:
        return Misfit(Obstacle.NO_SUCH_ROUND, 0, letter=missing[0])
    joining = [sum(counts[letter] for letter in letters) for letters in recipe.rounds]
    if sum(joining) < 2:
        return Misfit(Obstacle.TOO_FEW, sum(joining))
    byes = 2 ** len(joining) - sum(number << index for index, number in enumerate(joining))
    if 0 <= byes <= joining[0]:
        return Fit(recipe, _seats(joining, byes), byes)
    return _misfit(joining)


def _seats(joining: list[int], byes: int) -> tuple[int, ...]:
    seats: list[int] = []
    for number in joining:
        seats.append(number + (seats[-1] + 1) // 2 if seats else number + byes)
    return tuple(seats)


def _misfit(joining: list[int]) -> Misfit:
    seats = _seats(joining, 0)
    filled = sum(number << index for index, number in enumerate(joining))
    rounds = (filled - 1).bit_length()
    byes = 2**rounds - filled
    if byes > joining[0]:
        odd_round = next((number for number, players in enumerate(seats, 1) if players % 2), len(seats))
        return Misfit(Obstacle.TWO_BYES, seats[odd_round - 1], odd_round, byes=byes)
    if rounds < len(joining):
        return Misfit(Obstacle.ROUNDS_LEFT_OVER, 1, rounds)
    return Misfit(Obstacle.ROUNDS_MISSING, (seats[-1] + 1) // 2, len(seats))
