"""`manage.py accounts`: lists, closes and reopens accounts, and appoints administrators."""

from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from tournament.accounts import lifecycle, sessions
from tournament.queries.accounts.installation import (
    AccountPage,
    account_page,
    accounts_of_installation,
    find_account,
)
from tournament.runtime.errors import Refused

ACTIONS: dict[str, Callable[[User], None]] = {
    "close": lifecycle.close,
    "reopen": lifecycle.reopen,
    "end-sessions": partial(sessions.sign_out_everywhere, except_key=""),
    "allow-events": partial(lifecycle.set_event_right, may_create=True),
    "forbid-events": partial(lifecycle.set_event_right, may_create=False),
    "administrator": partial(lifecycle.set_administrator, is_administrator=True),
    "no-administrator": partial(lifecycle.set_administrator, is_administrator=False),
}


class Command(BaseCommand):
    help = "Lists the accounts of this installation, or shows or changes one of them."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", default="", help="user name; default: list all accounts")
        parser.add_argument("action", nargs="?", choices=list(ACTIONS), help="default: show the account")

    def handle(self, *_args: Any, **options: Any) -> None:
        if not options["name"]:
            for account in accounts_of_installation():
                self.stdout.write(_line(account_page(account)))
            return
        user = find_account(options["name"])
        if user is None:
            raise CommandError(_("There is no account “{name}”.").format(name=options["name"]))
        if options["action"]:
            self._change(user, ACTIONS[options["action"]])
        user.refresh_from_db()
        self.stdout.write("\n".join(_details(account_page(user))))

    def _change(self, user: User, change: Callable[[User], None]) -> None:
        try:
            change(user)
        except Refused as refused:
            raise CommandError(str(refused)) from None


def _line(page: AccountPage) -> str:
    roles = ", ".join(f"{member.event.slug}: {member.role}" for member in page.roles)
    return "  ".join(filter(None, [page.user.username, *_marks(page), roles]))


def _details(page: AccountPage) -> list[str]:
    tokens = [f"token “{token.label}”" for token in page.tokens]
    return [_line(page), f"{len(page.sessions)} open sessions", *tokens]


def _marks(page: AccountPage) -> list[str]:
    marks = {
        "[closed]": not page.user.is_active,
        "[administrator]": page.user.is_superuser,
        "[may create events]": page.may_create_events,
        f"[made by {page.made_by}]": bool(page.made_by),
    }
    return [mark for mark, applies in marks.items() if applies]
