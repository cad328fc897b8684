"""Converts the decoded document of a .bgf file to a record. Green is the left side.

Both sides count their own points from 1, 25 is the bar. Nothing is judged here.
"""

from typing import Any

from rules.board.moves import Move, Play
from rules.board.position import BAR, OFF, POINTS, Position
from rules.record import model
from rules.record.foreign.values import dice_of, number, numbers, objects, sign, text
from rules.record.notes import Notes
from rules.ruleset import CHECKERS
from rules.score import Side

_NO_DICE = 7
"""Replaces the second die where a turn has no dice; the first die is then the code of the action."""
_STEPS = {1: model.CubeStep.DOUBLE, 2: model.CubeStep.TAKE, 3: model.CubeStep.DROP}
_END, _DANCE, _RESIGNS = 4, 5, 9
_SIDES = {-1: Side.LEFT, 1: Side.RIGHT}
_TAGS = ("event", "round", "location", "site", "date")


def record_of_bgf(document: dict[str, Any]) -> model.Record:
    notes = Notes()
    length = number(document.get("matchlen"))
    games = objects(document.get("games"))
    if not games:
        notes.report("foreign_not_understood", kind=".bgf")
    scores = [_score(game, "scoreGreen", "scoreRed") for game in games]
    afters = [*scores[1:], _score(document, "finalGreen", "finalRed")]
    entries = [
        _game(game, score, after, place, notes)
        for place, (game, score, after) in enumerate(zip(games, scores, afters, strict=False), 1)
    ]
    return model.Record(
        format=model.Format.BGF,
        length=0 if length is None else length or None,
        names=(text(document.get("nameGreen")), text(document.get("nameRed"))),
        entries=tuple(entries),
        stated=_stated(document, length),
        tags=tuple((name.title(), text(document.get(name))) for name in _TAGS if text(document.get(name))),
        problems=tuple(notes.problems),
    )


def _stated(document: dict[str, Any], length: int | None) -> model.StatedRules:
    if length == 0:
        beavers = 1 if document.get("useBeaver") else 0
        return model.StatedRules(jacoby=bool(document.get("useJacoby")), beavers=beavers)
    return model.StatedRules(crawford=bool(document.get("useCrawford")) if (length or 0) > 1 else None)


def _score(fields: dict[str, Any], green: str, red: str) -> tuple[int, int] | None:
    left, right = number(fields.get(green)), number(fields.get(red))
    return None if left is None or right is None else (left, right)


def _game(
    game: dict[str, Any],
    score: tuple[int, int] | None,
    after: tuple[int, int] | None,
    place: int,
    notes: Notes,
) -> model.RecordedGame:
    moves = objects(game.get("moves"))
    actions = [action for move in moves for action in _actions(move, place, notes)]
    claim = _claim(game, moves, score, after)
    if game.get("wasResignation") and claim and not (actions and isinstance(actions[-1], model.Resignation)):
        actions.append(model.Resignation(claim.winner.other, None, None))
    initial = game.get("initial")
    start, cube = _initial(initial if isinstance(initial, dict) else {}, place, notes)
    first = actions[0].side if actions else Side.LEFT
    return model.RecordedGame(
        number=place,
        score=score,
        actions=tuple(actions),
        claim=claim,
        automatic_doubles=cube,
        is_crawford=bool(game.get("isCrawford")) if (number(game.get("matchlen")) or 0) > 1 else None,
        start=start if start is None or first is Side.LEFT else start.swapped(),
        first=None if start is None else first,
    )


def _actions(move: dict[str, Any], place: int, notes: Notes) -> list[model.Action]:
    side, code = _SIDES.get(sign(move.get("player"))), move.get("red")
    if side is None:
        return []
    dice = dice_of([code, move.get("green")])
    starts, ends = numbers(move.get("from")), numbers(move.get("to"))
    if dice is not None:
        return [model.Roll(side, dice, _play(starts, ends), None)]
    if move.get("green") != _NO_DICE or not isinstance(code, int):
        notes.report("cell_not_understood", game=place, text=f"{code} {move.get('green')}")
    elif code in _STEPS:
        return [model.CubeAction(side, _STEPS[code], None, None)]
    elif code == _RESIGNS:
        return [model.Resignation(side, None, None)]
    elif code == _DANCE and starts and ends and (dance := dice_of([starts[0], ends[0]])):
        return [model.Roll(side, dance, (), None)]
    elif code != _END:
        notes.report("cell_not_understood", game=place, text=f"{code} {_NO_DICE}")
    return []


def _play(starts: list[int], ends: list[int]) -> Play | None:
    moves = []
    for start, end in zip(starts, ends, strict=False):
        if start == -1:
            break
        if not 0 < start <= BAR or end > POINTS:
            return None
        moves.append(Move(start, max(end, OFF)))
    return tuple(moves)


def _claim(
    game: dict[str, Any],
    moves: list[dict[str, Any]],
    score: tuple[int, int] | None,
    after: tuple[int, int] | None,
) -> model.Claim | None:
    """From the next score; otherwise from the game's own points and the side of its last line."""
    gains = [later - before for before, later in zip(score, after, strict=True)] if score and after else []
    if gains and min(gains) == 0 < max(gains):
        return model.Claim(Side.LEFT if gains[0] else Side.RIGHT, max(gains), is_last=False, line=None)
    last = moves[-1] if moves else {}
    winner = _SIDES.get(sign(last.get("player"))) if last.get("red") == _END else None
    return (
        model.Claim(winner, number(game.get("wonPoints")) or None, is_last=False, line=None)
        if winner
        else None
    )


def _initial(initial: dict[str, Any], place: int, notes: Notes) -> tuple[Position | None, int | None]:
    """The start of the game if it is unusual, as green sees it, and its automatic doubles."""
    cube = number(initial.get("cube")) or 1
    if initial.get("cubeOwner") or cube & (cube - 1) or cube > 64:
        notes.report("cube_set_by_hand", game=place)
        cube = 1
    start = _position(numbers(initial.get("points")))
    if start is not None and start.problem:
        notes.report("impossible_start", game=place)
        start = None
    return (None if start == Position.start() else start), cube.bit_length() - 1


def _position(points: list[int]) -> Position | None:
    """The position as green sees it.

    The list has red's points from 1 to 24, then green's bar and red's; green's counts are positive.
    """
    if len(points) < POINTS + 2 or max(map(abs, points)) > CHECKERS:
        return None
    green = [0] + [max(points[POINTS - point], 0) for point in range(1, BAR)] + [abs(points[POINTS])]
    red = [0] + [max(-count, 0) for count in points[:POINTS]] + [abs(points[POINTS + 1])]
    return Position(bytes(green), bytes(red))
