"""Decides how players of an event are called on its pages: by their full names, or with initials for surnames.

`Player.name` is the name that every page, file and screen shows. Where it is shortened, `Player.full_name` keeps the
registered one, which only the entry pages of those who run the event show.
"""

from dataclasses import dataclass, field
from typing import Self

from tournament.entries.closed_entries import refuse_players_while_closed
from tournament.entries.lists.short_names import short_name
from tournament.models import Event, Player


@dataclass(slots=True)
class Naming:
    """Names the players of one event; names given before are not given again where letters can tell them apart."""

    is_short: bool
    taken: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, event: Event) -> Self:
        names = (
            Player.objects.filter(event=event).values_list("name", flat=True) if event.shows_initials else ()
        )
        return cls(event.shows_initials, set(names))

    def give(self, player: Player, full_name: str) -> None:
        """Sets both names of a player; saving is left to the caller."""
        if full_name == player.registered_name and player.name in self.taken:
            return
        shown = short_name(full_name, self.taken) if self.is_short else full_name
        self.taken.add(shown)
        player.name = shown
        player.full_name = full_name if shown != full_name else ""


def rename_all(event: Event) -> None:
    """Names all players by the event's setting. Raises Refused while their names are closed for a public draw."""
    players = list(Player.objects.filter(event=event, removed_at__isnull=True).order_by("pk"))
    refuse_players_while_closed([player.pk for player in players])
    naming = Naming(event.shows_initials)
    for player in players:
        naming.give(player, player.registered_name)
    Player.objects.bulk_update(players, ["name", "full_name"])
