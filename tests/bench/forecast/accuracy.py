"""Compares forecasts of simulated events with the ends that came, and reports how often they came true."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from math import exp
from random import Random
from statistics import NormalDist, median
from time import perf_counter
from typing import Any, Final, TextIO

from deploy.bench.figures import Figures
from deploy.bench.machine import describe_machine
from deploy.bench.progress import ProgressBar
from tests.bench.forecast.simulation import (
    AnyGraph,
    Conditions,
    History,
    Match,
    play_event,
    rank_by_wins,
)
from tournament.draw.formats import Format, Kind
from tournament.draw.formats.estimate import bracket_kind
from tournament.draw.formats.layouts import MAIN
from tournament.draw.pairing import LivesRules
from tournament.draw.seating import resolve
from tournament.forecast.forecast import TRIALS, EndInterval, Forecast, forecast
from tournament.forecast.moment import GrowingBracket, Moment
from tournament.forecast.open_matches import MatchStatus, Part, Stage, open_matches
from tournament.forecast.pace import PaceSample

NAME: Final = "event"
PROGRESS: Final = (0.0, 0.3, 0.6, 0.85)
"""The shares of an event's duration at which it is forecast."""
FEW_TRIALS: Final = 400
PACE_SPREAD: Final = 0.12
"""Standard deviation of the logarithm of the pace of events."""
SEED: Final = 2026
TIMED_FORECASTS: Final = 10
EVENT, ROUND = "event", "round"
MATCHES: Final = {
    Stage.PLAYING: "match being played",
    Stage.READY: "match that could begin",
    Stage.WAITING: "match that waits for players",
}
LARGE_EVENTS = {
    "64 entries, tables for all": Conditions(Format(), 64, 7),
    "64 entries, 20 tables": Conditions(Format(), 64, 7, tables=20),
    "64 entries with consolation, 24 tables": Conditions(Format(consolation="progressive"), 64, 7, tables=24),
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """One forecast, made when this share (`progress`) of the event was over, and the real end."""

    kind: str
    conditions: Conditions
    progress: float
    likely: EndInterval
    end: float

    @property
    def came_true(self) -> bool:
        return self.likely.early <= self.end <= self.likely.late


def compare_forecasts(
    conditions: Iterable[Conditions], seed: int, trials: int = FEW_TRIALS
) -> Iterator[Comparison]:
    """Plays each event once and forecasts it several times."""
    for number, event in enumerate(conditions):
        chance = Random(f"{seed}/{number}")
        history = play_event(event, chance)
        ends = _ends(history)
        for progress in PROGRESS:
            now = moment_of(history, progress * history.end)
            for kind, label, likely in _forecasts(now, forecast(now, chance, trials)):
                if label in ends:
                    yield Comparison(kind, event, progress, likely, ends[label])


def _forecasts(now: Moment, result: Forecast) -> Iterator[tuple[str, Any, EndInterval]]:
    if result.event is not None:
        yield EVENT, EVENT, result.event
    for part, likely in result.rounds.items():
        yield ROUND, part, likely
    for match in now.matches:
        yield MATCHES[match.stage], match.key, result.matches[match.key]


def _ends(history: History) -> dict[Any, float]:
    """The end of the event, of each round and of each match."""
    ends: dict[Any, float] = {EVENT: history.end}
    for pairing in history.graphs[-1][1]:
        match = history.matches.get(pairing.key)
        if match is not None:
            part = Part(NAME, bracket_kind(pairing.bracket), pairing.round)
            ends[pairing.key] = match.end
            ends[part] = max(match.end, ends.get(part, 0.0))
    return ends


def moment_of(history: History, now: float) -> Moment:
    """The event as a desk knows it at this minute. Pairings are known once their players are decided."""
    graph = [graph for since, graph in history.graphs if since <= max(0.0, now)][-1]
    over = {key: match for key, match in history.matches.items() if match.end <= now}
    decisions = {key: match.decision for key, match in over.items()}
    states = resolve(graph, decisions, rank=rank_by_wins).states
    conditions = history.conditions
    matches = {
        pairing.key: _open_match(history.matches.get(pairing.key), conditions.length, now)
        for pairing in graph
    }
    return Moment(
        now,
        open_matches(NAME, graph, states, matches),
        _growing(history, graph, now),
        tuple(_played_match(match, conditions.length) for match in over.values()),
        conditions.tables,
    )


def _open_match(match: Match | None, length: int, now: float) -> MatchStatus:
    if match is None or match.ready > now:
        return MatchStatus(length)
    if match.began > now:
        return MatchStatus(length, ready=match.ready)
    scores = [(left, right) for at, left, right in match.games if at <= now]
    left, right = scores[-1] if scores else (0, 0)
    at_match_point = [max(score) == length - 1 for score in scores]
    is_crawford = length == 1 or (sum(at_match_point) == 1 and at_match_point[-1])
    return MatchStatus(length, match.ready, match.began, left, right, is_crawford)


def _played_match(match: Match, length: int) -> PaceSample:
    _, left, right = match.games[-1]
    return PaceSample(length, left + right, match.end - match.began)


def _growing(history: History, graph: AnyGraph, now: float) -> tuple[GrowingBracket, ...]:
    """The part of the event whose later rounds are not paired yet."""
    conditions = history.conditions
    chosen = conditions.chosen
    if not chosen.is_growing:
        return ()
    last = max(pairing.round for pairing in graph)
    losses = dict.fromkeys(range(1, conditions.entries + 1), 0)
    for match in history.matches.values():
        if match.end <= now:
            losses[match.decision.loser] += 1
    lives = LivesRules(chosen.lives) if chosen.kind == Kind.LIVES else None
    still_in = [number for number in losses.values() if lives is None or number < lives.lives]
    rounds = max(0, chosen.rounds - last)
    return (GrowingBracket(NAME, MAIN, last, tuple(still_in), (conditions.length,), rounds, lives),)


FORMATS: Final = (
    Format(),
    Format(consolation="progressive"),
    Format(Kind.DOUBLE, reset=True),
    Format(Kind.GROUPS, groups=4, qualifiers=2),
    Format(Kind.SWISS, rounds=5),
    Format(Kind.LIVES, lives=2),
    Format(Kind.ROUND_ROBIN, rounds=5),
)


def varied_conditions(number: int, seed: int) -> Iterator[Conditions]:
    """Conditions of `number` different events: formats, sizes, lengths, numbers of tables, paces.

    Their paces are spread evenly over the distribution, so that a few events stand for many.
    """
    chance = Random(seed)
    paces = [exp(NormalDist(0, PACE_SPREAD).inv_cdf((place + 0.5) / number)) for place in range(number)]
    chance.shuffle(paces)
    for place in range(number):
        entries = chance.choice((12, 16, 21, 32))
        yield Conditions(
            chosen=FORMATS[place % len(FORMATS)],
            entries=entries,
            length=chance.choice((3, 5, 7, 9)),
            pace=paces[place],
            match_spread=chance.uniform(0.1, 0.3),
            game_spread=chance.uniform(0.3, 0.6),
            tables=chance.choice((None, None, entries // 2, entries // 3, entries // 4)),
        )


@dataclass(frozen=True, slots=True)
class Line:
    """The number of forecasts of one group, the shares that came true or ended earlier or later, and the median width
    in minutes."""

    name: str
    forecasts: int
    came_true: float
    earlier: float
    later: float
    width: float


@dataclass
class ForecastReport:
    """`times`: the duration of a forecast of the whole event, by the name of the event."""

    machine: str
    at: str
    lines: list[Line] = field(default_factory=list)
    times: dict[str, Figures] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {
            "bench": "forecast",
            "machine": self.machine,
            "at": self.at,
            "came_true": [asdict(line) for line in self.lines],
            "ms": {name: figures.as_json() for name, figures in self.times.items()},
        }


def measure(
    events: int, screen: TextIO, timed: int = TIMED_FORECASTS, trials: int = TRIALS
) -> ForecastReport:
    """Plays and forecasts `events` events, then times single forecasts of `trials` trials."""
    report = ForecastReport(describe_machine(), datetime.now(UTC).isoformat(timespec="seconds"))
    bar = ProgressBar("forecasts", screen)
    ends: list[Comparison] = []
    parts: list[Comparison] = []
    for comparison in compare_forecasts(varied_conditions(events, SEED), SEED):
        (ends if comparison.kind == EVENT else parts).append(comparison)
        bar.show(len(ends), events * len(PROGRESS))
    bar.clear()
    report.lines = [_line(EVENT, ends)]
    report.lines += _lines(ends, lambda comparison: f"{comparison.progress:.0%} of the way")
    report.lines += _lines(ends, lambda comparison: _format_name(comparison.conditions.chosen))
    report.lines += _lines(parts, lambda comparison: f"each {comparison.kind}")
    report.times = {
        name: Figures.of(list(_time_forecasts(conditions, timed, trials)))
        for name, conditions in LARGE_EVENTS.items()
    }
    return report


def as_text(report: ForecastReport) -> str:
    lines = [
        report.machine,
        "",
        f"  {'forecasts of the end of':<40} {'came true':>10} {'earlier':>8} {'later':>8}",
    ]
    for line in report.lines:
        shares = f"{line.came_true:>10.1%} {line.earlier:>8.1%} {line.later:>8.1%}"
        lines.append(
            f"  {f'{line.name} ({line.forecasts})':<40} {shares}   median width {line.width:.0f} min"
        )
    lines += ["", f"  one forecast of {TRIALS} trials before the first match"]
    lines += [f"  {name:<40} {figures}" for name, figures in report.times.items()]
    return "\n".join(lines)


def _format_name(chosen: Format) -> str:
    return chosen.kind.value + (" with consolation" if chosen.consolation else "")


def _lines(comparisons: Sequence[Comparison], group: Callable[[Comparison], str]) -> Iterable[Line]:
    for name in dict.fromkeys(group(comparison) for comparison in comparisons):
        yield _line(name, [comparison for comparison in comparisons if group(comparison) == name])


def _line(name: str, comparisons: Sequence[Comparison]) -> Line:
    number = len(comparisons)
    return Line(
        name,
        number,
        sum(comparison.came_true for comparison in comparisons) / number,
        sum(comparison.end < comparison.likely.early for comparison in comparisons) / number,
        sum(comparison.end > comparison.likely.late for comparison in comparisons) / number,
        median(comparison.likely.late - comparison.likely.early for comparison in comparisons),
    )


def _time_forecasts(conditions: Conditions, timed: int, trials: int) -> Iterable[float]:
    history = play_event(conditions, Random(SEED))
    before = moment_of(history, -1.0)
    for number in range(timed):
        began = perf_counter()
        forecast(before, Random(number), trials)
        yield perf_counter() - began
