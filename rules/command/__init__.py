"""The command line of the rules: reads files, prints verdicts. Import only `main`.

The rules decide everything; no other package imports this one.
"""

import argparse
import sys
from collections.abc import Sequence

from rules.command import bench, checking, converting, showing
from rules.command.files import InputError


def main(arguments: Sequence[str]) -> int:
    """Runs one command. Returns the exit code: 0 clean, 1 problems, 2 unreadable."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        return int(options.run(options))
    except InputError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python3 -m rules", description="Checks, draws and converts records of backgammon matches."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for module in (checking, showing, converting, bench):
        module.add_to(commands)
    return parser
