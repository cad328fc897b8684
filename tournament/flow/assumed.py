"""Which matches are taken to be under way although nobody said so: in a room without calls play just begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tournament.flow.moment import Moment
from tournament.flow.open_matches import OpenMatch, Stage


def taken_to_play(moment: Moment, since: Mapping[str, float]) -> Moment:
    """The same moment with every match begun that could have: a pause after its players were known, never before its
    tournament began (`since`; one that is not named there has not), and no more of them than there are tables."""
    playing = sum(one.stage == Stage.PLAYING for one in moment.matches)
    starts = {one.key: _start(one, moment, since) for one in moment.matches}
    could = [one for one in moment.matches if (start := starts[one.key]) is not None and start <= moment.now]
    could.sort(key=lambda one: starts[one.key] or 0.0)
    if moment.tables is not None:
        could = could[: max(0, moment.tables - playing)]
    begun = {one.key for one in could}
    return replace(
        moment,
        matches=tuple(
            replace(one, known=one.known._replace(began=starts[one.key])) if one.key in begun else one
            for one in moment.matches
        ),
    )


def _start(one: OpenMatch[Any], moment: Moment, since: Mapping[str, float]) -> float | None:
    if one.stage != Stage.READY or one.part.tournament not in since or one.known.ready is None:
        return None
    return max(one.known.ready + moment.pause, since[one.part.tournament])
