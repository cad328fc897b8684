"""`manage.py rehearse EVENT`: plays an event with simulated players over HTTP, and prints a summary."""

import time
from argparse import ArgumentParser
from collections.abc import Sequence
from random import Random
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.http.request import split_domain_port, validate_host
from django.utils.translation import gettext as _

from tournament.access.actors import Actor
from tournament.access.permissions import any_link
from tournament.accounts import links
from tournament.brackets.advancing import current_draw
from tournament.models import Role, Tournament, Visibility
from tournament.queries.accounts.tokens import tokens_of
from tournament.queries.entries.names import list_entries
from tournament.queries.events.events import find_event, has_results
from tournament.queries.money.book_check import differences_in_books
from tournament.queries.money.books import has_payments
from tournament.rehearsal.cash_desk import CashDesk
from tournament.rehearsal.counts import Stopped
from tournament.rehearsal.running import Plan, Rehearsal, summary
from tournament.rehearsal.wire import NO_ANSWER, NotLoopback

LABEL = "rehearsal"


class Command(BaseCommand):
    help = (
        "Plays an event with simulated players over HTTP. Results are invented: use a copy, or a test event."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", help="the event, as in its address: /e/EVENT/")
        parser.add_argument(
            "--tournament", help="only this tournament, as in its address; default: all with a released draw"
        )
        parser.add_argument("--url", default="http://127.0.0.1:8000", help="address of “up” on this machine")
        parser.add_argument(
            "--speed", type=float, default=600, help="simulated minutes per minute; 0: no waiting"
        )
        parser.add_argument("--seed", type=int, default=1, help="the same seed plays the same matches")
        parser.add_argument("--go-on", action="store_true", help="play an event that already has results")

    def handle(self, *_args: Any, **options: Any) -> None:
        tournaments = self._tournaments(options["event"], options["tournament"])
        if has_results(tournaments) and not options["go_on"]:
            raise CommandError(
                _("This event has posted results. A rehearsal adds invented ones; to do that, add --go-on.")
            )
        owner = tournaments[0].event.memberships.filter(role=Role.OWNER)[0].user
        entries = [entry for tournament in tournaments for entry in list_entries(tournament)]
        phones = {
            str(entry.pk): token for entry, token in links.make_links(entries, Actor(user=owner)).items()
        }
        desk = links.make_api_token(owner, LABEL)
        plan = Plan(
            options["url"].rstrip("/"),
            tuple(str(tournament.pk) for tournament in tournaments),
            phones,
            desk,
            options["seed"],
            options["speed"],
            _host(options["url"]),
            is_private=_is_private(tournaments),
        )
        try:
            event = tournaments[0].event
            self._play(plan, event.slug, is_new=not has_payments(event))
            for sentence in differences_in_books(event):
                raise CommandError(sentence)
        finally:
            _revoke_tokens(plan, owner)

    def _tournaments(self, slug: str, name: str | None) -> list[Tournament]:
        """Returns the released tournaments. Raises CommandError if there are none."""
        try:
            event = find_event(slug)
        except DatabaseError:
            raise CommandError(_("There is no data yet. Start “python3 manage.py up” first.")) from None
        if event is None:
            raise CommandError(_("There is no event at /e/{event}/. Check the address.").format(event=slug))
        chosen = [row for row in event.tournaments.all() if name in (None, row.slug)]
        released = [row for row in chosen if (draw := current_draw(row)) and draw.is_released]
        for skipped in set(chosen) - set(released):
            self.stdout.write(
                _("{tournament} is skipped: draw and release it first.").format(tournament=skipped.name)
            )
        if not released:
            raise CommandError(_("No tournament can be played. Draw and release one first."))
        return released

    def _play(self, plan: Plan, event: str, *, is_new: bool) -> None:
        """`is_new`: nobody has paid yet, so the tills hold what the rehearsal takes."""
        started = time.monotonic()
        try:
            rehearsal = Rehearsal(plan, self.stdout.write)
            try:
                cash_desk = CashDesk(rehearsal.desk.wire, event, Random(plan.seed))  # noqa: S311 (repeatable)
                cash_desk.take_fees()
                rehearsal.run()
                cash_desk.pay_prizes(plan.tournaments)
                if is_new:
                    cash_desk.check_balances()
            finally:
                for line in summary(rehearsal, time.monotonic() - started):
                    self.stdout.write(line)
        except (Stopped, NotLoopback) as stopped:
            raise CommandError(str(stopped)) from None
        except NO_ANSWER as error:
            raise CommandError(
                _("Nothing answers at {url} ({error}). Is “up” running? --url names another address.").format(
                    url=plan.url, error=error
                )
            ) from None


def _is_private(tournaments: Sequence[Tournament]) -> bool:
    is_private = tournaments[0].event.visibility != Visibility.PUBLIC
    return is_private or any(row.visibility != Visibility.PUBLIC for row in tournaments)


def _host(url: str) -> str:
    """Returns a host name of this installation if the host of this address is not allowed, otherwise an empty text."""
    if validate_host(split_domain_port(urlsplit(url).netloc)[0], settings.ALLOWED_HOSTS):
        return ""
    return str(settings.ALLOWED_HOSTS[0]).removeprefix(".")


def _revoke_tokens(plan: Plan, owner: User) -> None:
    for phone in plan.phones.values():
        link = any_link(phone)
        if link is not None:
            links.revoke(link, Actor(user=owner))
    for token in tokens_of(owner).filter(label=LABEL, revoked_at__isnull=True):
        links.revoke_api_token(token)
