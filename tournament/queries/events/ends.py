"""Whether tournaments are over, and who won them. Reads only.

Over is a tournament in which nothing is left to be played in any bracket, and no further round will be drawn. A
constant number of statements where knock-outs decide; a table is ranked for each tournament whose winner it crowns.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Count, OuterRef, Q, Subquery

from tournament.draw.formats import Format
from tournament.drawing import rounds
from tournament.models import Bracket, Pairing, Shape, Tournament
from tournament.models.entries import name_of_entry
from tournament.queries.brackets.bracket_list import crown_and_side_brackets, crown_brackets
from tournament.queries.entries.order import Way
from tournament.queries.entries.path import Path
from tournament.queries.standings.standings import StandingShown, standings_shown
from tournament.runtime.errors import Refused

FIRST_PLACES, MOST_TIED = 3, 8
OVER = ("all-rounds-played", "event-over")


@dataclass(frozen=True, slots=True)
class End:
    """How far a tournament is; `champion` is a name, empty while it is not known.

    `winners` are those of brackets beside, by their keys, once they are known.
    """

    is_over: bool = False
    champion: str = ""
    winners: tuple[tuple[str, str], ...] = ()


def ends_of(tournaments: Sequence[Tournament]) -> Mapping[uuid.UUID, End]:
    crowns, sides = crown_and_side_brackets(tournaments)
    undecided = _undecided(tournaments)
    trees = [bracket for bracket in crowns.values() if bracket.shape == Shape.TREE]
    finals = winners_of([*trees, *sides])
    ends: dict[uuid.UUID, End] = {}
    for one in tournaments:
        crown, is_played = crowns.get(one.pk), undecided.get(one.pk) == 0
        beside = [side for side in sides if side.tournament_id == one.pk and side.pk in finals]
        if crown is None:
            end = End()
        elif crown.shape == Shape.TREE:
            end = End(is_played, finals.get(crown.pk, ""))
        else:
            end = _end_of_table(one, crown) if is_played else End()
        ends[one.pk] = replace(end, winners=tuple((side.key, finals[side.pk]) for side in beside))
    return ends


def end_of(tournament: Tournament) -> End:
    return ends_of([tournament])[tournament.pk]


def ended(path: Path) -> Path:
    """The way of an entry, FINISHED where records decide and no further round follows."""
    is_finished = path.way is Way.PLAYED and end_of(path.tournament).is_over
    return replace(path, way=Way.FINISHED) if is_finished else path


def first_places(tournament: Tournament) -> list[StandingShown]:
    """The best places of a tournament that is over, in the bracket where its winner is found."""
    crown = crown_brackets([tournament]).get(tournament.pk)
    lines = standings_shown(tournament, crown.key) if crown else []
    return [line for line in lines if line.place_from <= FIRST_PLACES][:MOST_TIED]


def _undecided(tournaments: Sequence[Tournament]) -> Mapping[uuid.UUID, int]:
    """How many pairings are not settled, of tournaments that are drawn."""
    rows = Pairing.objects.filter(round__bracket__tournament__in=tournaments)
    counted = rows.values_list("round__bracket__tournament").annotate(open=Count("pk", filter=Q(settled="")))
    return dict(counted)


def winners_of(brackets: Iterable[Bracket]) -> Mapping[uuid.UUID, str]:
    """The name of who won the last pairing of each bracket, where it is decided."""
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
        rounds.next_round_basis(tournament)
    except Refused as refused:
        return refused.code not in OVER
    return True
