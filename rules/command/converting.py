"""`convert`: writes a record in another format."""

import argparse
import sys
from pathlib import Path
from typing import Any

from rules.command.files import CannotUse, record_in
from rules.record.model import Format
from rules.record.writing import write

_WRITTEN = (Format.MAT, Format.JSON)


def add_to(commands: Any) -> None:
    parser = commands.add_parser("convert", help="write a record in another format")
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--to", choices=[form.value for form in _WRITTEN], default=Format.JSON.value)
    parser.add_argument("--out", metavar="FILE", help="where to (default: the terminal)")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Raises CannotUse if the file cannot be read or written."""
    text = write(record_in(Path(given.file)), Format(given.to))
    if given.out is None:
        sys.stdout.write(text)
        return 0
    try:
        with Path(given.out).open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise CannotUse(f"{given.out} is there already. Name another file.") from None
    except OSError as why:
        raise CannotUse(f"{given.out}: {why.strerror or 'cannot be written'}.") from None
    return 0
