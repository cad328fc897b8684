"""Decides which player of the event a new entry is of, by the rule of an imported list."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from tournament.entries.closed_entries import refuse_players_while_closed
from tournament.entries.lists.listing import Line
from tournament.entries.lists.matching import ExistingPlayer, Matching, differ
from tournament.models import Entry, Player, Tournament
from tournament.refusals.entries import SEVERAL_PEOPLE
from tournament.runtime.errors import NotFound, Refused
from tournament.runtime.text import comparison_key

FIELDS = ("country", "club", "team", "federation_id", "rating")
LISTED = ("pk", "name", "full_name", *FIELDS)


@dataclass(frozen=True, slots=True)
class PersonMatch:
    """`player` is the one player of the event who fits; else `candidates` are those between whom a person decides."""

    player: ExistingPlayer | None = None
    candidates: tuple[ExistingPlayer, ...] = ()


def match_person(tournament: Tournament, line: Line) -> PersonMatch:
    """Matches by federation number, else by name and club, else by a name that only one player has.

    A namesake in this tournament is another person. A blank club decides nothing between namesakes.
    """
    players = _namesakes(tournament, line)
    if not players:
        return PersonMatch()
    matching = Matching([line], players, {})
    player = matching.player_of.get(line.number)
    if player is not None and line.federation_id and line.federation_id == player.federation_id:
        return PersonMatch(player)
    namesakes = [row for row in players if _can_be(line, row)]
    if player is None or (len(namesakes) > 1 and not line.club):
        return PersonMatch(candidates=tuple(row for row in namesakes if row.entry_id is None))
    return PersonMatch(player if player.entry_id is None else None)


def _can_be(line: Line, player: ExistingPlayer) -> bool:
    is_namesake = comparison_key(line.name) == comparison_key(player.name)
    return is_namesake and not differ(line, player, ("federation_id", "country", "club"))


def find_player_id(tournament: Tournament, line: Line, chosen: uuid.UUID | None = None) -> uuid.UUID | None:
    """The chosen player, else the one who fits; None if the player is new in the event.

    Raises Refused if a person must choose, NotFound if the chosen player is of another event or removed.
    """
    if chosen is not None:
        players = Player.objects.filter(event=tournament.event_id, removed_at__isnull=True)
        if not players.filter(pk=chosen).exists():
            raise NotFound
        return chosen
    match = match_person(tournament, line)
    if match.candidates:
        raise Refused(SEVERAL_PEOPLE, name=line.name)
    return match.player.player_id if match.player else None


def fill_blank_data(player_id: uuid.UUID, line: Line) -> None:
    """Adds the data of the line that the player of the event has not yet.

    Raises Refused while another tournament of the player is closed for a public draw.
    """
    player = Player.objects.get(pk=player_id)
    missing = [field for field in FIELDS if getattr(line, field) and not getattr(player, field)]
    if missing:
        refuse_players_while_closed([player_id])
        for field in missing:
            setattr(player, field, getattr(line, field))
        player.save(update_fields=missing)


def other_tournaments(player_id: uuid.UUID, tournament: Tournament) -> list[str]:
    """The names of the event's other tournaments that the player is entered in."""
    rows = Entry.objects.filter(player=player_id, tournament__deleted_at__isnull=True)
    rows = rows.exclude(tournament=tournament.pk).order_by("tournament__name")
    return list(rows.values_list("tournament__name", flat=True).distinct())


def _namesakes(tournament: Tournament, line: Line) -> Sequence[ExistingPlayer]:
    """Players of the event with this name or federation number."""
    rows = Player.objects.filter(event=tournament.event_id, removed_at__isnull=True).values(*LISTED)
    name, number = comparison_key(line.name), comparison_key(line.federation_id)
    namesakes = [
        row
        for row in rows
        if comparison_key(row["full_name"] or row["name"]) == name
        or (number and comparison_key(row["federation_id"]) == number)
    ]
    if not namesakes:
        return []
    entries = Entry.objects.filter(player__in=[row["pk"] for row in namesakes])
    listed = entries.filter(tournament__deleted_at__isnull=True).order_by("tournament__name")
    here: dict[uuid.UUID, uuid.UUID] = {}
    elsewhere: dict[uuid.UUID, tuple[str, ...]] = {}
    for pk, player, tournament_id, title in listed.values_list(
        "pk", "player", "tournament", "tournament__name"
    ):
        if tournament_id == tournament.pk:
            here[player] = pk
        elif title not in elsewhere.get(player, ()):
            elsewhere[player] = (*elsewhere.get(player, ()), title)
    return [
        ExistingPlayer(
            row["pk"],
            here.get(row["pk"]),
            row["full_name"] or row["name"],
            country=row["country"],
            club=row["club"],
            team=row["team"],
            federation_id=row["federation_id"],
            rating=row["rating"],
            elsewhere=elsewhere.get(row["pk"], ()),
        )
        for row in namesakes
    ]
