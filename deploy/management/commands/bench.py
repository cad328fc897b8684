"""`manage.py bench`: measures the product on this machine."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from deploy.bench import events, hall, strangers
from deploy.bench.faults import report as faults
from deploy.bench.formats import report as formats
from deploy.bench.speed import report as speed
from deploy.bench.temporary import KINDS

BENCHES = {
    "speed": (speed.run, speed.add_options, "results, public pages, live streams, memory"),
    "formats": (formats.run, formats.add_options, "draws, advances, rounds, previews, standings"),
    "hall": (hall.run, hall.add_options, "ten minutes without network, a thousand spectators"),
    "strangers": (
        strangers.run,
        strangers.add_options,
        "the speed of the desk while visitors search without a pause",
    ),
    "events": (events.run, events.add_options, "many events at once, compared with one alone"),
    "faults": (faults.run, faults.add_options, "kills, stops or fills up every part while events are played"),
}


class Command(BaseCommand):
    help = "Measures the product on this machine, with its real parts and temporary data."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        benches = parser.add_subparsers(dest="bench", required=True, metavar="BENCH")
        for name, (_run, add_options, summary) in BENCHES.items():
            bench = benches.add_parser(name, help=summary)
            add_options(bench)
            bench.add_argument("--database", choices=[*KINDS, "both"], default="both")
            bench.add_argument(
                "--json", type=Path, metavar="FILE", help="also write the figures to this file"
            )

    def handle(self, *_args: Any, **options: Any) -> None:
        kinds = KINDS if options["database"] == "both" else (options["database"],)
        run, _add_options, _summary = BENCHES[options["bench"]]
        text, figures = run(kinds, options)
        self.stdout.write(text)
        if options["json"]:
            options["json"].write_text(json.dumps(figures, indent=2) + "\n")
