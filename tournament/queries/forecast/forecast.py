"""The flow monitor: when everything is likely to end, what is slow, what holds the event up. Reads only.

Times are told in the event's own zone, intervals widened to whole five minutes. A number of statements that does not
grow with a draw. An event has one seed, so that its times do not flicker: within a minute they are the same.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any, Final
from zoneinfo import ZoneInfo

from tournament.forecast.forecast import FEWEST_TRIALS, EndInterval, Forecast, forecast
from tournament.forecast.moment import GrowingBracket, Moment
from tournament.forecast.open_matches import Part, Stage
from tournament.forecast.slow_matches import find_slow_matches
from tournament.live.channels import private_channel
from tournament.models import Bracket, Event, Room
from tournament.queries.forecast.cache import OneAtATime
from tournament.queries.forecast.loading import Underway, underway
from tournament.queries.forecast.names import MatchNamed, matches_named, round_titles, title_of
from tournament.queries.forecast.times import moment_at

TRIALS: Final = 1000
MATCHES_PLAYED: Final = 120_000
"""In all trials together, about: a large event is told within two seconds too, by fewer of them."""
STEP: Final = 5
"""Minutes to which intervals are widened."""
HELD_SHOWN: Final = 5
LEAST_SHARE: Final = 0.2
SLOW_SHOWN: Final = 12


@dataclass(frozen=True, slots=True)
class Span:
    """An end: four of five fall between `early` and `late`. The day of either is to be told where it is not the one
    before: of `early` today, of `late` that of `early`."""

    early: datetime
    middle: datetime
    late: datetime
    tells_day: bool
    tells_last_day: bool


@dataclass(frozen=True, slots=True)
class RoundFlow:
    """`length` is None in stake play, of which a forecast knows only how long it takes."""

    name: str
    length: int | None
    games: int | None
    matches: int
    span: Span


@dataclass(frozen=True, slots=True)
class TournamentFlow:
    """`rounds` are those with matches still to be ended; `why_not` is a sentence where nothing can be told."""

    name: str
    slug: str
    span: Span | None = None
    rounds: tuple[RoundFlow, ...] = ()
    why_not: str = ""

    @property
    def has_sessions(self) -> bool:
        return any(one.length is None for one in self.rounds)


@dataclass(frozen=True, slots=True)
class HeldUp:
    """A match that is played, or could be, and of a hundred forecasts how many end as late as it lets them."""

    match: MatchNamed
    is_playing: bool
    percent: int
    span: Span


@dataclass(frozen=True, slots=True)
class SlowMatch:
    """A match with fewer points than its minutes should have brought; `planned` are the minutes for its points."""

    match: MatchNamed
    minutes: int
    points: int
    planned: int


@dataclass(frozen=True, slots=True)
class FlowShown:
    """`span` is the event's end, None where nothing is to be played. `pace` is in percent of the planned minutes, as
    seen in `learnt_from` matches."""

    at: datetime
    span: Span | None
    tournaments: tuple[TournamentFlow, ...]
    held: tuple[HeldUp, ...]
    slow: tuple[SlowMatch, ...]
    more_slow: int
    pace: int
    learnt_from: int
    tables: int | None
    pause: int


@dataclass(frozen=True)
class Flow:
    """An event at one minute with its forecast. `listens` are the channels on which is told what changes it."""

    known: Underway
    zone: ZoneInfo
    seed: str
    trials: int
    told: Forecast
    titles: Mapping[Part, str]
    listens: tuple[uuid.UUID | str, ...] = ()


def flow_of(event: Event, now: datetime) -> Flow:
    return FLOWS.of(event.pk, lambda before: _flow(event, now, before))


def _flow(event: Event, now: datetime, before: Flow | None) -> Flow:
    whole = now.replace(second=0, microsecond=0)
    known = underway(event, whole)
    seed, trials = str(event.pk), _trials(known.moment)
    if before is not None and before.known.moment == known.moment:
        told = before.told
    else:
        told = forecast(known.moment, Random(seed), trials)  # noqa: S311 (the same moment, the same words)
    zone, titles = ZoneInfo(event.time_zone), round_titles(known)
    return Flow(known, zone, seed, trials, told, titles, tuple(_listens(event)))


FLOWS: Final = OneAtATime[Flow](lambda flow: flow.trials < TRIALS)


def _listens(event: Event) -> Iterable[uuid.UUID | str]:
    """The event's deeds, its first table among them; its room with tables and calls; its brackets with all scores."""
    yield private_channel(event.pk)
    yield from Room.objects.filter(event=event).values_list("pk", flat=True)
    rows = Bracket.objects.filter(tournament__event=event)
    for pk, delay in rows.values_list("pk", "tournament__score_delay"):
        yield pk
        if delay != 0:
            yield private_channel(pk)


def _trials(moment: Moment) -> int:
    matches = len(moment.matches) + sum(one.rounds * len(one.losses) // 2 for one in moment.growing)
    return max(FEWEST_TRIALS, min(TRIALS, MATCHES_PLAYED // max(1, matches)))


def flow_shown(flow: Flow) -> FlowShown:
    """In words. A match that has been taken out of the draw since is passed over."""
    moment, told = flow.known.moment, flow.told
    behind = find_slow_matches(moment.matches, moment.now)
    held = _holding_up(moment, told)
    named = matches_named([key for key, _ in held] + [one.key for one in behind[:SLOW_SHOWN]], flow.titles)
    playing = {one.key for one in moment.matches if one.stage == Stage.PLAYING}
    return FlowShown(
        at=moment_at(moment.now, flow.zone),
        span=span_of(flow, told.event) if told.event else None,
        tournaments=tuple(_tournament(flow, slug) for slug in flow.known.tournaments),
        held=tuple(
            HeldUp(named[key], key in playing, round(100 * share), span_of(flow, told.matches[key]))
            for key, share in held
            if key in named
        ),
        slow=tuple(
            SlowMatch(named[one.key], round(one.minutes), one.points, round(one.minutes - one.behind))
            for one in behind[:SLOW_SHOWN]
            if one.key in named
        ),
        more_slow=max(0, len(behind) - SLOW_SHOWN),
        pace=round(100 * told.pace.factor),
        learnt_from=told.pace.matches,
        tables=moment.tables,
        pause=round(moment.pause),
    )


def _holding_up(moment: Moment, told: Forecast) -> list[tuple[Any, float]]:
    """Matches that are drawn and can be done something about, the ones that hold up most first."""
    busy = {person for one in moment.matches if one.stage == Stage.PLAYING for person in one.people}
    at_hand = {
        one.key
        for one in moment.matches
        if one.stage == Stage.PLAYING or (one.stage == Stage.READY and busy.isdisjoint(one.people))
    }
    held = [one for one in told.delaying if one.key in at_hand and one.share >= LEAST_SHARE]
    return [(one.key, one.share) for one in held[:HELD_SHOWN]]


def _tournament(flow: Flow, slug: str) -> TournamentFlow:
    tournament, likely = flow.known.tournaments[slug], flow.told.tournaments.get(slug)
    return TournamentFlow(
        tournament.name,
        slug,
        span_of(flow, likely) if likely else None,
        tuple(_rounds(flow, slug)),
        flow.known.untold.get(slug, ""),
    )


def _rounds(flow: Flow, slug: str) -> Iterable[RoundFlow]:
    lengths: dict[Part, int | None] = {}
    matches: dict[Part, int] = {}
    for one in flow.known.moment.matches:
        lengths[one.part] = None if one.status.is_session else one.status.length
        matches[one.part] = matches.get(one.part, 0) + 1
    to_come = {one.bracket: one for one in flow.known.moment.growing if one.tournament == slug}
    for part in in_order(part for part in flow.told.rounds if part.tournament == slug):
        growing = to_come.get(part.bracket)
        ahead = _ahead(growing, part) if growing and part not in lengths else 0
        span = span_of(flow, flow.told.rounds[part])
        name = title_of(flow.titles, part)
        yield RoundFlow(name, lengths.get(part, ahead), None, matches.get(part, 0), span)


def _ahead(growing: GrowingBracket, part: Part) -> int | None:
    return None if growing.is_session else growing.length(part.round - growing.last)


def in_order(parts: Iterable[Part]) -> list[Part]:
    """One bracket after the other, in the order of the draw."""
    known = list(parts)
    place = {bracket: number for number, bracket in enumerate(dict.fromkeys(part[:2] for part in known))}
    return sorted(known, key=lambda part: (place[part[:2]], part.round))


def span_of(flow: Flow, likely: EndInterval) -> Span:
    """Widened to whole steps: nothing is known to the minute."""
    now = moment_at(flow.known.moment.now, flow.zone)
    ends = _to(likely.early, _down), middle_of(likely), _to(likely.late, _up)
    early, middle, late = (moment_at(end, flow.zone) for end in ends)
    return Span(
        early,
        middle,
        late,
        tells_day=early.date() != now.date(),
        tells_last_day=late.date() != early.date(),
    )


def middle_of(likely: EndInterval) -> float:
    """The minute that is told as the middle of an end: whatever is said of two ends is said of these."""
    return _to(likely.middle, round)


def _to(minutes: float, to: Callable[[float], int]) -> float:
    return float(STEP * to(minutes / STEP))


def _down(number: float) -> int:
    return int(number // 1)


def _up(number: float) -> int:
    return -int(-number // 1)
