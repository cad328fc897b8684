"""Short text records for tests."""

from dataclasses import replace

from rules.judge import judge
from rules.record.reading import read
from rules.ruleset import Ruleset

DROPPED = ["31: 8/5 6/5 | Doubles => 2", "Drops |"]  # right wins 1
DROPPED_BY_RIGHT = ["| 31: 8/5 6/5", "Doubles => 2 | Drops"]  # left wins 1


def text(*games, length=7, start=(0, 0)):
    """A text match record. A game is (rows, claim line) with rows "left | right"; scores are added up from claims."""
    lines, score = [f" {length} point match", ""], list(start)
    for number, (rows, side, claim) in enumerate(games, 1):
        lines += [f" Game {number}", f" {f'Anna : {score[0]}':<31}Bea : {score[1]}"]
        for row, cells in enumerate(rows, 1):
            left, _, right = (cell.strip() for cell in cells.partition("|"))
            lines.append(f"{row:>3}) {left:<28}{right}".rstrip())
        points = int(claim.split()[1])
        lines += [f"{'      ' if side == 'left' else ' ' * 34}{claim}", ""]
        score[side == "right"] += points
    return "\n".join(lines) + "\n"


def judge_text(written, **fields):
    """Judges the text under match play changed by `fields`; `posted` is the match length of the director."""
    posted = fields.pop("posted", 0)
    reported = fields.pop("reported", None)
    return judge(read(written.encode()), replace(Ruleset(), **fields), length=posted, reported=reported)


def codes(written, **fields):
    return [problem.code for problem in judge_text(written, **fields).problems]


def errors(written, **fields):
    return [problem.code for problem in judge_text(written, **fields).problems if problem.is_error]
