"""The way in to `bench fuzz`, whose tools are only there where the tests are. Sends nothing by itself."""

import importlib
import importlib.util
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.core.management.base import CommandError

SEED = 2048


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--minutes", type=float, default=15, help="how long, on each database (15)")
    parser.add_argument(
        "--seed", type=int, default=SEED, help=f"the same rubbish for the same number ({SEED})"
    )


def fuzz(kinds: Iterable[str], chosen: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """What was wrong with the answers, as text and as JSON. Raises CommandError."""
    if importlib.util.find_spec("schemathesis") is None:
        raise CommandError("schemathesis is not installed: run “manage.py test” once, which installs it.")
    telling: Any = importlib.import_module("deploy.bench.fuzz.told")
    told = telling.fuzz_told(tuple(kinds), chosen["minutes"], chosen["seed"], sys.stderr)
    return telling.as_text(told), told.as_json()
