"""Assumes which matches are under way in a room without calls, where play begins without notice."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from tournament.forecast.moment import Moment
from tournament.forecast.open_matches import OpenMatch, Stage
from tournament.forecast.pauses import end_of_pause


def assume_started(moment: Moment, tournament_starts: Mapping[str, float]) -> Moment:
    """Returns the moment with all matches started that can have started.

    A match starts a pause after its players are known, but not before its tournament starts (`tournament_starts`; a
    missing tournament has not started). No person is in two matches, and there are no more matches than tables. Of
    several matches of a person the first in the order of the draw starts.
    """
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
    """Yields the keys of the matches that get a table, one after the other."""
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
    return max(end_of_pause(match.status.ready, moment.pause), tournament_starts[match.part.tournament])
