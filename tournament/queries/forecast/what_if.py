"""Compares the likely ends of an event with those after a change of lengths, tables or the pause. Stores nothing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from tournament.forecast.forecast import EndInterval, forecast
from tournament.forecast.future_rounds import next_rounds
from tournament.forecast.moment import Moment, PlanChange, apply_change
from tournament.forecast.open_matches import Part, Stage
from tournament.queries.forecast.forecast import EventForecast, Span, in_order, middle_of, span_of
from tournament.queries.forecast.names import title_of
from tournament.refusals.forecast import LENGTH_GIVEN_TWICE, ROUND_NOT_OPEN
from tournament.runtime.errors import Refused

MOST_TABLES: Final = 999


@dataclass(frozen=True, slots=True)
class RoundChoice:
    """A round whose length can be changed, with all later rounds if `and_later`. `name`: name of the form field."""

    name: str
    label: str
    length: int
    part: Part
    and_later: bool


@dataclass(frozen=True, slots=True)
class EndComparison:
    """An end without and with the change. The end is `earlier` or `later` by this many minutes, in whole steps."""

    name: str
    now: Span
    then: Span
    earlier: int
    later: int


def round_choices(event_forecast: EventForecast) -> tuple[RoundChoice, ...]:
    """Rounds of which no match has begun, and the coming rounds of growing brackets; none in stake play."""
    moment = event_forecast.input.moment
    begun = {match.part for match in moment.matches if match.stage == Stage.PLAYING}
    drawn = {match.part: match.status.length for match in moment.matches if not match.status.is_session}
    rounds = [(part, drawn[part], False) for part in in_order(drawn) if part not in begun]
    rounds += [(part, length, True) for part, length in _future_lengths(moment).items()]
    return tuple(
        RoundChoice(_field_name(part), _label(event_forecast, part), length, part, and_later)
        for part, length, and_later in rounds
    )


def plan_change(
    event_forecast: EventForecast, lengths: Sequence[tuple[Part, int]], tables: int | None, pause: float
) -> PlanChange:
    """Raises Refused for a round that is named twice, has begun or does not exist."""
    named = Counter(part for part, _length in lengths)
    twice = [part for part, times in named.items() if times > 1]
    if twice:
        raise Refused(LENGTH_GIVEN_TWICE, **twice[0]._asdict())
    unknown = named.keys() - {choice.part for choice in round_choices(event_forecast)}
    if unknown:
        part = min(unknown)
        raise Refused(ROUND_NOT_OPEN, **part._asdict())
    return PlanChange(dict(lengths), tables, pause)


def compare_ends(event_forecast: EventForecast, change: PlanChange) -> tuple[EndComparison, ...]:
    """Compares the end of the event, then of each of several tournaments. Uses the seed of the forecast, so that both
    sides differ only by the change. Empty if nothing is left to play.
    """
    before, loaded = event_forecast.forecast, event_forecast.input
    changed = apply_change(loaded.moment, change)
    after = forecast(changed, Random(event_forecast.seed), event_forecast.trials)  # noqa: S311 (no secret)
    if before.event is None or after.event is None:
        return ()
    comparisons = [_comparison(event_forecast, "", before.event, after.event)]
    if len(before.tournaments) > 1:
        comparisons += [
            _comparison(event_forecast, loaded.tournaments[slug].name, end, after.tournaments[slug])
            for slug, end in before.tournaments.items()
        ]
    return tuple(comparisons)


def _comparison(
    event_forecast: EventForecast, name: str, now: EndInterval, then: EndInterval
) -> EndComparison:
    minutes = round(middle_of(now) - middle_of(then))
    return EndComparison(
        name,
        span_of(event_forecast, now),
        span_of(event_forecast, then),
        earlier=max(0, minutes),
        later=max(0, -minutes),
    )


def _future_lengths(moment: Moment) -> dict[Part, int]:
    future = set(next_rounds(moment))
    return {
        growing.part(1): growing.length(1)
        for growing in moment.growing
        if growing.part(1) in future and not growing.is_session
    }


def _field_name(part: Part) -> str:
    return f"{part.tournament}.{part.bracket.replace(' ', '-')}.{part.round}"


def _label(event_forecast: EventForecast, part: Part) -> str:
    title = title_of(event_forecast.titles, part)
    tournaments = event_forecast.input.tournaments
    return title if len(tournaments) == 1 else f"{tournaments[part.tournament].name} · {title}"
