"""The final ranking of a whole tournament: over groups and play-off, or of the bracket that crowns the winner. Pure."""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tournament.places.certain import FINAL_RANKING
from tournament.places.families import GROUP, PLAY_OFF
from tournament.places.final_ranking import rank_groups_behind
from tournament.prizes.places import Place
from tournament.queries.standings.lines import StandingLine
from tournament.queries.standings.standings import Ranking


def groups_of(rankings: Iterable[Ranking]) -> list[Ranking]:
    return [ranking for ranking in rankings if ranking.is_table and ranking.key.startswith(GROUP)]


def final_ranking(rankings: Sequence[Ranking]) -> Ranking | None:
    """Returns the ranking of all entries, from all rankings of the tournament.

    None before the draw, and in groups with a play-off until every group is played.
    """
    groups = groups_of(rankings)
    play_off = next((ranking for ranking in rankings if ranking.key == PLAY_OFF), None)
    if play_off is None or not groups:
        return next(iter(rankings), None)
    if not all(group.is_over for group in groups):
        return None
    in_groups = {line.entry_id: line for group in groups for line in group.lines}
    first = [_add_totals(line, in_groups.get(line.entry_id)) for line in play_off.lines]
    return Ranking(
        key=FINAL_RANKING,
        brackets=tuple(ranking.key for ranking in (*groups, play_off)),
        is_table=False,
        lines=(*first, *_lines_behind(play_off, groups)),
        is_over=play_off.is_over,
    )


def _lines_behind(play_off: Ranking, groups: Iterable[Ranking]) -> list[StandingLine]:
    """Returns the lines of the entries that did not reach the play-off, best first."""
    groups = list(groups)
    lines = {line.entry_id: line for group in groups for line in group.lines}
    behind = rank_groups_behind(
        {line.entry_id for line in play_off.lines},
        [[Place(line.entry_id, line.place_from, line.place_to) for line in group.lines] for group in groups],
    )
    placed = [_placed(lines[place.entry], place) for place in behind]
    return sorted(placed, key=lambda line: (line.place_from, line.name.casefold()))


def _placed(line: StandingLine, place: Place[uuid.UUID]) -> StandingLine:
    return replace(
        line, place_from=place.place_from, place_to=place.place_to, is_in=False, out_in=None, explained=()
    )


def _add_totals(line: StandingLine, earlier: StandingLine | None) -> StandingLine:
    """Adds what the entry played in its group."""
    if earlier is None:
        return line
    names = ("won", "lost", "walkovers", "byes", "points_for", "points_against")
    return replace(line, **{name: getattr(line, name) + getattr(earlier, name) for name in names})


def line_of(ranking: Ranking, entry: uuid.UUID) -> StandingLine | None:
    return next((line for line in ranking.lines if line.entry_id == entry), None)
