"""`convert`: writes a record in another format."""

import argparse
import sys
from pathlib import Path
from typing import Any

from rules.command.files import InputError, load_record
from rules.record.model import Format
from rules.record.writing import write

_WRITABLE = (Format.MAT, Format.JSON)


def add_to(commands: Any) -> None:
    parser = commands.add_parser("convert", help="write a record in another format")
    parser.add_argument("file", metavar="FILE")
    parser.add_argument(
        "--to", choices=[file_format.value for file_format in _WRITABLE], default=Format.JSON.value
    )
    parser.add_argument("--out", metavar="FILE", help="output file (default: the terminal)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Raises CannotUse if the file cannot be read or written."""
    text = write(load_record(Path(options.file)), Format(options.to))
    if options.out is None:
        sys.stdout.write(text)
        return 0
    try:
        with Path(options.out).open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise InputError(f"{options.out} exists already. Name another file.") from None
    except OSError as error:
        raise InputError(f"{options.out}: {error.strerror or 'cannot be written'}.") from None
    return 0
