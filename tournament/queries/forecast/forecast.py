"""The forecast of an event: likely ends, slow matches and matches that delay the end. Reads only.

Times are in the event's own zone; intervals are widened to whole five minutes. The number of statements does not grow
with a draw. Each event has one seed, so within a minute its times do not change.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final
from zoneinfo import ZoneInfo

from tournament.brackets.round_basis import has_planned_times
from tournament.draw.sentence_error import SentenceError
from tournament.forecast.forecast import FEWEST_TRIALS, EndInterval, Forecast, forecast
from tournament.forecast.moment import GrowingBracket, Moment
from tournament.forecast.open_matches import Part, Stage
from tournament.forecast.slow_matches import find_slow_matches
from tournament.live.channels import desk_channels, private_channel
from tournament.models import Bracket, Event, Room
from tournament.queries.forecast.cache import SharedCache
from tournament.queries.forecast.loading import ForecastInput, load_forecast_input
from tournament.queries.forecast.names import NamedMatch, name_matches, round_titles, title_of
from tournament.queries.forecast.times import moment_at

TRIALS: Final = 1000
MATCHES_PLAYED: Final = 120_000
"""Approximate number of matches in all trials together: a large event gets fewer trials, to finish in two seconds."""
STEP: Final = 5
"""Minutes to which intervals are widened."""
MINUTE: Final = timedelta(minutes=1)
MOST_DELAYING: Final = 5
LEAST_SHARE: Final = 0.2
MOST_SLOW: Final = 12


@dataclass(frozen=True, slots=True)
class Span:
    """An end: four of five forecasts end between `early` and `late`.

    `shows_day`: `early` is not today. `shows_last_day`: `late` is on another day than `early`.
    """

    early: datetime
    middle: datetime
    late: datetime
    shows_day: bool
    shows_last_day: bool


@dataclass(frozen=True, slots=True)
class RoundForecast:
    """`length` is None in stake play, where a forecast knows only the duration. `late`: the minutes by which the round
    before is likely to end after the planned start of this one.
    """

    name: str
    length: int | None
    games: int | None
    matches: int
    span: Span
    planned_at: datetime | None = None
    late: int = 0


@dataclass(frozen=True, slots=True)
class TournamentForecast:
    """`rounds` have matches that are not over. `why_not`: the error if there is no forecast."""

    name: str
    slug: str
    span: Span | None = None
    rounds: tuple[RoundForecast, ...] = ()
    why_not: SentenceError | None = None

    @property
    def is_planned(self) -> bool:
        return any(round_forecast.planned_at for round_forecast in self.rounds)

    @property
    def has_sessions(self) -> bool:
        return any(round_forecast.length is None for round_forecast in self.rounds)


@dataclass(frozen=True, slots=True)
class DelayingMatch:
    """A match that is under way or can start. `percent` of all forecasts end as late as this match lets them."""

    match: NamedMatch
    is_playing: bool
    percent: int
    span: Span


@dataclass(frozen=True, slots=True)
class SlowMatch:
    """A match with fewer points than expected after its minutes. `planned`: the usual minutes for its points."""

    match: NamedMatch
    minutes: int
    points: int
    planned: int


@dataclass(frozen=True, slots=True)
class ForecastPage:
    """`span` is the event's end, None if nothing is left to play. `pace`: percent of the planned minutes, measured in
    `learnt_from` matches."""

    at: datetime
    span: Span | None
    tournaments: tuple[TournamentForecast, ...]
    held: tuple[DelayingMatch, ...]
    slow: tuple[SlowMatch, ...]
    more_slow: int
    pace: int
    learnt_from: int
    tables: int | None
    pause: int


@dataclass(frozen=True)
class EventForecast:
    """The forecast of an event at one minute. `channels` publish the changes that affect it."""

    input: ForecastInput
    zone: ZoneInfo
    seed: str
    trials: int
    forecast: Forecast
    titles: Mapping[Part, str]
    channels: tuple[uuid.UUID | str, ...] = ()


def forecast_event(event: Event, now: datetime) -> EventForecast:
    return FORECASTS.get(event.pk, lambda before: _forecast(event, now, before))


def _forecast(event: Event, now: datetime, before: EventForecast | None) -> EventForecast:
    loaded = load_forecast_input(event, now.replace(second=0, microsecond=0))
    seed, trials = str(event.pk), _trial_count(loaded.moment)
    if before is not None and before.input.moment == loaded.moment:
        result = before.forecast
    else:
        result = forecast(loaded.moment, Random(seed), trials)  # noqa: S311 (the same moment, the same forecast)
    zone, titles = ZoneInfo(event.time_zone), round_titles(loaded)
    return EventForecast(loaded, zone, seed, trials, result, titles, tuple(_channels(event)))


FORECASTS: Final = SharedCache[EventForecast]()


def _channels(event: Event) -> Iterable[uuid.UUID | str]:
    """The event's private channel, which also publishes its first table; the room's; the brackets' with all scores."""
    yield private_channel(event.pk)
    yield from Room.objects.filter(event=event).values_list("pk", flat=True)
    for bracket_id in Bracket.objects.filter(tournament__event=event).values_list("pk", flat=True):
        yield from desk_channels(bracket_id)


def _trial_count(moment: Moment) -> int:
    future = sum(bracket.rounds * len(bracket.losses) // 2 for bracket in moment.growing)
    return max(FEWEST_TRIALS, min(TRIALS, MATCHES_PLAYED // max(1, len(moment.matches) + future)))


def forecast_page(event_forecast: EventForecast) -> ForecastPage:
    """Returns the page data. Leaves out matches that were removed from the draw since the forecast was computed."""
    moment, result = event_forecast.input.moment, event_forecast.forecast
    slow_matches = find_slow_matches(moment.matches, moment.now)
    delaying = _delaying_matches(moment, result)
    keys = [key for key, _ in delaying] + [match.key for match in slow_matches[:MOST_SLOW]]
    named = name_matches(keys, event_forecast.titles)
    playing = {match.key for match in moment.matches if match.stage == Stage.PLAYING}
    return ForecastPage(
        at=moment_at(moment.now, event_forecast.zone),
        span=span_of(event_forecast, result.event) if result.event else None,
        tournaments=tuple(_tournament(event_forecast, slug) for slug in event_forecast.input.tournaments),
        held=tuple(
            DelayingMatch(
                named[key], key in playing, round(100 * share), span_of(event_forecast, result.matches[key])
            )
            for key, share in delaying
            if key in named
        ),
        slow=tuple(
            SlowMatch(
                named[match.key], round(match.minutes), match.points, round(match.minutes - match.behind)
            )
            for match in slow_matches[:MOST_SLOW]
            if match.key in named
        ),
        more_slow=max(0, len(slow_matches) - MOST_SLOW),
        pace=round(100 * result.pace.factor),
        learnt_from=result.pace.matches,
        tables=moment.tables,
        pause=round(moment.pause),
    )


def _delaying_matches(moment: Moment, result: Forecast) -> list[tuple[Any, float]]:
    """Matches under way or ready to start that delay the end, with the share of forecasts, largest share first."""
    busy = {person for match in moment.matches if match.stage == Stage.PLAYING for person in match.people}
    current = {
        match.key
        for match in moment.matches
        if match.stage == Stage.PLAYING or (match.stage == Stage.READY and busy.isdisjoint(match.people))
    }
    delaying = [match for match in result.delaying if match.key in current and match.share >= LEAST_SHARE]
    return [(match.key, match.share) for match in delaying[:MOST_DELAYING]]


def _tournament(event_forecast: EventForecast, slug: str) -> TournamentForecast:
    tournament = event_forecast.input.tournaments[slug]
    end = event_forecast.forecast.tournaments.get(slug)
    return TournamentForecast(
        tournament.name,
        slug,
        span_of(event_forecast, end) if end else None,
        tuple(_rounds(event_forecast, slug)),
        event_forecast.input.refusals.get(slug),
    )


def _rounds(event_forecast: EventForecast, slug: str) -> Iterable[RoundForecast]:
    moment, result = event_forecast.input.moment, event_forecast.forecast
    lengths: dict[Part, int | None] = {}
    matches: dict[Part, int] = {}
    for match in moment.matches:
        lengths[match.part] = None if match.status.is_session else match.status.length
        matches[match.part] = matches.get(match.part, 0) + 1
    growing_brackets = {growing.bracket: growing for growing in moment.growing if growing.tournament == slug}
    planned = event_forecast.input.tournaments[slug].planned_times
    ends: dict[str, datetime] = {}
    for part in in_order(part for part in result.rounds if part.tournament == slug):
        growing = growing_brackets.get(part.bracket)
        future = _future_length(growing, part) if growing and part not in lengths else 0
        span = span_of(event_forecast, result.rounds[part])
        name = title_of(event_forecast.titles, part)
        planned_at = planned.get(part.round) if has_planned_times(part.bracket) else None
        late = (ends.get(part.bracket, planned_at) - planned_at) // MINUTE if planned_at else 0
        yield RoundForecast(
            name, lengths.get(part, future), None, matches.get(part, 0), span, planned_at, max(0, late)
        )
        ends[part.bracket] = span.middle


def _future_length(growing: GrowingBracket, part: Part) -> int | None:
    return None if growing.is_session else growing.length(part.round - growing.last)


def in_order(parts: Iterable[Part]) -> list[Part]:
    """Sorts rounds by bracket, brackets in the order of the draw."""
    unsorted = list(parts)
    place = {bracket: number for number, bracket in enumerate(dict.fromkeys(part[:2] for part in unsorted))}
    return sorted(unsorted, key=lambda part: (place[part[:2]], part.round))


def span_of(event_forecast: EventForecast, end: EndInterval) -> Span:
    """Widens an end to whole steps, because a forecast is not exact to the minute."""
    now = moment_at(event_forecast.input.moment.now, event_forecast.zone)
    ends = _to_step(end.early, _round_down), middle_of(end), _to_step(end.late, _round_up)
    early, middle, late = (moment_at(minutes, event_forecast.zone) for minutes in ends)
    return Span(
        early,
        middle,
        late,
        shows_day=early.date() != now.date(),
        shows_last_day=late.date() != early.date(),
    )


def middle_of(end: EndInterval) -> float:
    """The minute that pages show as the middle of an end. Differences of two ends are differences of these minutes."""
    return _to_step(end.middle, round)


def _to_step(minutes: float, rounding: Callable[[float], int]) -> float:
    return float(STEP * rounding(minutes / STEP))


def _round_down(number: float) -> int:
    return int(number // 1)


def _round_up(number: float) -> int:
    return -int(-number // 1)
