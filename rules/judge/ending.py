"""Finds the result of a game whose actions do not give it: silent drops, resignations, claims only."""

from collections.abc import Iterator
from dataclasses import replace

from rules.cube import Cube, drop, initial_cube
from rules.judge.replay import GameReplay
from rules.problem import Problem, problem
from rules.record.model import Claim, RecordedGame
from rules.ruleset import CHECKERS, Ruleset
from rules.score import Ending, Game, Score, Side, Win, credit, errors
from rules.score import points as worth

RESIGNED_MARK = 1004
"""BackgammonGalaxy writes this number times the cube for a resignation of unknown kind.

Its public records have 1004 with a cube of 1, 2008 with a cube of 2 and 4016 with a cube of 4.
"""


def ending(replay: GameReplay, claim: Claim | None, gained: int | None) -> Game | None:
    """The game with its result, or None if it has none. `gained` are its points by the next score line."""
    if replay.result is not None:
        claimed = claim.points if claim is not None and replay.result.cube == 1 else None
        return _with_automatic_doubles(replay, replay.result, gained or claimed)
    if replay.resignation is not None:
        winner, win = replay.resignation.side.other, replay.resignation.win
        points = claim.points if claim is not None and claim.winner is winner else None
    elif claim is not None:
        winner, win, points = claim.winner, None, claim.points
    else:
        return None
    if _awaits_answer_to(winner, replay.cube) and points in (None, replay.cube.value):
        return drop(replay.cube, winner.other)
    if points == RESIGNED_MARK * replay.cube.value:
        points = gained
    game = _likeliest_resignation(replay, winner, win, points, gained)
    if points is None and win is None and claim is not None and claim.is_last:
        return _resignation_that_wins_the_match(replay, game)
    return game


def ending_problems(replay: GameReplay, game: Game) -> Iterator[Problem]:
    """SCORE-3: a player who has borne off a checker cannot lose a gammon."""
    borne_off = CHECKERS - replay.checkers_left(game.winner.other)
    if game.ending is Ending.RESIGNED and game.win > Win.SINGLE and borne_off and not replay.is_position_lost:
        yield problem("resigned_gammon_after_bearing_off", borne_off=borne_off)


def card_game(game: RecordedGame, score: Score, ruleset: Ruleset) -> Game | None:
    """The result of a game without actions; the likeliest result if only points are written."""
    claim = game.claim
    if game.result is not None or claim is None:
        return game.result
    points = claim.points or 1
    candidates = [
        Game(claim.winner, win, Ending.PLAYED, points // win)
        for win in Win
        if points % win == 0 and not (points // win) & (points // win - 1)
    ]
    legal = (candidate for candidate in candidates if next(errors(score, candidate, ruleset), None) is None)
    return next(legal, candidates[0] if candidates else Game(claim.winner, cube=points))


def claim_fits(points: int, score: Score, game: Game, ruleset: Ruleset) -> bool:
    """True if a claim of these points can mean this game. Some sites write only the points that were needed."""
    scored = credit(score, game, ruleset)
    return points in (scored.raw, scored.credited, min(scored.raw, score.length or scored.raw))


def _awaits_answer_to(winner: Side, cube: Cube) -> bool:
    return cube.doubler is not None and cube.answering is winner.other


def _likeliest_resignation(
    replay: GameReplay, winner: Side, win: Win | None, points: int | None, gained: int | None
) -> Game:
    """A resignation of this win, or of the win that fits the points; the lowest if none fits."""
    wins = [win] if win is not None else list(Win)
    games = [replay.with_checkers(_resigned_game(replay, winner, win)) for win in wins]
    fitting_game = _first_fitting(replay, games, points)
    if fitting_game is None:
        doubled = [_with_automatic_doubles(replay, game, points) for game in games]
        return _first_fitting(replay, doubled, points) or games[0]
    return _with_automatic_doubles(replay, fitting_game, gained)


def _resignation_that_wins_the_match(replay: GameReplay, game: Game) -> Game:
    """The lowest resignation that wins the match, for a claim without points."""
    candidates = (replay.with_checkers(_resigned_game(replay, game.winner, win)) for win in Win)
    return next(
        (game for game in candidates if credit(replay.score, game, replay.ruleset).after.is_over), game
    )


def _first_fitting(replay: GameReplay, games: list[Game], points: int | None) -> Game | None:
    if points is None:
        return games[0]
    exact = (candidate for candidate in games if worth(candidate, replay.ruleset) == points)
    fitting = (
        candidate for candidate in games if claim_fits(points, replay.score, candidate, replay.ruleset)
    )
    return next(exact, None) or next(fitting, None)


def _resigned_game(replay: GameReplay, winner: Side, win: Win) -> Game:
    return Game(winner, win, Ending.RESIGNED, replay.cube.value, None, replay.cube.automatic_doubles)


def _with_automatic_doubles(replay: GameReplay, game: Game, points: int | None) -> Game:
    """OPEN-4: derives automatic doubles from the points of the game where the record does not give them."""
    is_silent = replay.game.automatic_doubles is None and not game.automatic_doubles
    if points is None or not is_silent or replay.ruleset.automatic_doubles == 0:
        return game
    stake, rest = divmod(points, credit(replay.score, game, replay.ruleset).raw)
    if rest or stake < 2 or stake & (stake - 1):
        return game
    guess = initial_cube(stake.bit_length() - 1, replay.score, replay.ruleset)
    if guess.value != stake:
        return game
    return replace(game, cube=game.cube * stake, automatic_doubles=guess.automatic_doubles)
