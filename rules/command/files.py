"""Finds and opens what the command line is pointed at: files, folders of files, rulesets."""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from rules.judge import with_stated_rules
from rules.record.model import Format, Record
from rules.record.reading import read
from rules.ruleset import DEFAULT_PRESET, LONGEST_MATCH, PRESETS, Ruleset, RulesetError

LARGEST_FILE = 5 * 1024 * 1024
STAKE_PLAY = "none"


class CannotUse(Exception):
    """What was asked for is not there or cannot be read; says so to the user."""


def add_rules(parser: argparse.ArgumentParser) -> None:
    """The options that say by which rules a record is judged."""
    parser.add_argument(
        "--ruleset",
        metavar="NAME",
        help=f"one of {', '.join(PRESETS)}, or a JSON file of your own"
        f" (default: {DEFAULT_PRESET}, with the optional rules that the record names)",
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
    raise argparse.ArgumentTypeError(f"a match goes to 1 to {LONGEST_MATCH} points, or is {STAKE_PLAY}")


def ruleset_for(record: Record, given: Ruleset | None) -> Ruleset:
    """The ruleset that was asked for, or the usual one with what the record says of its own rules."""
    return given or with_stated_rules(PRESETS[DEFAULT_PRESET], record.stated)


def ruleset_named(name: str | None) -> Ruleset | None:
    """A preset, or the ruleset in this file; None if none was named. Raises CannotUse."""
    if name is None:
        return None
    if name in PRESETS:
        return PRESETS[name]
    try:
        return Ruleset.from_json(json.loads(Path(name).read_bytes()))
    except RulesetError as wrong:
        raise CannotUse(f"{name} is no ruleset. {wrong}") from None
    except (OSError, ValueError):
        names = ", ".join(PRESETS)
        raise CannotUse(f"There is no ruleset {name}. Name a JSON file or one of {names}.") from None


def files_in(paths: Sequence[str]) -> list[Path]:
    """The files named, and every file in the folders named, in order. Raises CannotUse where there are none."""
    found: list[Path] = []
    for path in map(Path, paths):
        found += _inside(path) if path.is_dir() else [path]
    if not found:
        raise CannotUse("There are no files in this folder.")
    return found


def _inside(folder: Path) -> Iterator[Path]:
    return iter(
        sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    )


def record_in(path: Path) -> Record:
    """The record in this file. Raises CannotUse if there is none."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as why:
        raise CannotUse(f"{path}: {why.strerror or 'cannot be opened'}.") from None
    if len(data) > LARGEST_FILE:
        raise CannotUse(f"{path}: larger than {LARGEST_FILE // 1024**2} MB.")
    record = read(data, path.name)
    if record.format is Format.UNKNOWN or not record.entries:
        told = " ".join(found.sentence for found in record.problems[:1])
        raise CannotUse(f"{path}: {told or 'No game could be found in it.'}")
    return record
