"""The places of a whole tournament that cannot change any more. Reads only."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournament.brackets.storage import Sheet
from tournament.draw.graph import Graph
from tournament.draw.seating import Facts, Seating
from tournament.draw.standings.knockout_places import Placing, knockout_places
from tournament.models import Bracket, Shape, Tournament
from tournament.places.by_record import is_played_out, rank_by_record
from tournament.places.families import GROUP, PLAY_OFF, RANKED_ABOVE, RANKED_TOGETHER, family_of
from tournament.places.final_ranking import Place, rank_groups_behind

FactsAndSeating = tuple[Facts[int, uuid.UUID], Seating[int, uuid.UUID]]
FINAL_RANKING = "final-ranking"
"""The key of a ranking over groups and play-off, which is no bracket."""
JACKPOT = "jackpot "


@dataclass(frozen=True, slots=True)
class CertainPlaces:
    """The certain places of one list, best first, and the other entries in it. `is_over`: no match is left."""

    places: tuple[Place, ...]
    is_over: bool
    still_in: frozenset[uuid.UUID] = frozenset()


def stored_facts(sheet: Sheet) -> FactsAndSeating:
    """The stored results and seats, without resolving the graph again."""
    return sheet.facts, Seating(sheet.seated(), frozenset())


def certain_places(
    tournament: Tournament, sheet: Sheet, facts_and_seating: FactsAndSeating
) -> dict[str, CertainPlaces]:
    """Returns every list of places by the key of its first bracket, and in groups with a play-off the final ranking.

    The facts may differ from the stored ones, for previews of corrections.
    """
    families: dict[str, dict[str, None]] = {}
    for row in sheet.rows.values():
        families.setdefault(family_of(row.bracket), {})[row.bracket] = None
    drawn = [bracket for brackets in families.values() for bracket in brackets]
    shapes = dict(Bracket.objects.filter(tournament=tournament, key__in=drawn).values_list("key", "shape"))
    lists = {
        family: _by_records(tournament, sheet, family, facts_and_seating)
        if shapes[family] == Shape.TABLE
        else _by_tree(sheet, list(brackets), facts_and_seating[1])
        for family, brackets in families.items()
    }
    final = _final_places(lists)
    return lists if final is None else {**lists, FINAL_RANKING: final}


def is_over(lists: Mapping[str, CertainPlaces]) -> bool:
    """True if every place of the tournament is certain. Jackpots are beside it."""
    parts = [places.is_over for key, places in lists.items() if not key.startswith(JACKPOT)]
    return bool(parts) and all(parts)


def rank_tree(
    graph: Graph[int, uuid.UUID], seating: Seating[int, uuid.UUID], brackets: Sequence[str]
) -> list[Placing[uuid.UUID]]:
    """Returns the placings of brackets that share one list of places."""
    above = [key for key in RANKED_ABOVE if key in brackets]
    ordered = [key for key in RANKED_TOGETHER if key in brackets] or list(brackets)
    return knockout_places(graph, seating, ordered, above)


def _by_tree(sheet: Sheet, brackets: Sequence[str], seating: Seating[int, uuid.UUID]) -> CertainPlaces:
    placings = rank_tree(sheet.graph, seating, brackets)
    rows = (key for key, row in sheet.rows.items() if row.bracket in brackets)
    return CertainPlaces(
        tuple(
            Place(placing.entry, placing.place_from, placing.place_to)
            for placing in placings
            if not placing.still_in
        ),
        all(seating[key].result.how is not None for key in rows),
        frozenset(placing.entry for placing in placings if placing.still_in),
    )


def _by_records(
    tournament: Tournament, sheet: Sheet, key: str, facts_and_seating: FactsAndSeating
) -> CertainPlaces:
    facts, seating = facts_and_seating
    states = {pk: seating[pk] for pk, row in sheet.rows.items() if row.bracket == key}
    ranked = rank_by_record(tournament, sheet.rows, facts, states)
    if ranked.still_in or not is_played_out(tournament, sheet.rows, states):
        return CertainPlaces((), is_over=False, still_in=frozenset(row.entry for row in ranked.standings))
    places = (Place(row.entry, row.place_from, row.place_to) for row in ranked.standings)
    return CertainPlaces(tuple(places), is_over=True)


def _final_places(lists: Mapping[str, CertainPlaces]) -> CertainPlaces | None:
    groups = [places for key, places in lists.items() if key.startswith(GROUP)]
    play_off = lists.get(PLAY_OFF)
    if play_off is None or not groups or not all(group.is_over for group in groups):
        return None
    qualified = {*(place.entry for place in play_off.places), *play_off.still_in}
    behind = rank_groups_behind(qualified, [group.places for group in groups])
    return CertainPlaces((*play_off.places, *behind), play_off.is_over, play_off.still_in)
