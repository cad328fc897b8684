"""`manage.py director`: creates or reopens an account without mail. `manage.py accounts` closes accounts."""

import argparse
import getpass
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from deploy import data_folder
from tournament.accounts import directors, links, second_factors


class Command(BaseCommand):
    help = "Creates or reopens a director's account and prints a sign-in link that works once."
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "name", nargs="?", default=directors.FIRST_NAME, help=f"default: {directors.FIRST_NAME}"
        )
        parser.add_argument("--password", action="store_true", help="also set a new password")
        parser.add_argument(
            "--reset-second-factor",
            action="store_true",
            help="also remove second factors and recovery codes",
        )

    def handle(self, **options: Any) -> None:
        user, is_new = directors.open_account(options["name"])
        if is_new:
            self.stdout.write(f"New account {user.username} created.")
        if options["reset_second_factor"] and second_factors.reset_second_factor(user):
            self.stdout.write(f"The second factor of {user.username} has been removed.")
        if options["password"]:
            try:
                directors.set_password(user, getpass.getpass("New password: "))
            except ValidationError as weak:
                raise CommandError(" ".join(weak.messages)) from None
        running = data_folder.read_status(settings.DATA_DIR).get("url", "http://127.0.0.1:8000")
        address = settings.PUBLIC_URL or running
        self.stdout.write(
            f"Sign-in link for {user.username}, works once:\n{address}{links.make_sign_in_link(user)}"
        )
