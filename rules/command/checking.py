"""`check`: what is wrong with records, and where."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from rules.command.drawing import board_of
from rules.command.files import CannotUse, add_rules, files_in, record_in, ruleset_for, ruleset_named
from rules.command.progress import Progress
from rules.judge import (
    AS_RECORDED,
    Fault,
    JudgedGame,
    Turn,
    Verdict,
    faults,
    judge,
    sources,
    turns_with_problems,
)
from rules.problem import Problem
from rules.record.model import Record
from rules.ruleset import Ruleset
from rules.sentences import Severity

CLEAN, PROBLEMS, UNREADABLE = 0, 1, 2


def add_to(commands: Any) -> None:
    parser = commands.add_parser("check", help="say what is wrong with records, and where")
    parser.add_argument("files", nargs="+", metavar="FILE", help="records, or folders of them")
    add_rules(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a file, a line each")
    parser.add_argument("--brief", action="store_true", help="no boards, and no remarks")
    parser.add_argument(
        "--all", action="store_true", help="also what most likely follows from an earlier error"
    )
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Checks every file; the worst that was found is the exit code."""
    named = ruleset_named(given.ruleset)
    paths = files_in(given.files)
    worst = CLEAN
    with Progress(len(paths), sys.stderr) as progress:
        for path in paths:
            worst = max(worst, _check(path, named, given, progress))
            progress.step()
    return worst


def _check(path: Path, named: Ruleset | None, given: argparse.Namespace, progress: Progress) -> int:
    try:
        record = record_in(path)
    except CannotUse as refused:
        progress.clear()
        if given.json:
            print(json.dumps({"file": str(path), "unreadable": str(refused)}))
        else:
            print(refused)
        return UNREADABLE
    ruleset = ruleset_for(record, named)
    verdict = judge(record, ruleset, length=given.length)
    progress.clear()
    if given.json:
        print(json.dumps({"file": str(path), **as_json(record, verdict)}))
    else:
        _tell(path, record, verdict, ruleset, given)
    return PROBLEMS if any(found.severity != Severity.REMARK for found in verdict.problems) else CLEAN


def _tell(path: Path, record: Record, verdict: Verdict, ruleset: Ruleset, given: argparse.Namespace) -> None:
    print(f"{path}: {_headline(record, verdict, given.length)}")
    wrong = {found.game for found in verdict.problems if found.game and found.move}
    seen = () if given.brief else turns_with_problems(record, ruleset, wrong, length=given.length)
    drawn: set[int] = set()
    for fault in faults(verdict.problems):
        found = verdict.problems[fault.index]
        if given.brief and found.severity == Severity.REMARK:
            continue
        print(_line(found))
        if found.offer:
            print(f"    {found.offer_sentence}")
        if found.position and found.game and found.game not in drawn and not given.brief:
            drawn.add(found.game)
            print(_board(found, seen, record))
        _tell_of_following(fault, verdict, given)


def _tell_of_following(fault: Fault, verdict: Verdict, given: argparse.Namespace) -> None:
    if fault.consequences and given.all:
        print("    most likely follow from it:")
        for place in fault.consequences:
            print(f"  {_line(verdict.problems[place])}")
    elif fault.consequences:
        count = len(fault.consequences)
        print(
            f"    {count} more in this game; most likely {'follow' if count > 1 else 'follows'} from it (--all)"
        )


def _line(found: Problem) -> str:
    return f"  {found.severity}: {_where(found)}{found.sentence}{f' ({found.rule})' if found.rule else ''}"


def _headline(record: Record, verdict: Verdict, posted: int | None) -> str:
    length = record.length if posted == AS_RECORDED else posted
    kind = f"match to {length}" if length else "stake play" if length is None else "unknown length"
    left, right = (name or side for name, side in zip(record.names, ("left", "right"), strict=True))
    games = len(verdict.games)
    counts = [
        f"{number} {severity}{'s' if number > 1 else ''}"
        for severity in Severity
        if (number := sum(found.severity == severity for found in verdict.problems))
    ]
    score = f"{left} {verdict.score.left}, {right} {verdict.score.right}"
    return f"{kind}, {games} game{'s' if games != 1 else ''}, {score}: {', '.join(counts) or 'clean'}"


def _where(found: Problem) -> str:
    places = (("game", found.game), ("move", found.move), ("line", found.line))
    told = ", ".join(f"{name} {number}" for name, number in places if number)
    return f"{told}: " if told else ""


def _board(found: Problem, seen: tuple[Turn, ...], record: Record) -> str:
    stage = next((stage for stage in seen if stage.place == found.place), None)
    return board_of(stage, record.names) if stage is not None else ""


def as_json(record: Record, verdict: Verdict) -> dict[str, Any]:
    """The verdict as plain JSON; what stands in it is what the text says."""
    return {
        "format": record.format.value,
        "names": list(record.names),
        "length": verdict.score.length,
        "score": [verdict.score.left, verdict.score.right],
        "is_finished": verdict.is_finished,
        "is_cut": verdict.is_cut,
        "games": [_game(game) for game in verdict.games],
        "problems": [
            {**_problem(found), "follows": source is not None}
            for found, source in zip(verdict.problems, sources(verdict.problems), strict=True)
        ],
    }


def _game(game: JudgedGame) -> dict[str, Any]:
    entry, scored = game.entry, game.scored
    return {
        "number": game.number,
        "score": [game.before.left, game.before.right],
        "is_crawford": game.is_crawford,
        "winner": entry.winner if entry else None,
        "win": entry.win.name.lower() if entry else None,
        "ending": entry.ending if entry else None,
        "cube": entry.cube if entry else None,
        "points": scored.raw if scored else None,
        "credited": scored.credited if scored else None,
        "rolls": game.rolls,
        "line": game.line,
    }


def _problem(found: Problem) -> dict[str, Any]:
    return {
        "severity": str(found.severity),
        "code": found.code,
        "rule": found.rule,
        "sentence": found.sentence,
        "offer": found.offer_sentence or None,
        "game": found.game,
        "move": found.move,
        "side": found.side,
        "line": found.line,
        "position": found.position,
    }
