"""Whether tournaments are over, and who won them. Reads only.

Over is a tournament in which nothing is left to be played in any bracket, and no further round will be drawn. A
constant number of statements where knock-outs decide; a table is ranked for each tournament whose winner it crowns.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, OuterRef, Q, Subquery

from tournament import rounds
from tournament.draw.formats import Format
from tournament.errors import Refused
from tournament.models import Bracket, Pairing, Shape, Tournament
from tournament.models.entries import name_of_entry
from tournament.showing.bracket_list import crowns_of
from tournament.showing.standings import standings_shown

OVER = ("all-rounds-played", "event-over")


@dataclass(frozen=True, slots=True)
class End:
    """How far a tournament is; `champion` is a name, empty while it is not known."""

    is_over: bool = False
    champion: str = ""


def ends_of(tournaments: Sequence[Tournament]) -> Mapping[uuid.UUID, End]:
    crowns = crowns_of(tournaments)
    undecided = _undecided(tournaments)
    finals = _finals(bracket for bracket in crowns.values() if bracket.shape == Shape.TREE)
    ends: dict[uuid.UUID, End] = {}
    for one in tournaments:
        crown, is_played = crowns.get(one.pk), undecided.get(one.pk) == 0
        if crown is None:
            ends[one.pk] = End()
        elif crown.shape == Shape.TREE:
            ends[one.pk] = End(is_played, finals.get(crown.pk, ""))
        else:
            ends[one.pk] = _end_of_table(one, crown) if is_played else End()
    return ends


def _undecided(tournaments: Sequence[Tournament]) -> Mapping[uuid.UUID, int]:
    """How many pairings are not settled, of tournaments that are drawn."""
    rows = Pairing.objects.filter(round__bracket__tournament__in=tournaments)
    counted = rows.values_list("round__bracket__tournament").annotate(open=Count("pk", filter=Q(settled="")))
    return dict(counted)


def _finals(brackets: Iterable[Bracket]) -> Mapping[uuid.UUID, str]:
    """Who won the last pairing of each bracket."""
    inside = Pairing.objects.filter(round__bracket=OuterRef("pk"))
    last = inside.order_by("-round__number", "line").values("pk")[:1]
    ids = Bracket.objects.filter(pk__in=[one.pk for one in brackets]).values_list(Subquery(last))
    rows = Pairing.objects.filter(pk__in=ids, winner__isnull=False)
    won = rows.values_list("round__bracket", "winner__player__name", "winner__number")
    return {bracket: name_of_entry(name, number) for bracket, name, number in won}


def _end_of_table(tournament: Tournament, crown: Bracket) -> End:
    """For a bracket in which everything that is drawn is played."""
    if _goes_on(tournament):
        return End()
    first = [line for line in standings_shown(tournament, crown.key) if line.place_from == 1]
    return End(is_over=True, champion=first[0].name if len(first) == 1 else "")


def _goes_on(tournament: Tournament) -> bool:
    """Whether another round will be paired."""
    if not Format.from_json(tournament.format).is_growing:
        return False
    try:
        rounds.next_basis(tournament)
    except Refused as refused:
        return refused.code not in OVER
    return True
