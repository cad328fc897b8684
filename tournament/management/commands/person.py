"""`manage.py person`: finds players in all events, shows what is stored of one person, and removes it."""

import json
import uuid
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Q
from django.utils.translation import gettext as _

from tournament.access.actors import SYSTEM
from tournament.entries import personal_data
from tournament.models import Event, Player
from tournament.queries.entries import personal_data as stored
from tournament.runtime.errors import Refused

MOST_FOUND = 100


class Command(BaseCommand):
    help = "Finds players by name or federation number, shows everything stored of one person, or removes it."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "who", help="a part of the name, a federation number, or the id that a search shows"
        )
        parser.add_argument(
            "action",
            nargs="?",
            choices=["show", "remove"],
            help="show: writes the person's data of all events as JSON; remove: removes them for good",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if not options["action"]:
            self.stdout.write("\n".join(map(_line, _found(options["who"]))))
            return
        player = _player(options["who"])
        players = personal_data.rows_of_person(player, Event.objects.all())
        if options["action"] == "show":
            data = stored.personal_data(players)
            self.stdout.write(json.dumps(data, cls=DjangoJSONEncoder, indent=1, ensure_ascii=False))
            return
        try:
            personal_data.remove(players, SYSTEM)
        except Refused as refused:
            raise CommandError(refused.sentence) from None
        self.stdout.write(_("Removed from {count} events. Results stay.").format(count=len(players)))


def _found(who: str) -> list[Player]:
    named = Q(name__icontains=who) | Q(full_name__icontains=who) | Q(federation_id=who)
    players = Player.objects.filter(named, removed_at__isnull=True).select_related("event")
    found = list(players.order_by("name", "event__starts_on")[:MOST_FOUND])
    if not found:
        raise CommandError(_("There is nobody of this name or federation number here."))
    return found


def _player(who: str) -> Player:
    """The player with this id."""
    try:
        return Player.objects.select_related("event").get(pk=uuid.UUID(who))
    except (ValueError, Player.DoesNotExist):
        raise CommandError(_("Give the id of the player. A search by name shows it.")) from None


def _line(player: Player) -> str:
    return "  ".join(
        filter(None, [str(player.pk), player.registered_name, player.federation_id, player.event.slug])
    )
