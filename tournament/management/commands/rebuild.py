"""`manage.py rebuild EVENT [--check]`, or `--all`: computes all derived rows again from the facts."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.corrections import consistency, repair
from tournament.models import Event
from tournament.money.receipts import faults_of_numbers
from tournament.queries.events.events import all_events, find_event
from tournament.queries.money.book_check import differences_in_books


class Command(BaseCommand):
    help = "Computes seats, matches, cards, draws and rounds again and repairs differences. --check only lists them."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        target = parser.add_mutually_exclusive_group(required=True)
        target.add_argument("event", nargs="?", help="the event, as in its address: /e/EVENT/")
        target.add_argument("--all", action="store_true", help="all events")
        parser.add_argument(
            "--check", action="store_true", help="only compare; exit code 1 if something differs"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        differing = sum(
            self._differences_in(event, only_check=options["check"]) for event in _events(options)
        )
        for sentence in (faults := faults_of_numbers()):
            self.stdout.write(sentence)
        differing += len(faults)
        if differing:
            message = ngettext(
                "{count} difference. This is a fault of the program; please report it.",
                "{count} differences. This is a fault of the program; please report it.",
                differing,
            )
            raise CommandError(message.format(count=differing), returncode=1)
        self.stdout.write(_("Everything was computed again. Nothing differs."))

    def _differences_in(self, event: Event, *, only_check: bool) -> int:
        if not only_check and (repaired := repair.rebuild(event)):
            message = ngettext("{event}: {count} repair.", "{event}: {count} repairs.", repaired)
            self.stdout.write(message.format(event=event.slug, count=repaired))
        for sentence in (*consistency.two_open_matches(event), *consistency.rounds_paired_differently(event)):
            self.stdout.write(f"{event.slug}: {sentence}")
        differences = consistency.differences(event)
        for row in differences:
            self.stdout.write(f"{event.slug}, {row.tournament}: {row.subject}: {row.stored} | {row.derived}")
        book_differences = differences_in_books(event)
        for sentence in book_differences:
            self.stdout.write(f"{event.slug}: {sentence}")
        return len(differences) + len(book_differences)


def _events(options: dict[str, Any]) -> list[Event]:
    if options["all"]:
        return list(all_events())
    event = find_event(options["event"])
    if event is None:
        raise CommandError(_("There is no event “{slug}”.").format(slug=options["event"]))
    return [event]
