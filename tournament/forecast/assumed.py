"""Which matches are taken to be under way although nobody said so: in a room without calls play just begins."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from tournament.forecast.moment import Moment
from tournament.forecast.open_matches import OpenMatch, Stage


def taken_to_play(moment: Moment, since: Mapping[str, float]) -> Moment:
    """The same moment with every match begun that could have: a pause after its players were known, never before its
    tournament began (`since`; one that is not named there has not), nobody in two of them, and no more of them than
    there are tables. Of several that somebody could play it is the first in the order of the draw."""
    playing = [one for one in moment.matches if one.stage == Stage.PLAYING]
    starts = {one.key: _start(one, moment, since) for one in moment.matches}
    could = [one for one in moment.matches if (start := starts[one.key]) is not None and start <= moment.now]
    could.sort(key=lambda one: starts[one.key] or 0.0)
    tables = len(could) if moment.tables is None else max(0, moment.tables - len(playing))
    begun = set(_one_each(could, {person for one in playing for person in one.people}, tables))
    return replace(
        moment,
        matches=tuple(
            replace(one, known=one.known._replace(began=starts[one.key])) if one.key in begun else one
            for one in moment.matches
        ),
    )


def _one_each(could: Iterable[OpenMatch[Any]], busy: set[Hashable], tables: int) -> Iterator[Any]:
    """The keys of those that go to so many tables, one after the other."""
    for one in could:
        if tables and busy.isdisjoint(one.people):
            busy.update(one.people)
            tables -= 1
            yield one.key


def _start(one: OpenMatch[Any], moment: Moment, since: Mapping[str, float]) -> float | None:
    if one.stage != Stage.READY or one.part.tournament not in since or one.known.ready is None:
        return None
    return max(one.known.ready + moment.pause, since[one.part.tournament])
