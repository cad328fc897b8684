"""Times at which an event's matches were opened, called, begun and ended, in minutes since 1970. Reads only.

The start of a called match is known. For other matches it is estimated from two times: when both players were known,
and when the first game was entered.
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
from tournament.forecast.pauses import DEFAULT_PAUSE, end_of_pause
from tournament.models import Call, Event, Result, ResultKind

FIRST_GAME: Final = 13.0
"""Approximate minutes until the first game of a match is entered."""
ENTERED_AFTERWARDS: Final = 3.0
"""If fewer minutes pass between the first row of a card and the report, the card was entered after the match."""


def minute(at: datetime) -> float:
    return at.timestamp() / 60


def moment_at(minutes: float, zone: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(minutes * 60, zone)


class MatchRow(NamedTuple):
    opened_at: datetime
    began_at: datetime | None
    reported_at: datetime | None
    left: int
    right: int
    is_crawford: bool


@dataclass(frozen=True, slots=True)
class MatchTimes:
    matches: Mapping[uuid.UUID, MatchRow]
    called: Mapping[uuid.UUID, datetime]

    def began(self, match: uuid.UUID) -> float | None:
        """The minute at which play began, or None: the call, otherwise one game before the first row of the card.

        If the card was entered after the match, play began a pause after both players were known.
        """
        row = self.matches[match]
        if match in self.called:
            return minute(self.called[match])
        if row.began_at is None:
            return None
        if (
            row.reported_at is not None
            and minute(row.reported_at) - minute(row.began_at) < ENTERED_AFTERWARDS
        ):
            return min(minute(row.began_at), end_of_pause(minute(row.opened_at), DEFAULT_PAUSE))
        return max(minute(row.opened_at), minute(row.began_at) - FIRST_GAME)

    def status(self, to: PlayedTo, match: uuid.UUID | None) -> MatchStatus:
        length, is_session = planned_length(to), isinstance(to, StakePlay)
        if match is None:
            return MatchStatus(length, is_session=is_session)
        row = self.matches[match]
        left, right = _counted_points(to, row.left, row.right)
        opened, began = minute(row.opened_at), self.began(match)
        return MatchStatus(length, opened, began, left, right, row.is_crawford, is_session)


def match_times(event: Event) -> MatchTimes:
    rows = Match.objects.filter(pairing__round__bracket__tournament__event=event).values_list(
        "pk", "opened_at", "began_at", "reported_at", "left_points", "right_points", "is_crawford"
    )
    calls = Call.objects.filter(room__event=event, is_taken_back=False).order_by("called_at")
    called = {
        match: playing_at or called_at
        for match, called_at, playing_at in calls.values_list("match_id", "called_at", "playing_at")
    }
    return MatchTimes({row[0]: MatchRow(*row[1:]) for row in rows}, called)


def pace_samples(event: Event, times: MatchTimes) -> tuple[PaceSample, ...]:
    """Returns the pace of every match that was played to its end."""
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
    samples = []
    for match, length, games, minutes, left, right, posted_at in results:
        to = StakePlay(games, minutes) if length is None else length
        began, reported_at = times.began(match), times.matches[match].reported_at
        if began is not None and left is not None and right is not None:
            points = sum(_counted_points(to, left, right))
            samples.append(PaceSample(planned_length(to), points, minute(reported_at or posted_at) - began))
    return tuple(samples)


def _counted_points(to: PlayedTo, left: int, right: int) -> tuple[int, int]:
    """Points up to the length of the match. A session counts like a level match of the same planned duration."""
    if isinstance(to, StakePlay):
        half = min((left + right) // 2, planned_length(to) - 1)
        return half, half
    return min(left, to), min(right, to)
