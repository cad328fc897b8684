"""The command line of the rules: reads files, prints what the judge says. The one door: `main`.

It decides nothing that the rules decide, and nothing else imports it.
"""

import argparse
import sys
from collections.abc import Sequence

from rules.command import bench, checking, converting, showing
from rules.command.files import CannotUse


def main(arguments: Sequence[str]) -> int:
    """Runs one command; the answer is the exit code: 0 clean, 1 problems, 2 cannot be read."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        return int(given.run(given))
    except CannotUse as refused:
        print(f"{parser.prog}: {refused}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python3 -m rules", description="Checks, draws and converts records of backgammon matches."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for room in (checking, showing, converting, bench):
        room.add_to(commands)
    return parser
