"""What if: the likely ends of an event beside those with other lengths, tables or pauses. Keeps nothing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from tournament.forecast.forecast import EndInterval, forecast
from tournament.forecast.future_rounds import next_rounds
from tournament.forecast.moment import Moment, PlanChange, apply_change
from tournament.forecast.open_matches import Part, Stage
from tournament.queries.forecast.forecast import Flow, Span, in_order, middle_of, span_of
from tournament.queries.forecast.names import title_of
from tournament.runtime.errors import Refused

MOST_TABLES: Final = 999
LONGEST_PAUSE: Final = 120


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


def choices(flow: Flow) -> tuple[Choice, ...]:
    """The rounds of which no match has begun, and the rounds to come of brackets that grow; none in stake play."""
    begun = {one.part for one in flow.known.moment.matches if one.stage == Stage.PLAYING}
    moment = flow.known.moment
    drawn = {one.part: one.status.length for one in moment.matches if not one.status.is_session}
    found = [(part, drawn[part], False) for part in in_order(drawn) if part not in begun]
    found += [(part, length, True) for part, length in _lengths_ahead(moment).items()]
    return tuple(
        Choice(_field_of(part), _label(flow, part), length, part, later) for part, length, later in found
    )


def change_of(
    flow: Flow, lengths: Sequence[tuple[Part, int]], tables: int | None, pause: float
) -> PlanChange:
    """Raises Refused for a round that is named twice, or whose length cannot be thought of otherwise: it has begun, or
    there is none."""
    named = Counter(part for part, _length in lengths)
    twice = [part for part, times in named.items() if times > 1]
    if twice:
        raise Refused(
            "length-given-twice",
            "Round {round} of {bracket} in {tournament} is given a length twice. Give it one.",
            **twice[0]._asdict(),
        )
    unknown = named.keys() - {one.part for one in choices(flow)}
    if unknown:
        part = min(unknown)
        raise Refused(
            "round-not-open",
            "Round {round} of {bracket} in {tournament} has begun, or is not there. Ask which rounds can be changed.",
            **part._asdict(),
        )
    return PlanChange(dict(lengths), tables, pause)


def compared(flow: Flow, change: PlanChange) -> tuple[Compared, ...]:
    """The event, then each tournament, as it is and with this done differently, by the same chances."""
    then = forecast(apply_change(flow.known.moment, change), Random(flow.seed), flow.trials)  # noqa: S311 (as above)
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


def _compared(flow: Flow, name: str, now: EndInterval, then: EndInterval) -> Compared:
    minutes = round(middle_of(now) - middle_of(then))
    return Compared(name, span_of(flow, now), span_of(flow, then), max(0, minutes), max(0, -minutes))


def _lengths_ahead(moment: Moment) -> dict[Part, int]:
    ahead = set(next_rounds(moment))
    return {
        one.part(1): one.length(1) for one in moment.growing if one.part(1) in ahead and not one.is_session
    }


def _field_of(part: Part) -> str:
    return f"{part.tournament}.{part.bracket.replace(' ', '-')}.{part.round}"


def _label(flow: Flow, part: Part) -> str:
    title = title_of(flow.titles, part)
    tournaments = flow.known.tournaments
    return title if len(tournaments) == 1 else f"{tournaments[part.tournament].name} · {title}"
