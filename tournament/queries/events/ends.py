"""Finds out which tournaments are over, and their winners. Reads only.

A tournament is over if every pairing of every bracket is settled and no further round will be paired. The number of
statements is constant for knockouts; a tournament decided by records needs its standings as well.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Count, OuterRef, Q, Subquery

from tournament.models import Bracket, Pairing, Shape, Tournament
from tournament.models.entries import name_of_entry
from tournament.queries.brackets.bracket_list import crown_and_side_brackets, crown_brackets
from tournament.queries.entries.path import Path
from tournament.queries.entries.path_state import PathState
from tournament.queries.next_rounds import NextRoundState, next_rounds
from tournament.queries.standings.standings import StandingLine, standing_lines

FIRST_PLACES, MOST_TIED = 3, 8


@dataclass(frozen=True, slots=True)
class TournamentEnd:
    """`champion` is a name, empty until it is certain. `winners` are pairs of a side bracket's key and a name."""

    is_over: bool = False
    champion: str = ""
    winners: tuple[tuple[str, str], ...] = ()


def find_ends(tournaments: Sequence[Tournament]) -> Mapping[uuid.UUID, TournamentEnd]:
    crowns, sides = crown_and_side_brackets(tournaments)
    undecided_counts = _undecided_counts(tournaments)
    trees = [bracket for bracket in crowns.values() if bracket.shape == Shape.TREE]
    finals = bracket_winners([*trees, *sides])
    decided = [tournament for tournament in tournaments if undecided_counts.get(tournament.pk) == 0]
    to_pair = {pk for pk, following in next_rounds(decided).items() if following.state != NextRoundState.NONE}
    ends: dict[uuid.UUID, TournamentEnd] = {}
    for tournament in tournaments:
        crown, is_played = crowns.get(tournament.pk), tournament in decided
        side_winners = [side for side in sides if side.tournament_id == tournament.pk and side.pk in finals]
        if crown is None:
            end = TournamentEnd()
        elif crown.shape == Shape.TREE:
            end = TournamentEnd(is_played, finals.get(crown.pk, ""))
        else:
            is_over = is_played and tournament.pk not in to_pair
            end = _end_of_table(tournament, crown) if is_over else TournamentEnd()
        ends[tournament.pk] = replace(
            end, winners=tuple((side.key, finals[side.pk]) for side in side_winners)
        )
    return ends


def find_end(tournament: Tournament) -> TournamentEnd:
    return find_ends([tournament])[tournament.pk]


def mark_finished(path: Path) -> Path:
    """Returns the path with the state FINISHED if records decide and no further round follows."""
    is_finished = path.state is PathState.PLAYED and find_end(path.tournament).is_over
    return replace(path, state=PathState.FINISHED) if is_finished else path


def top_places(tournament: Tournament) -> list[StandingLine]:
    """Returns the best places of a finished tournament, in the bracket that decides its winner."""
    crown = crown_brackets([tournament]).get(tournament.pk)
    lines = standing_lines(tournament, crown.key) if crown else []
    return [line for line in lines if line.place_from <= FIRST_PLACES][:MOST_TIED]


def _undecided_counts(tournaments: Sequence[Tournament]) -> Mapping[uuid.UUID, int]:
    """Counts unsettled pairings by tournament. Tournaments without a draw are missing."""
    rows = Pairing.objects.filter(round__bracket__tournament__in=tournaments)
    counted = rows.values_list("round__bracket__tournament").annotate(open=Count("pk", filter=Q(settled="")))
    return dict(counted)


def bracket_winners(brackets: Iterable[Bracket]) -> Mapping[uuid.UUID, str]:
    """Returns the winner of the last pairing by bracket; undecided brackets are missing."""
    pairings = Pairing.objects.filter(round__bracket=OuterRef("pk"))
    last = pairings.order_by("-round__number", "line").values("pk")[:1]
    ids = Bracket.objects.filter(pk__in=[bracket.pk for bracket in brackets]).values_list(Subquery(last))
    rows = Pairing.objects.filter(pk__in=ids, winner__isnull=False)
    winners = rows.values_list("round__bracket", "winner__player__name", "winner__number")
    return {bracket: name_of_entry(name, number) for bracket, name, number in winners}


def _end_of_table(tournament: Tournament, crown: Bracket) -> TournamentEnd:
    """Expects a bracket whose pairings are all settled, without a further round."""
    first = [line for line in standing_lines(tournament, crown.key) if line.place_from == 1]
    return TournamentEnd(is_over=True, champion=first[0].name if len(first) == 1 else "")
