"""`manage.py bench`: measures the product on this machine. Each subcommand is one bench."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy.bench import events_told, hall, spectators, speed_told, strangers
from deploy.bench.faults import told as faults_told
from deploy.bench.formats.measures import TRIAL, Sizes
from deploy.bench.formats.told import as_text as formats_as_text
from deploy.bench.formats.told import formats_told
from deploy.bench.greedy import MOST_CONNECTIONS, MOST_SECONDS
from deploy.bench.grounds import KINDS
from deploy.bench.hall_told import as_text as hall_as_text
from deploy.bench.hall_told import hall_told

Told = tuple[str, dict[str, Any]]


class Command(BaseCommand):
    help = "Measures the product on this machine, with its real parts and on data of its own."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        benches = parser.add_subparsers(dest="bench", required=True, metavar="BENCH")
        speed = benches.add_parser("speed", help="results taken in and seen, pages and streams, memory")
        speed_told.options(speed)
        formats = benches.add_parser("formats", help="draws, advances, rounds, previews, standings")
        formats.add_argument("--trial", action="store_true", help="small and quick, held against no mark")
        of_a_hall = benches.add_parser(
            "hall", help="sixty phones, a thousand spectators, ten minutes without network"
        )
        of_a_hall.add_argument("--outage", type=float, default=600, help="seconds without a network (600)")
        of_a_hall.add_argument("--spectators", type=int, default=1000, help="live streams (1000)")
        of_a_hall.add_argument("--trial", action="store_true", help="small and quick, held against no mark")
        looking = benches.add_parser("spectators", help="browsers that are told of changes and ask for them")
        looking.add_argument("--spectators", type=int, default=1000, help="browsers (1000)")
        looking.add_argument("--rate", type=float, default=5.0, help="games a second (5)")
        greedy = benches.add_parser(
            "strangers", help="the desk beside greedy strangers, on the loopback address"
        )
        greedy.add_argument("--strangers", type=int, default=100, help="connections, at most 200 (100)")
        greedy.add_argument("--seconds", type=float, default=30.0, help="alone, and beside them (30)")
        events = benches.add_parser("events", help="many events at once, against one alone")
        events_told.options(events)
        faults = benches.add_parser(
            "faults", help="every part is killed, stopped or filled up while events are played"
        )
        faults_told.options(faults)
        for bench in (speed, formats, of_a_hall, looking, greedy, events, faults):
            bench.add_argument("--database", choices=[*KINDS, "both"], default="both")
            bench.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")

    def handle(self, *_args: Any, **options: Any) -> None:
        kinds = KINDS if options["database"] == "both" else (options["database"],)
        benches = {
            "speed": speed_told.bench,
            "formats": self._formats,
            "hall": self._hall,
            "spectators": self._spectators,
            "strangers": self._strangers,
            "events": events_told.bench,
            "faults": faults_told.bench,
        }
        text, figures = benches[options["bench"]](kinds, options)
        self.stdout.write(text)
        if options["json"]:
            options["json"].write_text(json.dumps(figures, indent=2) + "\n")

    def _formats(self, kinds: Iterable[str], options: dict[str, Any]) -> Told:
        told = formats_told(kinds, TRIAL if options["trial"] else Sizes(), sys.stderr)
        return formats_as_text(told), told.as_json()

    def _hall(self, kinds: Iterable[str], options: dict[str, Any]) -> Told:
        asked = hall.Sizes(outage=options["outage"], spectators=options["spectators"])
        told = hall_told(kinds, hall.TRIAL if options["trial"] else asked, sys.stderr)
        return hall_as_text(told), told.as_json()

    def _spectators(self, kinds: Iterable[str], options: dict[str, Any]) -> Told:
        if options["spectators"] < 1 or options["rate"] <= 0:
            raise CommandError("Measure at least one spectator, and some games a second.")
        sizes = spectators.Sizes(options["spectators"], options["rate"])
        told = spectators.spectators_told(kinds, sizes, sys.stderr)
        return spectators.as_text(told), told.as_json()

    def _strangers(self, kinds: Iterable[str], options: dict[str, Any]) -> Told:
        if (
            not 1 <= options["strangers"] <= MOST_CONNECTIONS
            or not 1 <= options["seconds"] <= MOST_SECONDS / 2
        ):
            raise CommandError("Measure 1 to 200 strangers, for 1 to 150 seconds.")
        sizes = strangers.Sizes(options["strangers"], options["seconds"])
        told = strangers.strangers_told(kinds, sizes, sys.stderr)
        return strangers.as_text(told), told.as_json()
