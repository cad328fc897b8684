"""The final ranking of a whole tournament: over groups and play-off, or of the bracket that crowns the winner. Pure.

In groups with a play-off, the players of the play-off come first, with their places there. The others follow by their
places in their groups; equal group places share their places.
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tournament.queries.standings.lines import StandingLine
from tournament.queries.standings.standings import Ranking

FINAL_RANKING = "final-ranking"
"""The key of a ranking over groups and play-off, which is no bracket."""
GROUP, PLAY_OFF = "group ", "play-off"


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
    playing = {line.entry_id for line in play_off.lines}
    out = [line for group in groups for line in group.lines if line.entry_id not in playing]
    out.sort(key=lambda line: (line.place_from, line.name.casefold()))
    first = len(playing) + 1
    lines: list[StandingLine] = []
    for group_place in dict.fromkeys(line.place_from for line in out):
        tier = [line for line in out if line.place_from == group_place]
        last = first + len(tier) - 1
        lines += [_placed(line, first, last) for line in tier]
        first = last + 1
    return lines


def _placed(line: StandingLine, first: int, last: int) -> StandingLine:
    return replace(line, place_from=first, place_to=last, is_in=False, out_in=None, explained=())


def _add_totals(line: StandingLine, earlier: StandingLine | None) -> StandingLine:
    """Adds what the entry played in its group."""
    if earlier is None:
        return line
    names = ("won", "lost", "walkovers", "byes", "points_for", "points_against")
    return replace(line, **{name: getattr(line, name) + getattr(earlier, name) for name in names})


def line_of(ranking: Ranking, entry: uuid.UUID) -> StandingLine | None:
    return next((line for line in ranking.lines if line.entry_id == entry), None)
