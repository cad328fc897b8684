"""Which matches are taken to be under way although nobody said so: in a room without calls play just begins."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from tournament.forecast.moment import Moment
from tournament.forecast.open_matches import OpenMatch, Stage


def assume_started(moment: Moment, tournament_starts: Mapping[str, float]) -> Moment:
    """The same moment with every match begun that could have: a pause after its players were known, never before its
    tournament began (`since`; one that is not named there has not), nobody in two of them, and no more of them than
    there are tables. Of several that somebody could play it is the first in the order of the draw."""
    playing = [match for match in moment.matches if match.stage == Stage.PLAYING]
    starts = {match.key: _assumed_start(match, moment, tournament_starts) for match in moment.matches}
    startable = [
        match for match in moment.matches if (start := starts[match.key]) is not None and start <= moment.now
    ]
    startable.sort(key=lambda match: starts[match.key] or 0.0)
    tables = len(startable) if moment.tables is None else max(0, moment.tables - len(playing))
    started = set(_assign_tables(startable, {person for match in playing for person in match.people}, tables))
    return replace(
        moment,
        matches=tuple(
            replace(match, status=match.status._replace(began=starts[match.key]))
            if match.key in started
            else match
            for match in moment.matches
        ),
    )


def _assign_tables(matches: Iterable[OpenMatch[Any]], busy: set[Hashable], tables: int) -> Iterator[Any]:
    """The keys of those that go to so many tables, one after the other."""
    for match in matches:
        if tables and busy.isdisjoint(match.people):
            busy.update(match.people)
            tables -= 1
            yield match.key


def _assumed_start(
    match: OpenMatch[Any], moment: Moment, tournament_starts: Mapping[str, float]
) -> float | None:
    if (
        match.stage != Stage.READY
        or match.part.tournament not in tournament_starts
        or match.status.ready is None
    ):
        return None
    return max(match.status.ready + moment.pause, tournament_starts[match.part.tournament])
