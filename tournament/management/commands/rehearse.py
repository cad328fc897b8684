"""`manage.py rehearse EVENT`: simulated players play an event over HTTP, and what happened is printed."""

import time
from argparse import ArgumentParser
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
from tournament.models import ApiToken, Entry, Event, Result, Role, Tournament
from tournament.rehearsal.counts import Stopped
from tournament.rehearsal.running import Plan, Rehearsal, summary
from tournament.rehearsal.wire import NO_ANSWER, NotLoopback

LABEL = "rehearsal"


class Command(BaseCommand):
    help = "Plays an event with simulated players over HTTP. The results are made up: use a copy or an event for it."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", help="the event, as in its address: /e/EVENT/")
        parser.add_argument(
            "--tournament", help="only this one, as in its address; otherwise every released one"
        )
        parser.add_argument(
            "--url", default="http://127.0.0.1:8000", help="where “up” listens on this machine"
        )
        parser.add_argument(
            "--speed", type=float, default=600, help="minutes of play in a minute; 0: no waiting"
        )
        parser.add_argument("--seed", type=int, default=1, help="the same seed plays the same matches")
        parser.add_argument("--go-on", action="store_true", help="play although results are posted already")

    def handle(self, *_args: Any, **options: Any) -> None:
        tournaments = self._tournaments(options["event"], options["tournament"])
        inside = Result.objects.filter(pairing__round__bracket__tournament__in=tournaments)
        if inside.exists() and not options["go_on"]:
            raise CommandError(
                _(
                    "Results are posted already, and a rehearsal makes its own up. Say --go-on if that is meant."
                )
            )
        owner = tournaments[0].event.memberships.filter(role=Role.OWNER)[0].user
        entries = list(Entry.objects.filter(tournament__in=tournaments))
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
        )
        try:
            self._play(plan)
        finally:
            _take_back(plan, owner)

    def _tournaments(self, slug: str, name: str | None) -> list[Tournament]:
        """What can be played; raises CommandError with a sentence when nothing can."""
        try:
            event = Event.objects.filter(slug=slug).first()
        except DatabaseError:
            raise CommandError(_("There is no data here yet. Start “python3 manage.py up” first.")) from None
        if event is None:
            raise CommandError(_("There is no event at /e/%s/.") % slug)
        asked = [made for made in event.tournaments.all() if name in (None, made.slug)]
        released = [made for made in asked if (draw := current_draw(made)) and draw.is_released]
        for left_out in set(asked) - set(released):
            self.stdout.write(_("%s is left out: draw and release it first.") % left_out.name)
        if not released:
            raise CommandError(_("Nothing can be played: draw and release a tournament first."))
        return released

    def _play(self, plan: Plan) -> None:
        began = time.monotonic()
        try:
            rehearsal = Rehearsal(plan, self.stdout.write)
            try:
                rehearsal.run()
            finally:
                for line in summary(rehearsal, time.monotonic() - began):
                    self.stdout.write(line)
        except (Stopped, NotLoopback) as stopped:
            raise CommandError(str(stopped)) from None
        except NO_ANSWER as error:
            raise CommandError(
                _("Nothing answers at %s (%s). Is “up” running?") % (plan.url, error)
            ) from None


def _host(url: str) -> str:
    """A name of this installation, where it does not answer to the one in this address."""
    if validate_host(split_domain_port(urlsplit(url).netloc)[0], settings.ALLOWED_HOSTS):
        return ""
    return str(settings.ALLOWED_HOSTS[0]).removeprefix(".")


def _take_back(plan: Plan, owner: User) -> None:
    """The tokens of the rehearsal end with it."""
    for phone in plan.phones.values():
        link = any_link(phone)
        if link is not None:
            links.revoke(link, Actor(user=owner))
    for token in ApiToken.objects.filter(user=owner, label=LABEL, revoked_at__isnull=True):
        links.revoke_api_token(token)
