"""The places of a whole tournament: certain ones, and possible ones of entries that are still in. Reads only."""

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tournament.brackets.storage import Sheet
from tournament.draw.formats import Kind
from tournament.draw.graph import Graph
from tournament.draw.seating import Facts, How, Seating, resolve
from tournament.draw.standings import Standing, TieBreak
from tournament.draw.standings.knockout_places import Placing, knockout_places
from tournament.models import Bracket, Shape, Tournament
from tournament.places.by_record import RankingRules, is_played_out, rank_by_rules, ranking_rules
from tournament.places.families import GROUP, PLAY_OFF, RANKED_ABOVE, RANKED_TOGETHER, family_of
from tournament.places.feats import pair_of_three, unbeaten
from tournament.places.final_ranking import rank_groups_behind
from tournament.prizes.places import Place
from tournament.prizes.structure import Feat

FactsAndSeating: TypeAlias = tuple[Facts[int, uuid.UUID], Seating[int, uuid.UUID]]
EntryPlace: TypeAlias = Place[uuid.UUID]
FINAL_RANKING = "final-ranking"
"""The key of a ranking over groups and play-off, which is no bracket."""
JACKPOT = "jackpot "


@dataclass(frozen=True, slots=True)
class PlaceList:
    """Every entry of a list of places, best first. `is_over`: no match of its brackets is left."""

    places: tuple[EntryPlace, ...]
    is_over: bool

    @property
    def certain(self) -> Iterable[EntryPlace]:
        return (place for place in self.places if not place.still_in)


def stored_facts(sheet: Sheet) -> FactsAndSeating:
    """The stored results and seats, without resolving the graph again.

    The seats do not follow from results that no worker has advanced yet.
    """
    return sheet.facts, Seating(sheet.seated(), frozenset())


def resolved_facts(sheet: Sheet) -> FactsAndSeating:
    """The stored results, and the seats that follow from all of them."""
    return sheet.facts, resolve(sheet.graph, *sheet.facts)


@dataclass(frozen=True, slots=True)
class PlaceRules:
    """The shapes of a tournament's brackets, and the rules of those that are ranked by records."""

    shapes: Mapping[str, str]
    ranking: RankingRules | None


def place_rules(tournament: Tournament) -> PlaceRules:
    shapes = dict(Bracket.objects.filter(tournament=tournament).values_list("key", "shape"))
    return PlaceRules(shapes, ranking_rules(tournament) if Shape.TABLE in shapes.values() else None)


def list_places(
    tournament: Tournament, sheet: Sheet, facts_and_seating: FactsAndSeating
) -> dict[str, PlaceList]:
    """Returns every list of places by the key of its first bracket, and in groups with a play-off the final ranking.

    The facts may differ from the stored ones, for previews of corrections.
    """
    return places_by_rules(place_rules(tournament), sheet, facts_and_seating)


def places_by_rules(
    rules: PlaceRules, sheet: Sheet, facts_and_seating: FactsAndSeating
) -> dict[str, PlaceList]:
    """As `list_places`, for simulations that list places many times. Reads nothing."""
    families: dict[str, dict[str, None]] = {}
    for row in sheet.rows.values():
        families.setdefault(family_of(row.bracket), {})[row.bracket] = None
    lists = {
        family: _by_records(rules.ranking, sheet, family, facts_and_seating)
        if rules.ranking is not None and rules.shapes[family] == Shape.TABLE
        else _by_tree(sheet, list(brackets), facts_and_seating[1])
        for family, brackets in families.items()
    }
    final = _final_places(lists)
    return lists if final is None else {**lists, FINAL_RANKING: final}


def is_over(lists: Mapping[str, PlaceList]) -> bool:
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


def _by_tree(sheet: Sheet, brackets: Sequence[str], seating: Seating[int, uuid.UUID]) -> PlaceList:
    states = {pk: seating[pk] for pk, row in sheet.rows.items() if row.bracket in brackets}
    wins = Counter(state.result.winner for state in states.values() if state.result.how is not How.BYE)
    best = unbeaten(sheet.rows, states) if "lower" in brackets else None
    places = tuple(
        Place(
            placing.entry,
            placing.place_from,
            placing.place_to,
            placing.still_in,
            wins=wins[placing.entry],
            feats=frozenset({Feat.UNBEATEN} if placing.entry == best else ()),
        )
        for placing in rank_tree(sheet.graph, seating, brackets)
    )
    return PlaceList(places, all(state.result.how is not None for state in states.values()))


def _by_records(
    ranking: RankingRules, sheet: Sheet, key: str, facts_and_seating: FactsAndSeating
) -> PlaceList:
    facts, seating = facts_and_seating
    states = {pk: seating[pk] for pk, row in sheet.rows.items() if row.bracket == key}
    ranked = rank_by_rules(ranking, sheet.rows, facts, states)
    over = not ranked.still_in and is_played_out(ranking.format, sheet.rows, states)
    pair = pair_of_three(sheet.rows, states) if ranking.format.kind is Kind.LIVES else frozenset()
    spans = _spans_of_scores(ranked.standings)
    last = len(ranked.standings)
    places = []
    for standing in ranked.standings:
        span = (standing.place_from, standing.place_to) if over else (1, last)
        tie = spans.get(_score(standing), span) if over else span
        record = standing.record
        feats = frozenset({Feat.PAIR_OF_THREE} if standing.entry in pair else ())
        wins = record.wins + record.walkovers_won
        places.append(Place(standing.entry, *span, not over, *tie, wins=wins, feats=feats))
    return PlaceList(tuple(places), over)


def _score(standing: Standing[uuid.UUID]) -> object:
    """The ranking value before any tie-break: the score, or with lives the lives left and the last round."""
    steps = {step.tie_break: step.value for step in standing.steps}
    if TieBreak.LIVES_LEFT in steps:
        return steps[TieBreak.LIVES_LEFT], steps.get(TieBreak.LASTED)
    return steps.get(TieBreak.SCORE)


def _spans_of_scores(standings: Iterable[Standing[uuid.UUID]]) -> dict[object, tuple[int, int]]:
    spans: dict[object, tuple[int, int]] = {}
    for standing in standings:
        first, last = spans.get(_score(standing), (standing.place_from, standing.place_to))
        spans[_score(standing)] = (min(first, standing.place_from), max(last, standing.place_to))
    return spans


def _final_places(lists: Mapping[str, PlaceList]) -> PlaceList | None:
    groups = [places for key, places in lists.items() if key.startswith(GROUP)]
    play_off = lists.get(PLAY_OFF)
    if play_off is None or not groups or not all(group.is_over for group in groups):
        return None
    behind = rank_groups_behind(
        {place.entry for place in play_off.places}, [group.places for group in groups]
    )
    return PlaceList((*play_off.places, *behind), play_off.is_over)
