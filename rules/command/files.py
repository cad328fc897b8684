"""Finds and opens the files, folders and rulesets that the command line names."""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from rules.judge import with_stated_rules
from rules.record.model import Format, Record
from rules.record.reading import read
from rules.ruleset import DEFAULT_PRESET, LONGEST_MATCH, PRESETS, Ruleset, RulesetError

LARGEST_FILE_BYTES = 5 * 1024 * 1024
STAKE_PLAY = "none"


class InputError(Exception):
    """A named file or ruleset is missing or unreadable; the message is for the user."""


def add_rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--ruleset",
        metavar="NAME",
        help=f"one of {', '.join(PRESETS)}, or a JSON file"
        f" (default: {DEFAULT_PRESET}, with the optional rules that the record states)",
    )
    parser.add_argument(
        "--length",
        type=match_length,
        default=0,
        metavar="N",
        help=f"the match length that was posted, or {STAKE_PLAY} for stake play (default: as recorded)",
    )


def match_length(text: str) -> int | None:
    if text == STAKE_PLAY:
        return None
    if text.isdecimal() and 1 <= int(text) <= LONGEST_MATCH:
        return int(text)
    raise argparse.ArgumentTypeError(f"must be 1 to {LONGEST_MATCH} points or {STAKE_PLAY}")


def ruleset_for(record: Record, ruleset: Ruleset | None) -> Ruleset:
    """The given ruleset, or the default with the rules that the record states."""
    return ruleset or with_stated_rules(PRESETS[DEFAULT_PRESET], record.stated)


def load_ruleset(name: str | None) -> Ruleset | None:
    """A preset, or the ruleset in this file; None without a name. Raises InputError."""
    if name is None:
        return None
    if name in PRESETS:
        return PRESETS[name]
    try:
        return Ruleset.from_json(json.loads(Path(name).read_bytes()))
    except RulesetError as error:
        raise InputError(f"{name} is not a ruleset. {error}") from None
    except (OSError, ValueError):
        names = ", ".join(PRESETS)
        raise InputError(f"There is no ruleset {name}. Name a JSON file or one of {names}.") from None


def find_files(paths: Sequence[str]) -> list[Path]:
    """The named files and all files in the named folders, in order. Raises InputError if there are none."""
    files: list[Path] = []
    for path in map(Path, paths):
        files += _files_in(path) if path.is_dir() else [path]
    if not files:
        raise InputError("There are no files in this folder.")
    return files


def _files_in(folder: Path) -> Iterator[Path]:
    return iter(
        sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    )


def load_record(path: Path) -> Record:
    """The record in this file. Raises InputError if there is none."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or 'cannot be opened'}.") from None
    if len(data) > LARGEST_FILE_BYTES:
        raise InputError(f"{path}: larger than {LARGEST_FILE_BYTES // 1024**2} MB.")
    record = read(data, path.name)
    if record.format is Format.UNKNOWN or not record.entries:
        reason = " ".join(problem.sentence for problem in record.problems[:1])
        raise InputError(f"{path}: {reason or 'No game was found in it.'}")
    return record
