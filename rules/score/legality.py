"""Checks that a game or a penalty is possible at a score, and finds the nearest possible game.

All errors are found, each with the rule it breaks; `play` raises the first.
"""

from collections.abc import Iterator
from dataclasses import replace

from rules.problem import Offer, Problem, problem
from rules.ruleset import CHECKERS, LARGEST_CUBE, Ruleset, UncubedSingle
from rules.score.cube_use import may_double, no_cube_reason
from rules.score.entry import Ending, Entry, Game, Penalty, Win
from rules.score.match_score import Score


def errors(score: Score, entry: Entry, ruleset: Ruleset) -> Iterator[Problem]:
    """Every rule that this entry breaks at this score."""
    if score.is_over:
        number = None if isinstance(entry, Penalty) else score.games + 1
        yield problem("match_is_over", game=number, left=score.left, right=score.right)
    elif isinstance(entry, Penalty):
        if entry.points < 1:
            yield problem("penalty_below_one", points=entry.points)
    else:
        for error in _game_errors(score, entry, ruleset):
            yield replace(error, game=score.games + 1)


def nearest_legal(score: Score, game: Game, ruleset: Ruleset) -> Game:
    """The game as a director would score it: illegal doubles annulled, slips corrected. A legal game is unchanged."""
    nearest = _with_automatic_doubles(game, _valid_automatic_doubles(score, game, ruleset))
    if game.is_drop:
        is_allowed = game.winner in may_double(score, ruleset)
        nearest = replace(nearest, win=Win.SINGLE, ending=Ending.DROPPED if is_allowed else Ending.RESIGNED)
    ceiling = _highest_cube(score, nearest, ruleset)
    automatic = min(nearest.automatic_doubles, ceiling.bit_length() - 1)
    power = 1 << (max(1, game.cube).bit_length() - 1)
    nearest = _with_automatic_doubles(nearest, automatic)
    cube = max(1 << automatic, min(power, ceiling))
    if cube != nearest.cube:
        nearest = replace(nearest, cube=cube)
    if not _asks_for_checkers(nearest, ruleset):
        return nearest if nearest.checkers_left is None else replace(nearest, checkers_left=None)
    return replace(nearest, checkers_left=min(max(1, nearest.checkers_left or 1), _most_checkers(nearest)))


def _with_automatic_doubles(game: Game, automatic: int) -> Game:
    """Returns the same object where the number is equal: most games have none, and a copy is slow."""
    return game if game.automatic_doubles == automatic else replace(game, automatic_doubles=automatic)


def _game_errors(score: Score, game: Game, ruleset: Ruleset) -> Iterator[Problem]:
    yield from _cube_errors(score, game, ruleset)
    yield from automatic_double_errors(score, game.automatic_doubles, ruleset)
    if game.is_drop and game.win > Win.SINGLE:
        yield problem("gammon_on_a_drop")
    yield from _checkers_errors(game, ruleset)


def automatic_double_errors(score: Score, count: int, ruleset: Ruleset) -> Iterator[Problem]:
    """OPEN-4: the reasons why a game at this score cannot have this many automatic doubles."""
    most = _most_automatic(ruleset)
    if count < 0:
        yield problem("automatic_doubles_negative", given=count)
    elif count and most == 0:
        yield problem("automatic_doubles_not_played")
    elif count and not may_double(score, ruleset):
        yield problem("automatic_doubles_without_cube")
    elif count > most:
        yield problem("automatic_doubles_too_many", given=count, most=most)


def _cube_errors(score: Score, game: Game, ruleset: Ruleset) -> Iterator[Problem]:
    cube = game.cube
    if cube > LARGEST_CUBE:
        yield problem("cube_beyond_counting", cube=cube)
        return
    if cube < 1 or cube & (cube - 1):
        yield problem("cube_not_a_power_of_two", cube=cube)
        return
    forbidden = _forbidden_use(score, game, ruleset)
    if forbidden is not None:
        yield forbidden
        return
    yield from _limit_errors(game, ruleset)
    least = 1 << _valid_automatic_doubles(score, game, ruleset)
    if cube < least:
        yield problem("cube_below_automatic", cube=cube, least=least)


def _forbidden_use(score: Score, game: Game, ruleset: Ruleset) -> Problem | None:
    """CUBE-8, CRAW-1, CRAW-2: a cube or a drop where the score or the ruleset allows none."""
    if game.is_drop and game.winner not in may_double(score, ruleset):
        return _cube_problem(score, game, ruleset, "drop")
    adjusted = _with_automatic_doubles(game, _valid_automatic_doubles(score, game, ruleset))
    if game.cube > _reachable_cube(score, adjusted, ruleset):
        return _cube_problem(score, game, ruleset, "drop" if game.is_drop else "cube")
    return None


def _cube_problem(score: Score, game: Game, ruleset: Ruleset, use: str) -> Problem:
    reason = no_cube_reason(score, ruleset)
    code = f"{reason}_{use}" if reason.startswith("crawford") else f"no_{use}_in_{reason}"
    offer = Offer.RESUME_OR_DIRECTOR if use == "drop" else Offer.ANNUL
    legal_cube = nearest_legal(score, game, ruleset).cube
    return problem(code, offer=offer, cube=game.cube, legal_cube=legal_cube)


def _valid_automatic_doubles(score: Score, game: Game, ruleset: Ruleset) -> int:
    """OPEN-4: the automatic doubles that this game can have had; 0 where there is no cube."""
    if game.automatic_doubles <= 0 or not may_double(score, ruleset):
        return 0
    return min(game.automatic_doubles, _most_automatic(ruleset))


def _most_automatic(ruleset: Ruleset) -> int:
    """A ruleset without a limit allows as many as the largest cube has turns."""
    return LARGEST_CUBE.bit_length() - 1 if ruleset.automatic_doubles is None else ruleset.automatic_doubles


def _reachable_cube(score: Score, game: Game, ruleset: Ruleset) -> int:
    """The highest cube at which this game can have ended without a limit of the ruleset.

    Where one side alone may double, it doubles at most once, because then the other owns the cube; a game that it
    won by a drop was not doubled before.
    """
    doublers = may_double(score, ruleset)
    if len(doublers) == 1:
        return min(LARGEST_CUBE, (1 if game.is_drop else 2) << game.automatic_doubles)
    return LARGEST_CUBE if doublers else 1


def _highest_cube(score: Score, game: Game, ruleset: Ruleset) -> int:
    """`_reachable_cube` within the ruleset's limit, which applies to a dropped double too."""
    reachable = _reachable_cube(score, game, ruleset)
    if ruleset.cube_limit is None:
        return reachable
    return min(reachable, ruleset.cube_limit // (2 if game.is_drop else 1))


def _limit_errors(game: Game, ruleset: Ruleset) -> Iterator[Problem]:
    limit = ruleset.cube_limit
    if limit is None:
        return
    if game.cube > limit:
        yield problem("cube_above_limit", cube=game.cube, limit=limit)
    elif game.is_drop and game.cube * 2 > limit:
        yield problem("double_above_limit", cube=game.cube, limit=limit)


def _checkers_errors(game: Game, ruleset: Ruleset) -> Iterator[Problem]:
    """SCORE-2: the loser's checkers are written where they are the score, and nowhere else."""
    checkers = game.checkers_left
    if _asks_for_checkers(game, ruleset):
        if checkers is None:
            yield problem("checkers_left_missing")
        elif not 1 <= checkers <= _most_checkers(game):
            yield problem("checkers_left_out_of_range", given=checkers, most=_most_checkers(game))
    elif checkers is not None:
        counted = ruleset.uncubed_single is UncubedSingle.CHECKERS_LEFT
        yield problem("checkers_left_not_asked" if counted else "checkers_left_not_counted")


def _asks_for_checkers(game: Game, ruleset: Ruleset) -> bool:
    return ruleset.uncubed_single is UncubedSingle.CHECKERS_LEFT and game.is_uncubed_single


def _most_checkers(game: Game) -> int:
    """The loser of a single that was played out bore off a checker; one who resigned may have borne off none."""
    return CHECKERS if game.ending is Ending.RESIGNED else CHECKERS - 1
