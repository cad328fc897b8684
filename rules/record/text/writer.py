"""Writes a record as text in two columns, as GNU Backgammon does.

The format has no place for stated rules, Crawford marks, automatic doubles and a game's first position. A score
card's results become claims, its penalties comments.
"""

from collections.abc import Iterator

from rules.record.model import Action, Claim, CubeAction, CubeStep, Record, RecordedGame, Resignation, Roll
from rules.score import Game, Penalty, Side

_WORDS = {
    CubeStep.DOUBLE: "Doubles",
    CubeStep.TAKE: "Takes",
    CubeStep.DROP: "Drops",
    CubeStep.BEAVER: "Beavers",
}
_NARROWEST = 28
_INDENT = 5
_GAP = 4
"""The least number of blanks between the columns, so that a reader can separate them."""
_LEFT_CLAIM = 6


def write_text(record: Record) -> str:
    """The record as text; every line ends with a line feed."""
    return "".join(f"{line}\n" for line in _lines(record))


def _lines(record: Record) -> Iterator[str]:
    yield from (f'; [{_clean(key, "]")} "{_clean(value)}"]' for key, value in _tags(record))
    if record.length != 0:
        yield ""
        yield f" {record.length or 0} point match"
    left, right = 0, 0
    is_card = any(game.result is not None for game in record.games)
    for entry in record.entries:
        yield ""
        score = (left, right) if is_card else None
        if isinstance(entry, Penalty):
            yield f"; {_clean(record.names[entry.against is Side.RIGHT])}: {entry.points} penalty points against"
        else:
            yield from _game(entry, record.names, score)
        gained = _gained(entry)
        left, right = left + gained[0], right + gained[1]


def _tags(record: Record) -> tuple[tuple[str, str], ...]:
    if record.tags or not any(record.names):
        return record.tags
    return (("Player 1", record.names[0]), ("Player 2", record.names[1]))


def _game(game: RecordedGame, names: tuple[str, str], score: tuple[int, int] | None) -> Iterator[str]:
    score = game.score or score
    rows = list(_rows(game.actions))
    cells = [left for left, _ in rows]
    heads = (_head(names[0], score[0]), _head(names[1], score[1])) if score is not None else ("", "")
    width = max(_NARROWEST, len(heads[0]) + _GAP - _INDENT + 1, *(len(cell) + _GAP for cell in cells))
    yield f" Game {game.number}" if game.number is not None else " Game"
    if score is not None:
        yield f" {heads[0]}".ljust(_INDENT + width) + heads[1]
    for number, (left, right) in enumerate(rows, 1):
        yield f"{number:3d}) {left:<{width}}{right}".rstrip()
    claim = game.claim or _claim(game.result)
    if claim is not None:
        indent = _LEFT_CLAIM if claim.winner is Side.LEFT else _INDENT + width + 1
        yield " " * indent + _result(claim)


def _head(name: str, score: int) -> str:
    return f"{_clean(name)} : {score}"


def _rows(actions: tuple[Action, ...]) -> Iterator[tuple[str, str]]:
    """Left and right cells; a row begins when LEFT acts, or RIGHT twice in a row."""
    waiting: str | None = None
    for action in actions:
        text = _cell(action)
        if action.side is Side.RIGHT:
            yield waiting or "", text
            waiting = None
            continue
        if waiting is not None:
            yield waiting, ""
        waiting = text
    if waiting is not None:
        yield waiting, ""


def _cell(action: Action) -> str:
    if isinstance(action, Roll):
        return f"{action.dice[0]}{action.dice[1]}: {_play(action)}".rstrip()
    if isinstance(action, CubeAction):
        value = f" => {action.value}" if action.value is not None else ""
        return f" {_WORDS[action.step]}{value}"
    return f" Resigns {_resigned_win(action)}".rstrip()


def _play(roll: Roll) -> str:
    if roll.play is None:
        return "?"
    if roll.says_pass:
        return "Cannot Move"
    return " ".join(f"{move.start}/{move.end}{'*' if move.hits else ''}" for move in roll.play)


def _resigned_win(action: Resignation) -> str:
    return action.win.name.lower() if action.win is not None else ""


def _claim(result: Game | None) -> Claim | None:
    return Claim(result.winner, _points(result), is_last=False, line=None) if result is not None else None


def _points(result: Game) -> int:
    if result.checkers_left is not None:
        return result.checkers_left
    return result.cube * (1 if result.is_drop else int(result.win))


def _result(claim: Claim) -> str:
    unit = "point" if claim.points == 1 else "points"
    points = f" {claim.points} {unit}" if claim.points is not None else ""
    return f"Wins{points}{' and the match' if claim.is_last else ''}"


def _gained(entry: RecordedGame | Penalty) -> tuple[int, int]:
    """The points that a line of a score card adds to each side."""
    if isinstance(entry, Penalty):
        winner, points = entry.against.other, entry.points
    elif (claim := entry.claim or _claim(entry.result)) is not None:
        winner, points = claim.winner, claim.points or 0
    else:
        return 0, 0
    return (points, 0) if winner is Side.LEFT else (0, points)


def _clean(text: str, without: str = '"') -> str:
    """On one line, with single blanks, without the character that would end it."""
    return " ".join(text.replace(without, "'").split())
