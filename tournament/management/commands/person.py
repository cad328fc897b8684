"""`manage.py person`: finds players in all events, shows what is stored of one person, and removes it."""

import json
import uuid
from argparse import ArgumentParser
from contextlib import suppress
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.core.serializers.json import DjangoJSONEncoder
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.access.actors import SYSTEM
from tournament.entries import personal_data
from tournament.models import Player
from tournament.queries.entries import personal_data as stored
from tournament.queries.events.events import all_events
from tournament.runtime.errors import Refused

MOST_RESULTS = 100


class Command(BaseCommand):
    help = "Finds players by name or federation number; shows or removes all data of one person."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "who", help="part of a name, a federation number, or the id that a search printed"
        )
        parser.add_argument(
            "action",
            nargs="?",
            choices=["show", "remove"],
            help="show: prints the person's data of all events as JSON; remove: deletes it permanently",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if not options["action"]:
            self.stdout.write("\n".join(map(_line, _find_players(options["who"]))))
            return
        player = _load_player(options["who"])
        players = personal_data.rows_of_person(player, all_events())
        if options["action"] == "show":
            data = stored.personal_data(players)
            self.stdout.write(json.dumps(data, cls=DjangoJSONEncoder, indent=1, ensure_ascii=False))
            return
        try:
            personal_data.remove(players, SYSTEM)
        except Refused as refused:
            raise CommandError(str(refused)) from None
        self.stdout.write(
            ngettext(
                "The person's data was removed from {count} event. Results are kept.",
                "The person's data was removed from {count} events. Results are kept.",
                len(players),
            ).format(count=len(players))
        )


def _find_players(who: str) -> list[Player]:
    results = list(stored.find_players(who)[:MOST_RESULTS])
    if not results:
        raise CommandError(_("No player has this name or federation number."))
    return results


def _load_player(who: str) -> Player:
    with suppress(ValueError):
        player = stored.find_player(uuid.UUID(who))
        if player is not None:
            return player
    raise CommandError(_("This is not the id of a player. Search by name to find it."))


def _line(player: Player) -> str:
    return "  ".join(
        filter(None, [str(player.pk), player.registered_name, player.federation_id, player.event.slug])
    )
