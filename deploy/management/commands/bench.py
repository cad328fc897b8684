"""`manage.py bench`: measures the product on this machine. Each subcommand is one bench."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy.bench import report
from deploy.bench.grounds import KINDS


class Command(BaseCommand):
    help = "Measures the product on this machine, with its real parts and on data of its own."

    def add_arguments(self, parser: ArgumentParser) -> None:
        benches = parser.add_subparsers(dest="bench", required=True, metavar="BENCH")
        flow = benches.add_parser("flow", help="from a player's confirmation to a spectator's page")
        flow.add_argument(
            "--samples", type=int, default=300, help="results to measure on each database (300)"
        )
        flow.add_argument("--workers", type=int, default=2, help="processes of the worker (2, as in `up`)")
        flow.add_argument("--database", choices=[*KINDS, "both"], default="both")
        flow.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")

    def handle(self, *_args: Any, **options: Any) -> None:
        kinds = KINDS if options["database"] == "both" else (options["database"],)
        if options["samples"] < 1 or options["workers"] < 1:
            raise CommandError("Measure at least one sample with at least one worker.")
        told = report.flow_told(kinds, options["samples"], options["workers"], sys.stderr)
        self.stdout.write(report.as_text(told))
        if options["json"]:
            options["json"].write_text(json.dumps(told.as_json(), indent=2) + "\n")
