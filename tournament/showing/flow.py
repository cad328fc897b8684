"""The flow monitor: when everything is likely to end, what is slow, what holds the event up, and what if. Reads only.

Times are told in the event's own zone, intervals widened to whole five minutes. A number of statements that does not
grow with a draw. An event has one seed, so that its times do not flicker: within a minute they are the same.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import Any, Final
from zoneinfo import ZoneInfo

from tournament.flow.ahead import parts_ahead
from tournament.flow.forecast import Forecast, Likely, forecast
from tournament.flow.moment import Change, Moment, changed
from tournament.flow.open_matches import Part, Stage
from tournament.flow.slow import slow
from tournament.models import Bracket, Event
from tournament.showing.flow_names import MatchNamed, matches_named, round_titles, title_of
from tournament.underway import Underway, moment_at, underway

TRIALS: Final = 1000
FEWEST_TRIALS: Final = 300
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
    name: str
    length: int
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


@dataclass(frozen=True, slots=True)
class Choice:
    """A round whose length may be thought of otherwise, with those after it where `and_later`; `name`: of its field."""

    name: str
    label: str
    length: int
    part: Part
    and_later: bool


@dataclass(frozen=True, slots=True)
class Compared:
    """An end as it is and as it would be: so many minutes `earlier` or `later`, in whole steps."""

    name: str
    now: Span
    then: Span
    earlier: int
    later: int


@dataclass(frozen=True)
class Flow:
    """An event at one minute with its forecast. `brackets` are those whose changes change it."""

    known: Underway
    zone: ZoneInfo
    seed: str
    trials: int
    told: Forecast
    titles: Mapping[Part, str]
    brackets: tuple[Any, ...] = field(default=())


def flow_of(event: Event, now: datetime) -> Flow:
    whole = now.replace(second=0, microsecond=0)
    known = underway(event, whole)
    seed, trials = str(event.pk), _trials(known.moment)
    told = forecast(known.moment, Random(seed), trials)  # noqa: S311 (the same moment, the same words)
    brackets = tuple(Bracket.objects.filter(tournament__event=event).values_list("pk", flat=True))
    return Flow(known, ZoneInfo(event.time_zone), seed, trials, told, round_titles(known), brackets)


def _trials(moment: Moment) -> int:
    matches = len(moment.matches) + sum(one.rounds * len(one.losses) // 2 for one in moment.growing)
    return max(FEWEST_TRIALS, min(TRIALS, MATCHES_PLAYED // max(1, matches)))


def flow_shown(flow: Flow) -> FlowShown:
    moment, told = flow.known.moment, flow.told
    behind = slow(moment.matches, moment.now)
    held = _holding_up(moment, told)
    named = matches_named([key for key, _ in held] + [one.key for one in behind[:SLOW_SHOWN]], flow.titles)
    playing = {one.key for one in moment.matches if one.stage == Stage.PLAYING}
    return FlowShown(
        at=moment_at(moment.now, flow.zone),
        span=_span(flow, told.event) if told.event else None,
        tournaments=tuple(_tournament(flow, slug) for slug in flow.known.tournaments),
        held=tuple(
            HeldUp(named[key], key in playing, round(100 * share), _span(flow, told.matches[key]))
            for key, share in held
        ),
        slow=tuple(
            SlowMatch(named[one.key], round(one.minutes), one.points, round(one.minutes - one.behind))
            for one in behind[:SLOW_SHOWN]
        ),
        more_slow=max(0, len(behind) - SLOW_SHOWN),
        pace=round(100 * told.pace.factor),
        learnt_from=told.pace.matches,
        tables=moment.tables,
        pause=round(moment.pause),
    )


def choices(flow: Flow) -> tuple[Choice, ...]:
    """The rounds of which no match has begun, and the rounds to come of brackets that grow."""
    begun = {one.part for one in flow.known.moment.matches if one.stage == Stage.PLAYING}
    moment = flow.known.moment
    drawn = {one.part: one.known.length for one in moment.matches}
    found = [(part, drawn[part], False) for part in _in_order(drawn) if part not in begun]
    found += [(part, length, True) for part, length in _lengths_ahead(moment).items()]
    return tuple(
        Choice(_field_of(part), _label(flow, part), length, part, later) for part, length, later in found
    )


def compared(flow: Flow, change: Change) -> tuple[Compared, ...]:
    """The event, then each tournament, as it is and with this done differently, by the same chances."""
    then = forecast(changed(flow.known.moment, change), Random(flow.seed), flow.trials)  # noqa: S311 (as above)
    told = flow.told
    if told.event is None or then.event is None:
        return ()
    found = [_compared(flow, "", told.event, then.event)]
    if len(told.tournaments) > 1:
        found += [
            _compared(flow, flow.known.tournaments[slug].name, now, then.tournaments[slug])
            for slug, now in told.tournaments.items()
        ]
    return tuple(found)


def _compared(flow: Flow, name: str, now: Likely, then: Likely) -> Compared:
    minutes = STEP * round((now.middle - then.middle) / STEP)
    return Compared(name, _span(flow, now), _span(flow, then), max(0, minutes), max(0, -minutes))


def _lengths_ahead(moment: Moment) -> dict[Part, int]:
    ahead = set(parts_ahead(moment))
    return {one.part(1): one.length(1) for one in moment.growing if one.part(1) in ahead}


def _field_of(part: Part) -> str:
    return f"{part.tournament}.{part.bracket.replace(' ', '-')}.{part.round}"


def _label(flow: Flow, part: Part) -> str:
    title = title_of(flow.titles, part)
    tournaments = flow.known.tournaments
    return title if len(tournaments) == 1 else f"{tournaments[part.tournament].name} · {title}"


def _holding_up(moment: Moment, told: Forecast) -> list[tuple[Any, float]]:
    """Matches that are drawn and can be done something about, the ones that hold up most first."""
    busy = {person for one in moment.matches if one.stage == Stage.PLAYING for person in one.people}
    at_hand = {
        one.key
        for one in moment.matches
        if one.stage == Stage.PLAYING or (one.stage == Stage.READY and busy.isdisjoint(one.people))
    }
    held = [one for one in told.held if one.key in at_hand and one.share >= LEAST_SHARE]
    return [(one.key, one.share) for one in held[:HELD_SHOWN]]


def _tournament(flow: Flow, slug: str) -> TournamentFlow:
    tournament, likely = flow.known.tournaments[slug], flow.told.tournaments.get(slug)
    return TournamentFlow(
        tournament.name,
        slug,
        _span(flow, likely) if likely else None,
        tuple(_rounds(flow, slug)),
        flow.known.untold.get(slug, ""),
    )


def _rounds(flow: Flow, slug: str) -> Iterable[RoundFlow]:
    lengths: dict[Part, int] = {}
    matches: dict[Part, int] = {}
    for one in flow.known.moment.matches:
        lengths[one.part] = one.known.length
        matches[one.part] = matches.get(one.part, 0) + 1
    to_come = {one.bracket: one for one in flow.known.moment.growing if one.tournament == slug}
    for part in _in_order(part for part in flow.told.rounds if part.tournament == slug):
        growing = to_come.get(part.bracket)
        ahead = growing.length(part.round - growing.last) if growing and part not in lengths else 0
        span = _span(flow, flow.told.rounds[part])
        name = title_of(flow.titles, part)
        yield RoundFlow(name, lengths.get(part, ahead), matches.get(part, 0), span)


def _in_order(parts: Iterable[Part]) -> list[Part]:
    """One bracket after the other, in the order of the draw."""
    known = list(parts)
    place = {bracket: number for number, bracket in enumerate(dict.fromkeys(part[:2] for part in known))}
    return sorted(known, key=lambda part: (place[part[:2]], part.round))


def _span(flow: Flow, likely: Likely) -> Span:
    """Widened to whole steps: nothing is known to the minute."""
    now = moment_at(flow.known.moment.now, flow.zone)
    ends = _to(likely.early, _down), _to(likely.middle, round), _to(likely.late, _up)
    early, middle, late = (moment_at(end, flow.zone) for end in ends)
    return Span(
        early,
        middle,
        late,
        tells_day=early.date() != now.date(),
        tells_last_day=late.date() != early.date(),
    )


def _to(minutes: float, to: Callable[[float], int]) -> float:
    return float(STEP * to(minutes / STEP))


def _down(number: float) -> int:
    return int(number // 1)


def _up(number: float) -> int:
    return -int(-number // 1)
