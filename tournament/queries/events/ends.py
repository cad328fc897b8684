"""Finds out which tournaments are over, their winners, and the final places of entries. Reads only.

A tournament is over if every pairing of every bracket is settled and no further round will be paired. The number of
statements is constant for knockouts; a tournament decided by records needs its standings as well.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Count, OuterRef, Q, Subquery

from tournament.access.draw_visibility import is_released
from tournament.draw.prizes import Share
from tournament.models import Bracket, Entry, Pairing, Shape, Tournament
from tournament.models.entries import name_of_entry
from tournament.queries.brackets.bracket_list import crown_and_side_brackets, crown_brackets
from tournament.queries.entries.path import Path
from tournament.queries.entries.path_state import PathState
from tournament.queries.next_rounds import NextRoundState, next_rounds
from tournament.queries.standings.final_ranking import final_ranking, line_of
from tournament.queries.standings.standings import Ranking, StandingLine, list_rankings, standing_lines

FIRST_PLACES, MOST_TIED = 3, 8


@dataclass(frozen=True, slots=True)
class TournamentEnd:
    """`champion` is a name, empty until it is certain. `winners` are pairs of a side bracket's key and a name."""

    is_over: bool = False
    champion: str = ""
    winners: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Winners:
    """The best places of a bracket with a winner of its own, and all places with a prize.

    `bracket` is its key, empty for the whole tournament.
    """

    bracket: str
    lines: tuple[StandingLine, ...]

    @property
    def champions(self) -> list[StandingLine]:
        """The winner; several entries if they share the first place."""
        return [line for line in self.lines if line.place_from == 1]

    @property
    def others(self) -> list[StandingLine]:
        return [line for line in self.lines if line.place_from > 1]


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """The end of a tournament with its places and prizes.

    `ranking` is the final ranking, and `winners` its best places; both are None until the tournament is over. `sides`
    are decided brackets with a winner of their own: consolation, last chance and jackpots.
    """

    end: TournamentEnd
    ranking: Ranking | None = None
    winners: Winners | None = None
    sides: tuple[Winners, ...] = ()


@dataclass(frozen=True, slots=True)
class FinalPlace:
    """Places `first` to `last` among `entries`, shared if they differ. They cannot change any more.

    `bracket` is the key of a side bracket, empty for the place in the whole tournament.
    """

    bracket: str
    first: int
    last: int
    entries: int
    prize: Share | None

    @property
    def text(self) -> str:
        """“3” or “3–4”."""
        return f"{self.first}" if self.first == self.last else f"{self.first}–{self.last}"


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


def find_result(tournament: Tournament) -> TournamentResult:
    """The number of statements does not depend on the size of the tournament."""
    end = find_end(tournament)
    if not end.is_over and not end.winners:
        return TournamentResult(end)
    rankings = list_rankings(tournament)
    ranking = final_ranking(rankings) if end.is_over else None
    winner_keys = {key for key, _ in end.winners}
    sides = (side for side in rankings if side.key in winner_keys and side.is_over)
    return TournamentResult(
        end,
        ranking,
        Winners("", _first_places(ranking)) if ranking else None,
        tuple(Winners(side.key, _first_places(side)) for side in sides),
    )


def _first_places(ranking: Ranking) -> tuple[StandingLine, ...]:
    first = [line for line in ranking.lines if line.place_from <= FIRST_PLACES]
    return (*first[:MOST_TIED], *(line for line in ranking.lines if line.prize and line not in first))


def final_places(entry: Entry) -> list[FinalPlace]:
    """Returns the places of an entry that are final: in the tournament first, then in side brackets that it played.

    Empty while it is in, and before the release of the draw. Expects the entry's tournament to be loaded.
    """
    if not is_released(entry.tournament):
        return []
    rankings = list_rankings(entry.tournament)
    whole = final_ranking(rankings)
    within = set(whole.brackets) if whole else {ranking.key for ranking in rankings if ranking.is_table}
    sides = [ranking for ranking in rankings if ranking.key not in within]
    return [
        FinalPlace(
            "" if ranking is whole else ranking.key,
            line.place_from,
            line.place_to,
            max(len(ranking.lines), line.place_to),
            line.prize,
        )
        for ranking in ([whole] if whole else []) + sides
        if (line := line_of(ranking, entry.pk)) is not None and _is_final(ranking, line)
    ]


def _is_final(ranking: Ranking, line: StandingLine) -> bool:
    return ranking.is_over or not (ranking.is_table or line.is_in)


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
