"""When matches of an event were opened, called, begun and ended, in minutes from 1970. Reads only.

When play began is known where a match was called; elsewhere it is worked out from when both players were known and
when the first game was written down.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from matches.models import Match
from tournament.brackets.lengths import PlayedTo, StakePlay, planned_length
from tournament.forecast.open_matches import MatchStatus
from tournament.forecast.pace import PaceSample
from tournament.forecast.urgency import PAUSE
from tournament.models import Call, Event, Result, ResultKind

FIRST_GAME: Final = 13.0
"""Minutes that a first game takes before it is written down, about."""
AT_ONCE: Final = 3.0
"""Minutes between the first row of a card and the report within which it was written down afterwards."""


def minute(at: datetime) -> float:
    return at.timestamp() / 60


def moment_at(minutes: float, zone: ZoneInfo) -> datetime:
    """The time that a minute stands for."""
    return datetime.fromtimestamp(minutes * 60, zone)


class MatchRow(NamedTuple):
    opened_at: datetime
    began_at: datetime | None
    reported_at: datetime | None
    left: int
    right: int
    is_crawford: bool


@dataclass(frozen=True, slots=True)
class Times:
    """When matches were opened, called and written on."""

    matches: Mapping[uuid.UUID, MatchRow]
    called: Mapping[uuid.UUID, datetime]

    def began(self, match: uuid.UUID) -> float | None:
        """When play began: as called, else a game before its first row, else a pause after its players were known."""
        row = self.matches[match]
        if match in self.called:
            return minute(self.called[match])
        if row.began_at is None:
            return None
        if row.reported_at is not None and minute(row.reported_at) - minute(row.began_at) < AT_ONCE:
            return min(minute(row.began_at), minute(row.opened_at) + PAUSE)
        return max(minute(row.opened_at), minute(row.began_at) - FIRST_GAME)

    def known(self, to: PlayedTo, match: uuid.UUID | None) -> MatchStatus:
        length, is_session = planned_length(to), isinstance(to, StakePlay)
        if match is None:
            return MatchStatus(length, is_session=is_session)
        row = self.matches[match]
        left, right = _counted(to, row.left, row.right)
        opened, began = minute(row.opened_at), self.began(match)
        return MatchStatus(length, opened, began, left, right, row.is_crawford, is_session)


def times_of(event: Event) -> Times:
    rows = Match.objects.filter(pairing__round__bracket__tournament__event=event).values_list(
        "pk", "opened_at", "began_at", "reported_at", "left_points", "right_points", "is_crawford"
    )
    calls = Call.objects.filter(room__event=event, is_taken_back=False).order_by("called_at")
    called = {
        match: playing_at or called_at
        for match, called_at, playing_at in calls.values_list("match_id", "called_at", "playing_at")
    }
    return Times({row[0]: MatchRow(*row[1:]) for row in rows}, called)


def seen_in(event: Event, times: Times) -> tuple[PaceSample, ...]:
    """The pace of every match that was played to its end."""
    results = Result.objects.filter(
        pairing__round__bracket__tournament__event=event,
        superseded_by__isnull=True,
        kind=ResultKind.PLAYED,
        match__isnull=False,
    ).values_list(
        "match_id",
        "pairing__round__length",
        "pairing__round__games",
        "pairing__round__minutes",
        "left_points",
        "right_points",
        "posted_at",
    )
    found = []
    for match, length, games, minutes, left, right, posted_at in results:
        to = StakePlay(games, minutes) if length is None else length
        began, reported_at = times.began(match), times.matches[match].reported_at
        if began is not None and left is not None and right is not None:
            points = sum(_counted(to, left, right))
            found.append(PaceSample(planned_length(to), points, minute(reported_at or posted_at) - began))
    return tuple(found)


def _counted(to: PlayedTo, left: int, right: int) -> tuple[int, int]:
    """The points of a match as far as they count; a session's as those of a level match that takes as long."""
    if isinstance(to, StakePlay):
        each = min((left + right) // 2, planned_length(to) - 1)
        return each, each
    return min(left, to), min(right, to)
