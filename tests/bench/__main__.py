"""Runs a bench for developers: `python -m tests.bench fuzz` or `python -m tests.bench forecast`."""

import json
import os
import sys
from argparse import ArgumentParser
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from deploy.bench.temporary import KINDS  # noqa: E402 (needs the line above)
from tests.bench.forecast import accuracy as forecast  # noqa: E402
from tests.bench.fuzz import report as fuzz  # noqa: E402


def parse(arguments: list[str]):
    parser = ArgumentParser(prog="python -m tests.bench", description=__doc__)
    benches = parser.add_subparsers(dest="bench", required=True, metavar="BENCH")
    fuzzing = benches.add_parser("fuzz", help="generated API requests: every answer must match the document")
    fuzzing.add_argument("--minutes", type=float, default=15, help="duration on each database (15)")
    fuzzing.add_argument("--seed", type=int, default=fuzz.SEED, help=f"seed of the requests ({fuzz.SEED})")
    fuzzing.add_argument("--database", choices=[*KINDS, "both"], default="both")
    forecasting = benches.add_parser("forecast", help="how often forecasts of an event's end come true")
    forecasting.add_argument("--events", type=int, default=280, help="events to play and forecast (280)")
    for bench in (fuzzing, forecasting):
        bench.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to this file")
    options = parser.parse_args(arguments)
    if options.bench == "forecast" and options.events < 1:
        parser.error("Play at least one event.")
    return options


def main() -> None:
    options = parse(sys.argv[1:])
    if options.bench == "fuzz":
        kinds = KINDS if options.database == "both" else (options.database,)
        report = fuzz.measure(kinds, options.minutes, options.seed, sys.stderr)
        text = fuzz.as_text(report)
    else:
        report = forecast.measure(options.events, sys.stderr)
        text = forecast.as_text(report)
    print(text)
    if options.json:
        options.json.write_text(json.dumps(report.as_json(), indent=2) + "\n")


if __name__ == "__main__":
    main()
