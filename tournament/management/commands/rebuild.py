"""`manage.py rebuild EVENT [--check]`: everything derived, computed again from the facts."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from tournament import rebuilding
from tournament.models import Event


class Command(BaseCommand):
    help = (
        "Computes who sits where, scores and matches again from the facts. With --check nothing is changed."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", help="the event, as in its address: /e/EVENT/")
        parser.add_argument(
            "--check", action="store_true", help="only compare; exit 1 where something differs"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        event = Event.objects.filter(slug=options["event"]).first()
        if event is None:
            raise CommandError(_("There is no event “{slug}” here.").format(slug=options["event"]))
        if not options["check"]:
            changed = rebuilding.rebuild(event)
            self.stdout.write(_("{count} matches were put right.").format(count=changed))
        found = rebuilding.differences(event)
        for one in found:
            self.stdout.write(f"{one.tournament}: {one.what}: {one.kept} | {one.derived}")
        if found:
            raise CommandError(
                _("{count} differences. This is a fault of the program; please report it.").format(
                    count=len(found)
                ),
                returncode=1,
            )
        self.stdout.write(_("Everything is as the facts say."))
