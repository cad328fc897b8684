"""What simulated players are like: how fast, how punctual, how careful with a phone. Pure; chance is handed in."""

from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import TypeVar

Kind = TypeVar("Kind", bound=StrEnum)
USUAL_RATING, RATING_SPREAD = 1600.0, 120.0


class Report(StrEnum):
    """How a match gets onto the phones."""

    ONE_CARD = "one card"
    BOTH_CARDS = "both cards"
    FINAL_SCORE = "final score"


class Answer(StrEnum):
    """What the opponent does with a report."""

    CONFIRMS = "confirms"
    FORGETS = "forgets"
    DISAGREES = "disagrees"


@dataclass(frozen=True, slots=True)
class Player:
    """One simulated player. `pace` multiplies the minutes of a game."""

    rating: float
    pace: float


@dataclass(frozen=True, slots=True)
class Scene:
    """What happens around one match. `minutes` until its first game, after its last, and until the answer.

    `comes` is False when the right player never does. A slip is a game entered wrongly and taken back at once; a
    double tap sends the same row twice; a wild entry is one that cannot be.
    """

    comes: bool
    minutes_late: float
    report: Report
    answer: Answer
    minutes_to_answer: float
    slips: bool
    double_taps: bool
    enters_the_impossible: bool
    cards_differ: bool


def player(rating: float | None, rng: Random) -> Player:
    """A player of this rating, or of a usual one where none is known."""
    return Player(
        rating=rng.gauss(USUAL_RATING, RATING_SPREAD) if rating is None else rating,
        pace=min(1.8, max(0.6, rng.gauss(1.0, 0.2))),
    )


def scene(rng: Random) -> Scene:
    """The circumstances of one match."""
    late = rng.random() < 0.12
    return Scene(
        comes=rng.random() > 0.01,
        minutes_late=rng.uniform(3, 20) if late else rng.uniform(0, 3),
        report=_choice(rng, {Report.ONE_CARD: 0.72, Report.BOTH_CARDS: 0.14, Report.FINAL_SCORE: 0.14}),
        answer=_choice(rng, {Answer.CONFIRMS: 0.89, Answer.FORGETS: 0.07, Answer.DISAGREES: 0.04}),
        minutes_to_answer=rng.uniform(0.2, 4),
        slips=rng.random() < 0.10,
        double_taps=rng.random() < 0.10,
        enters_the_impossible=rng.random() < 0.06,
        cards_differ=rng.random() < 0.15,
    )


def _choice(rng: Random, weights: dict[Kind, float]) -> Kind:
    return rng.choices(list(weights), list(weights.values()))[0]
