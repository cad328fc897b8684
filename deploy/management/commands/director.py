"""`manage.py director`: gives a director access, or access again, without mail. `accounts` closes accounts."""

import argparse
import getpass
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from deploy import data_folder
from tournament.accounts import directors, links, second_factors


class Command(BaseCommand):
    help = "Makes a director's account, or opens it again, and prints a link that signs in once."
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", default=directors.FIRST, help=f"default: {directors.FIRST}")
        parser.add_argument("--password", action="store_true", help="also asks for a new password")
        parser.add_argument(
            "--reset-second-factor",
            action="store_true",
            help="also removes second factors and recovery codes",
        )

    def handle(self, **options: Any) -> None:
        user, is_new = directors.open_account(options["name"])
        if is_new:
            self.stdout.write(f"New account {user.username} created.")
        if options["reset_second_factor"] and second_factors.reset(user):
            self.stdout.write(f"The second factor of {user.username} is removed.")
        if options["password"]:
            try:
                directors.set_password(user, getpass.getpass("New password: "))
            except ValidationError as weak:
                raise CommandError(" ".join(weak.messages)) from None
        running = data_folder.read_status(settings.DATA_DIR).get("url", "http://127.0.0.1:8000")
        address = settings.PUBLIC_URL or running
        self.stdout.write(
            f"This link signs {user.username} in, once:\n{address}{links.make_sign_in_link(user)}"
        )
