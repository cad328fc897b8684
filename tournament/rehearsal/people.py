"""Simulated players: their pace, punctuality and care with a phone. Pure; the caller passes random numbers."""

from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import TypeVar

Kind = TypeVar("Kind", bound=StrEnum)
USUAL_RATING, RATING_SPREAD = 1600.0, 120.0


class Report(StrEnum):
    ONE_CARD = "one card"
    BOTH_CARDS = "both cards"
    FINAL_SCORE = "final score"


class Answer(StrEnum):
    CONFIRMS = "confirms"
    FORGETS = "forgets"
    DISAGREES = "disagrees"


@dataclass(frozen=True, slots=True)
class Player:
    """A simulated player. `pace` multiplies the minutes of a game."""

    rating: float
    pace: float


@dataclass(frozen=True, slots=True)
class Scene:
    """The circumstances of one match.

    `comes` is False if the right player does not show up. A slip is a wrong game that is struck at once. A double tap
    sends the same row twice. An impossible entry breaks the rules.
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
    """Returns a player of this rating, or of a random one if it is None."""
    return Player(
        rating=rng.gauss(USUAL_RATING, RATING_SPREAD) if rating is None else rating,
        pace=min(1.8, max(0.6, rng.gauss(1.0, 0.2))),
    )


def scene(rng: Random) -> Scene:
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
