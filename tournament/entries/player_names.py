"""Sets the names of players: the full name, or initials for surnames where the event shortens names.

Every page, file and screen shows `Player.name`. If it is shortened, `Player.full_name` holds the registered name, which
only the entry pages of the event's directors show.
"""

from dataclasses import dataclass, field
from typing import Self

from tournament.entries.closed_entries import refuse_players_while_closed
from tournament.entries.lists.short_names import short_name
from tournament.models import Event, Player


@dataclass(slots=True)
class Naming:
    """Names the players of one event. Short names get more letters until they differ from `taken_names`."""

    is_short: bool
    taken_names: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, event: Event) -> Self:
        names = (
            Player.objects.filter(event=event).values_list("name", flat=True) if event.shows_initials else ()
        )
        return cls(event.shows_initials, set(names))

    def name_player(self, player: Player, full_name: str) -> None:
        """Sets both names of a player. The caller saves the row."""
        if full_name == player.registered_name and player.name in self.taken_names:
            return
        displayed_name = short_name(full_name, self.taken_names) if self.is_short else full_name
        self.taken_names.add(displayed_name)
        player.name = displayed_name
        player.full_name = full_name if displayed_name != full_name else ""


def rename_all(event: Event) -> None:
    """Renames all players by the event's setting. Raises Refused while their names are closed for a public draw."""
    players = list(Player.objects.filter(event=event, removed_at__isnull=True).order_by("pk"))
    refuse_players_while_closed([player.pk for player in players])
    naming = Naming(event.shows_initials)
    for player in players:
        naming.name_player(player, player.registered_name)
    Player.objects.bulk_update(players, ["name", "full_name"])
