"""How a game ended when its actions alone do not tell: dropped in silence, resigned, or written as a claim only."""

from collections.abc import Iterator
from dataclasses import replace

from rules.board.position import CHECKERS
from rules.cube import Cube, centred, drop
from rules.judge.walk import Walk
from rules.problem import Problem, problem
from rules.record.model import Claim, RecordedGame
from rules.ruleset import Ruleset
from rules.score import Ending, Game, Score, Side, Win, credit, errors
from rules.score import points as worth

RESIGNED_MARK = 1004
"""BackgammonGalaxy writes this many times the cube for a resignation whose kind it does not tell.

Its public records have 1004 with a cube of 1, 2008 with a cube of 2 and 4016 with a cube of 4.
"""


def ending(walk: Walk, claim: Claim | None, brought: int | None) -> Game | None:
    """The game as it ended, or None if it did not. `brought` are the points it brought by the next score line."""
    if walk.ended is not None:
        claimed = claim.points if claim is not None and walk.ended.cube == 1 else None
        return _with_automatic_doubles(walk, walk.ended, brought or claimed)
    if walk.given_up is not None:
        winner, win = walk.given_up.side.other, walk.given_up.win
        points = claim.points if claim is not None and claim.winner is winner else None
    elif claim is not None:
        winner, win, points = claim.winner, None, claim.points
    else:
        return None
    if _waits_for(winner, walk.cube) and points in (None, walk.cube.value):
        return drop(walk.cube, winner.other)
    if points == RESIGNED_MARK * walk.cube.value:
        points = brought
    game = _resigned(walk, winner, win, (points, brought))
    if points is None and win is None and claim is not None and claim.is_last:
        return _enough_for_the_match(walk, game)
    return game


def ending_problems(walk: Walk, game: Game) -> Iterator[Problem]:
    """SCORE-3: nobody can lose a gammon who has borne off a checker."""
    borne_off = CHECKERS - walk.checkers_left(game.winner.other)
    if game.ending is Ending.RESIGNED and game.win > Win.SINGLE and borne_off and not walk.lost_track:
        yield problem("resigned_gammon_after_bearing_off", borne_off=borne_off)


def card_game(game: RecordedGame, score: Score, ruleset: Ruleset) -> Game | None:
    """The result of a game of which no action is written down; the likeliest where only points are."""
    claim = game.claim
    if game.result is not None or claim is None:
        return game.result
    points = claim.points or 1
    likely = [
        Game(claim.winner, win, Ending.PLAYED, points // win)
        for win in Win
        if points % win == 0 and not (points // win) & (points // win - 1)
    ]
    legal = (one for one in likely if next(errors(score, one, ruleset), None) is None)
    return next(legal, likely[0] if likely else Game(claim.winner, cube=points))


def matches(points: int, score: Score, game: Game, ruleset: Ruleset) -> bool:
    """Whether a claim of these points can mean this game; some sites write what was needed only."""
    scored = credit(score, game, ruleset)
    return points in (scored.raw, scored.credited, min(scored.raw, score.length or scored.raw))


def _waits_for(winner: Side, cube: Cube) -> bool:
    return cube.doubler is not None and cube.answering is winner.other


def _resigned(walk: Walk, winner: Side, win: Win | None, told: tuple[int | None, int | None]) -> Game:
    """A resignation of this kind, or of the kind that its points tell; the lowest if nothing fits."""
    points, brought = told
    kinds = [win] if win is not None else list(Win)
    games = [walk.with_checkers(_game(walk, winner, kind)) for kind in kinds]
    found = _of_points(walk, games, points)
    if found is None:
        doubled = [_with_automatic_doubles(walk, game, points) for game in games]
        return _of_points(walk, doubled, points) or games[0]
    return _with_automatic_doubles(walk, found, brought)


def _enough_for_the_match(walk: Walk, game: Game) -> Game:
    """The lowest resignation that wins the match, for a record that says no more than that it did."""
    kinds = (walk.with_checkers(_game(walk, game.winner, win)) for win in Win)
    return next((one for one in kinds if credit(walk.score, one, walk.ruleset).after.is_over), game)


def _of_points(walk: Walk, games: list[Game], points: int | None) -> Game | None:
    if points is None:
        return games[0]
    exact = (one for one in games if worth(one, walk.ruleset) == points)
    fitting = (one for one in games if matches(points, walk.score, one, walk.ruleset))
    return next(exact, None) or next(fitting, None)


def _game(walk: Walk, winner: Side, win: Win) -> Game:
    return Game(winner, win, Ending.RESIGNED, walk.cube.value, None, walk.cube.automatic_doubles)


def _with_automatic_doubles(walk: Walk, game: Game, points: int | None) -> Game:
    """OPEN-4: where the record is silent, the points that a game brought tell at which stake it began."""
    is_silent = walk.game.automatic_doubles is None and not game.automatic_doubles
    if points is None or not is_silent or walk.ruleset.automatic_doubles == 0:
        return game
    stake, rest = divmod(points, credit(walk.score, game, walk.ruleset).raw)
    if rest or stake < 2 or stake & (stake - 1):
        return game
    guess = centred(stake.bit_length() - 1, walk.score, walk.ruleset)
    if guess.value != stake:
        return game
    return replace(game, cube=game.cube * stake, automatic_doubles=guess.automatic_doubles)
