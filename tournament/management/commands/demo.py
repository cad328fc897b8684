"""`manage.py demo`: creates a realistic demonstration event, and prints a sign-in link for its director."""

from argparse import ArgumentParser
from random import Random
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from tournament.access.actors import Actor
from tournament.accounts import directors, links
from tournament.demo import weekend

SEED = 2048
LOCAL = "http://127.0.0.1:8000"


class Command(BaseCommand):
    help = "Creates a demonstration event: a weekend tournament in progress, with invented players."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--no-sign-in",
            dest="sign_in",
            action="store_false",
            help="do not print a sign-in link for the director",
        )

    def handle(self, *_args: Any, sign_in: bool = True, **_options: Any) -> None:
        call_command("migrate", verbosity=0, interactive=False)
        director = directors.get_director()
        if weekend.exists():
            self.stdout.write(
                _("The demonstration event exists already: /e/{event}/").format(event=weekend.SLUG)
            )
        else:
            weekend.open_weekend(Actor(user=director), Random(SEED))  # noqa: S311 (no secret depends on it)
            self.stdout.write(
                _("The demonstration event was created: /e/{event}/").format(event=weekend.SLUG)
            )
        if sign_in:
            address = (settings.PUBLIC_URL or LOCAL) + links.make_sign_in_link(director)
            self.stdout.write(
                _("Sign in as the director (the link works once): {address}").format(address=address)
            )
