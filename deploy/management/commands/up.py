"""`manage.py up`: runs an installation on this machine until Ctrl-C."""

import argparse
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from deploy import environment, hall_https, startup


class Command(BaseCommand):
    help = "Runs web server, workers and Redis (Valkey) on this machine. Ctrl-C stops everything; the data is kept."
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        port = environment.text("PORT", "8000")
        parser.add_argument("--port", type=int, default=port, help="default: 8000")
        parser.add_argument("--host", default="0.0.0.0", help="the address to listen on; default: all")  # noqa: S104 (phones have to reach it)
        parser.add_argument("--demo", action="store_true", help="add a sample event in progress")
        parser.add_argument(
            "--from", dest="copy", type=Path, metavar="COPY", help="start from a copy made with COPY_DIR"
        )
        parser.add_argument(
            "--https", nargs="?", const=hall_https.default_host_name(), metavar="NAME",
            help=f"also serve HTTPS with Caddy under this name; default: {hall_https.default_host_name()}",
        )  # fmt: skip
        parser.add_argument("--https-port", type=int, default=8443, help="default: 8443")
        parser.add_argument(
            "--certificate", type=Path, metavar="FILE", help="certificate of a registered domain name"
        )
        parser.add_argument("--key", type=Path, metavar="FILE", help="key of the certificate")

    def handle(self, **options: Any) -> None:
        start_options = startup.StartOptions(
            options["host"], options["port"], options["demo"], options["copy"], _https(options)
        )
        try:
            startup.start(start_options)
        except startup.CannotStart as refused:
            self.stderr.write(str(refused))
            raise SystemExit(2) from None


def _https(options: dict[str, Any]) -> hall_https.HallHttps | None:
    if options["https"] is None:
        return None
    return hall_https.HallHttps(
        options["https"], options["https_port"], options["certificate"], options["key"]
    )
