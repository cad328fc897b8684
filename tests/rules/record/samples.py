"""Short text records in the hands of several sites and programs, invented for these tests, and ways to look at them."""

from dataclasses import replace

from rules.record.model import CubeAction, Record, RecordedGame, Resignation, Roll
from rules.record.reading import read

PLAIN = """\
; [EventDate "2026.04.01"]

 3 point match

 Game 1
 Ana Left : 0                   Bo Right : 0
  1)                             31: 8/5 6/5
  2) 52: 13/8 24/22              64: 24/14
  3) 66:                          Doubles => 2
  4)  Takes                      21: 6/4* 4/3
  5) 41: 25/24 13/9              55: 13/3(2)
      Wins 2 points

 Game 2
 Ana Left : 2                   Bo Right : 0
  1) 61: 13/7 8/7                43: 24/20 13/10
  2)  Doubles => 2                Drops
      Wins 1 point and the match
"""


def text_of(*rows: str, names: str = " Ana : 0                       Bo : 0") -> str:
    """One game of a match to 7 with these rows."""
    return "\n".join((" 7 point match", "", " Game 1", names, *rows, ""))


def record_of(text: str) -> Record:
    return read(text.encode())


def game_of(*rows: str, names: str = " Ana : 0                       Bo : 0") -> RecordedGame:
    return record_of(text_of(*rows, names=names)).games[0]


def game_lines(record: RecordedGame) -> list[str]:
    """The actions of a game in few letters: L or R, then the dice and the play, or the word of the cube."""
    return [_action_text(action) for action in record.actions]


def codes(record: Record) -> list[str]:
    return [problem.code for problem in record.problems]


def without_lines(game: RecordedGame) -> RecordedGame:
    claim = game.claim._replace(line=None) if game.claim is not None else None
    actions = tuple(action._replace(line=None) for action in game.actions)
    return replace(game, actions=actions, claim=claim, line=None, score_line=None)


def _action_text(action: Roll | CubeAction | Resignation) -> str:
    side = action.side.value[0].upper()
    if isinstance(action, Resignation):
        return f"{side} resigns {action.win.name.lower() if action.win else ''}".strip()
    if isinstance(action, CubeAction):
        return f"{side} {action.step} {action.value or ''}".strip()
    if action.play is None:
        return f"{side} {action.dice[0]}{action.dice[1]} unknown"
    moves = " ".join(f"{move.start}/{move.end}{'*' if move.hits else ''}" for move in action.play)
    return f"{side} {action.dice[0]}{action.dice[1]} {'pass' if action.says_pass else moves}".strip()
