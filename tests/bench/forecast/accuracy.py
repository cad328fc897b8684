"""An event that was played, as it could be known at one of its minutes, and its forecasts held against what came."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import exp
from random import Random
from statistics import NormalDist
from typing import Any, Final

from tests.bench.forecast.simulation import AnyGraph, Conditions, History, Match, play_event, ranked
from tournament.draw.formats import Format, Kind
from tournament.draw.layouts import MAIN
from tournament.draw.pairing import LivesRules
from tournament.draw.prospect import kind_of
from tournament.draw.seating import resolve
from tournament.forecast.forecast import Forecast, Likely, forecast
from tournament.forecast.moment import Growing, Moment
from tournament.forecast.open_matches import Known, Part, Stage, open_matches
from tournament.forecast.pace import Seen

NAME: Final = "event"
PART_WAYS: Final = (0.0, 0.3, 0.6, 0.85)
TRIALS: Final = 400
PACES: Final = 0.12
"""Standard deviation of the logarithm of how halls stray from the planned pace."""


EVENT, ROUND = "event", "round"
MATCHES: Final = {
    Stage.PLAYING: "match being played",
    Stage.READY: "match that could begin",
    Stage.WAITING: "match that waits for players",
}


@dataclass(frozen=True, slots=True)
class Checked:
    """One forecast of an end of this kind, made this part of the way through the event, and the end that came."""

    kind: str
    conditions: Conditions
    way: float
    likely: Likely
    end: float

    @property
    def came_true(self) -> bool:
        return self.likely.early <= self.end <= self.likely.late


def checked(conditions: Iterable[Conditions], seed: int, trials: int = TRIALS) -> Iterator[Checked]:
    """Each event played once and forecast several times on its way."""
    for number, one in enumerate(conditions):
        chance = Random(f"{seed}/{number}")
        history = play_event(one, chance)
        ends = _ends(history)
        for way in PART_WAYS:
            now = moment(history, way * history.end)
            for kind, label, likely in _told(now, forecast(now, chance, trials)):
                if label in ends:
                    yield Checked(kind, one, way, likely, ends[label])


def _told(now: Moment, told: Forecast) -> Iterator[tuple[str, Any, Likely]]:
    if told.event is not None:
        yield EVENT, EVENT, told.event
    for part, likely in told.rounds.items():
        yield ROUND, part, likely
    for one in now.matches:
        yield MATCHES[one.stage], one.key, told.matches[one.key]


def _ends(history: History) -> dict[Any, float]:
    """When everything that was played ended: the event, each round, each match."""
    found: dict[Any, float] = {EVENT: history.end}
    for pairing in history.graphs[-1][1]:
        match = history.matches.get(pairing.key)
        if match is not None:
            part = Part(NAME, kind_of(pairing.bracket), pairing.round)
            found[pairing.key] = match.end
            found[part] = max(match.end, found.get(part, 0.0))
    return found


def moment(history: History, now: float) -> Moment:
    """What a desk would know at this minute; who is to play next is known as soon as it is decided."""
    graph = [graph for since, graph in history.graphs if since <= max(0.0, now)][-1]
    over = {key: match for key, match in history.matches.items() if match.end <= now}
    states = resolve(graph, {key: match.decision for key, match in over.items()}, rank=ranked).states
    conditions = history.conditions
    known = {
        pairing.key: _known(history.matches.get(pairing.key), conditions.length, now) for pairing in graph
    }
    return Moment(
        now,
        open_matches(NAME, graph, states, known),
        _growing(history, graph, now),
        tuple(_seen(match, conditions.length) for match in over.values()),
        conditions.tables,
    )


def _known(match: Match | None, length: int, now: float) -> Known:
    if match is None or match.ready > now:
        return Known(length)
    if match.began > now:
        return Known(length, ready=match.ready)
    played = [(left, right) for at, left, right in match.games if at <= now]
    left, right = played[-1] if played else (0, 0)
    ahead = [max(score) == length - 1 for score in played]
    is_crawford = length == 1 or (sum(ahead) == 1 and ahead[-1])
    return Known(length, match.ready, match.began, left, right, is_crawford)


def _seen(match: Match, length: int) -> Seen:
    _, left, right = match.games[-1]
    return Seen(length, left + right, match.end - match.began)


def _growing(history: History, graph: AnyGraph, now: float) -> tuple[Growing, ...]:
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
    still_in = [one for one in losses.values() if lives is None or one < lives.lives]
    rounds = max(0, chosen.rounds - last)
    return (Growing(NAME, MAIN, last, tuple(still_in), (conditions.length,), rounds, lives),)


FORMATS: Final = (
    Format(),
    Format(consolation="progressive"),
    Format(Kind.DOUBLE, reset=True),
    Format(Kind.GROUPS, groups=4, qualifiers=2),
    Format(Kind.SWISS, rounds=5),
    Format(Kind.LIVES, lives=2),
    Format(Kind.ROUND_ROBIN, rounds=5),
)


def many(number: int, seed: int) -> Iterator[Conditions]:
    """So many different halls: formats, sizes, lengths, tables for all or for some, quick ones and slow ones.

    Their paces are spread as evenly as there are halls, so that a few of them stand for many.
    """
    chance = Random(seed)
    paces = [exp(NormalDist(0, PACES).inv_cdf((at + 0.5) / number)) for at in range(number)]
    chance.shuffle(paces)
    for at in range(number):
        entries = chance.choice((12, 16, 21, 32))
        yield Conditions(
            chosen=FORMATS[at % len(FORMATS)],
            entries=entries,
            length=chance.choice((3, 5, 7, 9)),
            pace=paces[at],
            own=chance.uniform(0.1, 0.3),
            game=chance.uniform(0.3, 0.6),
            tables=chance.choice((None, None, entries // 2, entries // 3, entries // 4)),
        )
