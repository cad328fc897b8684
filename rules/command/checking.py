"""`check`: prints the problems of records."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from rules.command.drawing import board_of
from rules.command.files import InputError, add_rules, find_files, load_record, load_ruleset, ruleset_for
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
    parser = commands.add_parser("check", help="find the problems of records")
    parser.add_argument("files", nargs="+", metavar="FILE", help="records, or folders of them")
    add_rules(parser)
    parser.add_argument("--json", action="store_true", help="one line of JSON for each file")
    parser.add_argument("--brief", action="store_true", help="without boards and remarks")
    parser.add_argument("--all", action="store_true", help="also likely consequences of earlier errors")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Checks every file; the worst result is the exit code."""
    ruleset_option = load_ruleset(options.ruleset)
    paths = find_files(options.files)
    worst_code = CLEAN
    with Progress(len(paths), sys.stderr) as progress:
        for path in paths:
            worst_code = max(worst_code, _check(path, ruleset_option, options, progress))
            progress.step()
    return worst_code


def _check(
    path: Path, ruleset_option: Ruleset | None, options: argparse.Namespace, progress: Progress
) -> int:
    try:
        record = load_record(path)
    except InputError as error:
        progress.clear()
        if options.json:
            print(json.dumps({"file": str(path), "unreadable": str(error)}))
        else:
            print(error)
        return UNREADABLE
    ruleset = ruleset_for(record, ruleset_option)
    verdict = judge(record, ruleset, length=options.length)
    progress.clear()
    if options.json:
        print(json.dumps({"file": str(path), **as_json(record, verdict)}))
    else:
        _print_verdict(path, record, verdict, ruleset, options)
    return PROBLEMS if any(problem.severity != Severity.REMARK for problem in verdict.problems) else CLEAN


def _print_verdict(
    path: Path, record: Record, verdict: Verdict, ruleset: Ruleset, options: argparse.Namespace
) -> None:
    print(f"{path}: {_headline(record, verdict, options.length)}")
    games_with_problems = {problem.game for problem in verdict.problems if problem.game and problem.move}
    turns: tuple[Turn, ...] = ()
    if not options.brief:
        turns = turns_with_problems(record, ruleset, games_with_problems, length=options.length)
    drawn: set[int] = set()
    for fault in faults(verdict.problems):
        problem = verdict.problems[fault.index]
        if options.brief and problem.severity == Severity.REMARK:
            continue
        print(_line(problem))
        if problem.offer:
            print(f"    {problem.offer_sentence}")
        if problem.position and problem.game and problem.game not in drawn and not options.brief:
            drawn.add(problem.game)
            print(_board(problem, turns, record))
        _print_consequences(fault, verdict, options)


def _print_consequences(fault: Fault, verdict: Verdict, options: argparse.Namespace) -> None:
    if fault.consequences and options.all:
        print("    most likely follow from it:")
        for index in fault.consequences:
            print(f"  {_line(verdict.problems[index])}")
    elif fault.consequences:
        count = len(fault.consequences)
        print(
            f"    {count} more in this game; most likely {'follow' if count > 1 else 'follows'} from it (--all)"
        )


def _line(problem: Problem) -> str:
    rule = f" ({problem.rule})" if problem.rule else ""
    return f"  {problem.severity}: {_place_text(problem)}{problem.sentence}{rule}"


def _headline(record: Record, verdict: Verdict, posted: int | None) -> str:
    length = record.length if posted == AS_RECORDED else posted
    kind = f"match to {length}" if length else "stake play" if length is None else "unknown length"
    left, right = (name or side for name, side in zip(record.names, ("left", "right"), strict=True))
    games = len(verdict.games)
    counts = [
        f"{number} {severity}{'s' if number > 1 else ''}"
        for severity in Severity
        if (number := sum(problem.severity == severity for problem in verdict.problems))
    ]
    score = f"{left} {verdict.score.left}, {right} {verdict.score.right}"
    return f"{kind}, {games} game{'s' if games != 1 else ''}, {score}: {', '.join(counts) or 'clean'}"


def _place_text(problem: Problem) -> str:
    places = (("game", problem.game), ("move", problem.move), ("line", problem.line))
    text = ", ".join(f"{name} {number}" for name, number in places if number)
    return f"{text}: " if text else ""


def _board(problem: Problem, turns: tuple[Turn, ...], record: Record) -> str:
    turn = next((turn for turn in turns if turn.place == problem.place), None)
    return board_of(turn, record.names) if turn is not None else ""


def as_json(record: Record, verdict: Verdict) -> dict[str, Any]:
    """The verdict as JSON, with the same content as the text."""
    return {
        "format": record.format.value,
        "names": list(record.names),
        "length": verdict.score.length,
        "score": [verdict.score.left, verdict.score.right],
        "is_finished": verdict.is_finished,
        "is_cut": verdict.is_cut,
        "games": [_game(game) for game in verdict.games],
        "problems": [
            {**_problem(problem), "follows": source is not None}
            for problem, source in zip(verdict.problems, sources(verdict.problems), strict=True)
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


def _problem(problem: Problem) -> dict[str, Any]:
    return {
        "severity": str(problem.severity),
        "code": problem.code,
        "rule": problem.rule,
        "sentence": problem.sentence,
        "offer": problem.offer_sentence or None,
        "game": problem.game,
        "move": problem.move,
        "side": problem.side,
        "line": problem.line,
        "position": problem.position,
    }
