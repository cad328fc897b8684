"""Simulates a match game by game, with cube, gammons, drops and minutes. Pure; the caller passes random numbers.

The rates are those of club matches with a live cube: about a third of the games end by a drop, about a quarter of
those played on are gammons, one or two in a hundred backgammons.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from rules.card import Choices, choices
from rules.ruleset import Ruleset
from rules.score import Ending, Game, Score, Side, Win, nearest_legal, play

DROPPED = 0.33
GAMMON, BACKGAMMON = 0.26, 0.015
RESIGNED = 0.25
CUBE_AFTER_PLAY = (0.34, 0.50, 0.14, 0.02)
CUBE_BEFORE_DROP = (0.86, 0.12, 0.02)
MINUTES, SPREAD, SHORTEST = 7.5, 3.0, 1.5
MINUTES_OF_A_DROP = 0.6
MOST_CHECKERS_LEFT = 14


@dataclass(frozen=True, slots=True)
class Played:
    """A game and its minutes at an average pace."""

    game: Game
    minutes: float


def chance_of_left(left_rating: float, right_rating: float) -> float:
    """Returns the probability that the left player wins a game, by the FIBS formula for one point."""
    difference = right_rating - left_rating
    return float(1 / (1 + 10 ** (difference / 2000)))


def play_match(
    length: int | None, ruleset: Ruleset, chance: float, rng: Random, *, agreed: int | None = None
) -> list[Played]:
    """Returns the games of a match to `length` points, or of a session of `agreed` games. `chance`: probability that
    the left player wins a game.
    """
    return play_on(Score.start(length, ruleset, agreed=agreed), ruleset, chance, rng)


def play_on(score: Score, ruleset: Ruleset, chance: float, rng: Random) -> list[Played]:
    """Returns the games from this score to the end of the match."""
    games: list[Played] = []
    while not score.is_over:
        game = next_game(score, ruleset, chance, rng)
        games.append(Played(game, _minutes(game, rng)))
        score = play(score, game, ruleset).after
    return games


def next_game(score: Score, ruleset: Ruleset, chance: float, rng: Random) -> Game:
    """Returns a random game that is legal at this score."""
    winner = Side.LEFT if rng.random() < chance else Side.RIGHT
    options = choices(score, ruleset)
    if winner in options.may_double and rng.random() < DROPPED:
        dropped = Game(winner, Win.SINGLE, Ending.DROPPED, _cube(options, CUBE_BEFORE_DROP, rng))
        return nearest_legal(score, dropped, ruleset)
    win = _win(rng)
    cube = _cube(options, CUBE_AFTER_PLAY, rng)
    ending = Ending.RESIGNED if rng.random() < RESIGNED else Ending.PLAYED
    counts_checkers = options.needs_checkers_left and win is Win.SINGLE and cube == 1
    left_over = rng.randint(1, MOST_CHECKERS_LEFT) if counts_checkers else None
    return Game(winner, win, ending, cube, checkers_left=left_over)


def _win(rng: Random) -> Win:
    number = rng.random()
    if number < BACKGAMMON:
        return Win.BACKGAMMON
    return Win.GAMMON if number < BACKGAMMON + GAMMON else Win.SINGLE


def _cube(options: Choices, weights: Sequence[float], rng: Random) -> int:
    if not options.may_double:
        return 1
    cubes = options.cubes[: len(weights)]
    return rng.choices(cubes, weights[: len(cubes)])[0]


def _minutes(game: Game, rng: Random) -> float:
    whole = max(SHORTEST, rng.gauss(MINUTES, SPREAD))
    return whole * MINUTES_OF_A_DROP if game.is_drop else whole
