"""Why a play is illegal, in words a player understands: the rule, the move, the dice."""

from rules.board.moves import Move
from rules.board.notation import format_play
from rules.board.plays import Plays, legal_plays
from rules.board.position import Position
from rules.board.stepping import Movement, Step, resolved
from rules.board.ways import Ways
from rules.problem import Problem, problem
from rules.ruleset import DiceObligation


def why_no_pass(position: Position, legal: Plays) -> Problem:
    """DICE-4: a turn was passed though there are legal plays."""
    taken = next(iter(legal.values()))
    return problem("passed_with_a_legal_play", example=format_play(resolved(position, taken)))


def why_not(position: Position, dice: tuple[int, int], tried: Ways, movement: Movement) -> Problem:
    """The rule that an illegal play breaks."""
    if tried.complete:
        return _too_few_dice(position, dice, tried, movement)
    found = tried.obstacle
    assert found is not None  # noqa: S101  # what cannot be played to its end was stopped by something
    return problem(found.code, move=_said(found.move), die=found.die, dice=_thrown(dice))


def _too_few_dice(position: Position, dice: tuple[int, int], tried: Ways, movement: Movement) -> Problem:
    """DICE-1 to DICE-3: every move is allowed, but not as all of a turn."""
    legal = legal_plays(position, dice, movement)
    played = max(map(len, tried.complete.values()))
    most = max(map(len, legal.values()))
    example = format_play(resolved(position, next(iter(legal.values()))))
    if played < most and movement.dice_obligation is not DiceObligation.LARGER_DIE_SUFFICES:
        return problem("more_dice_playable", played=played, most=most, example=example)
    if movement.dice_obligation is DiceObligation.LARGER_DIE_SUFFICES:
        return problem("larger_die_at_least", die=max(dice), example=example)
    return problem("larger_die_playable", die=max(dice), example=example)


def _said(step: Step) -> str:
    return format_play((Move(*step),))


def _thrown(dice: tuple[int, int]) -> str:
    return f"{max(dice)}{min(dice)}"
