"""Makes the problem of an illegal play: the rule, the move and the dice."""

from rules.board.interpretations import Interpretations
from rules.board.moves import Move
from rules.board.notation import format_play
from rules.board.plays import Plays, legal_plays
from rules.board.position import Position
from rules.board.stepping import Movement, Step, resolve_hits
from rules.problem import Problem, problem
from rules.ruleset import DiceObligation


def pass_problem(position: Position, legal: Plays) -> Problem:
    """DICE-4: the turn was passed, but there are legal plays."""
    taken = next(iter(legal.values()))
    return problem("passed_with_a_legal_play", example=format_play(resolve_hits(position, taken)))


def play_problem(
    position: Position, dice: tuple[int, int], interpretations: Interpretations, movement: Movement
) -> Problem:
    """The rule that an illegal play breaks."""
    if interpretations.complete:
        return _too_few_dice(position, dice, interpretations, movement)
    obstacle = interpretations.obstacle
    assert obstacle is not None  # noqa: S101  # an incomplete search always has an obstacle
    return problem(obstacle.code, move=_move_text(obstacle.move), die=obstacle.die, dice=_dice_text(dice))


def _too_few_dice(
    position: Position, dice: tuple[int, int], interpretations: Interpretations, movement: Movement
) -> Problem:
    """DICE-1 to DICE-3: every single move is legal, but more dice have to be played."""
    legal = legal_plays(position, dice, movement)
    played = max(map(len, interpretations.complete.values()))
    most = max(map(len, legal.values()))
    example = format_play(resolve_hits(position, next(iter(legal.values()))))
    if played < most and movement.dice_obligation is not DiceObligation.LARGER_DIE_SUFFICES:
        return problem("more_dice_playable", played=played, most=most, example=example)
    if movement.dice_obligation is DiceObligation.LARGER_DIE_SUFFICES:
        return problem("larger_die_at_least", die=max(dice), example=example)
    return problem("larger_die_playable", die=max(dice), example=example)


def _move_text(step: Step) -> str:
    return format_play((Move(*step),))


def _dice_text(dice: tuple[int, int]) -> str:
    return f"{max(dice)}{min(dice)}"
