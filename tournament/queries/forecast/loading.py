"""Tournaments of an event, drawn or not, as matches still to be played and the people who play them. Reads only."""

import uuid
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, time
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from tournament.brackets import storage
from tournament.brackets.lengths import (
    StakePlay,
    bracket_lengths,
    length_of_round,
    planned_length,
    planned_rounds_of_lives,
    played_to,
)
from tournament.draw.formats import Format, FormatError, Kind
from tournament.draw.formats.layouts import MAIN, layout
from tournament.draw.graph import GraphError
from tournament.draw.pairing import LivesRules, Stop
from tournament.draw.seating import How, State, resolve
from tournament.forecast.assumed_starts import assume_started
from tournament.forecast.moment import GrowingBracket, Moment
from tournament.forecast.open_matches import AwaitedPlayer, MatchStatus, OpenMatch, open_matches
from tournament.models import Draw, Entry, Event, Table, Tournament
from tournament.queries.forecast.times import Times, minute, seen_in, times_of
from tournament.runtime.snapshot import consistent_read

OPENS_AT: Final = time(10)
"""When a day of play begins, where a tournament does not say."""
FEWEST: Final = 2


@dataclass(frozen=True, slots=True)
class Underway:
    """`tournaments` by slug, `entered` who is in of each; `untold` are slugs whose format cannot be played as it
    stands, with a sentence why."""

    moment: Moment
    tournaments: Mapping[str, Tournament]
    entered: Mapping[str, int]
    untold: Mapping[str, str]


def underway(event: Event, now: datetime) -> Underway:
    """Everything known of the event by now and at one moment, tournaments that are not drawn yet included."""
    with consistent_read():
        tournaments = {
            one.slug: one for one in Tournament.objects.filter(event=event).select_related("event")
        }
        sheets = _sheets(tournaments.values())
        times = times_of(event)
        seen = seen_in(event, times)
        entered = _entered(event)
        tables = Table.objects.filter(room__event=event, closed_at__isnull=True, is_reserved=False).count()
    told = [
        _of_draw(one, sheets[one.pk], times, entered[one.pk], minute(now))
        if one.pk in sheets
        else _before_the_draw(one, event, entered[one.pk], minute(now))
        for one in tournaments.values()
    ]
    moment = Moment(
        minute(now),
        tuple(match for one in told for match in one.matches),
        tuple(growing for one in told for growing in one.growing),
        seen,
        tables or None,
    )
    if not times.called:
        since = {one.slug: one.since for one in told if one.since is not None}
        moment = assume_started(moment, since)
    untold = {one.slug: one.why_not for one in told if one.why_not}
    counts = {slug: len(entered[one.pk]) for slug, one in tournaments.items()}
    return Underway(moment, tournaments, counts, untold)


def _sheets(tournaments: Collection[Tournament]) -> dict[uuid.UUID, storage.Sheet]:
    """Of those that are drawn."""
    drawn = Draw.objects.filter(tournament__in=tournaments, replaced_at__isnull=True)
    found = set(drawn.values_list("tournament_id", flat=True))
    return storage.read_all(one for one in tournaments if one.pk in found)


class _Told(NamedTuple):
    """One tournament; `since` is when it began, None while nothing says that it has."""

    slug: str
    matches: tuple[OpenMatch[Any], ...] = ()
    growing: tuple[GrowingBracket, ...] = ()
    since: float | None = None
    why_not: str = ""


class _In(NamedTuple):
    """Who entered, and with how many losses."""

    player: uuid.UUID
    starting_losses: int


def _entered(event: Event) -> Mapping[uuid.UUID, dict[uuid.UUID, _In]]:
    """The entries of each tournament that are still in."""
    rows = Entry.objects.filter(tournament__event=event, withdrawn_at__isnull=True).order_by("pk")
    found: dict[uuid.UUID, dict[uuid.UUID, _In]] = defaultdict(dict)
    for tournament, pk, player, losses in rows.values_list(
        "tournament_id", "pk", "player_id", "starting_losses"
    ):
        found[tournament][pk] = _In(player, losses)
    return found


def _of_draw(
    tournament: Tournament,
    sheet: storage.Sheet,
    times: Times,
    entered: Mapping[uuid.UUID, _In],
    now: float,
) -> _Told:
    states = sheet.seated()
    known = {key: times.known(played_to(row), row.match_id) for key, row in sheet.rows.items()}
    matches = open_matches(tournament.slug, sheet.graph, states, known, set(sheet.facts.withdrawn))
    begun = [one.began for one in known.values() if one.began is not None]
    since = min(begun, default=None)
    if since is None and tournament.starts_at is not None:
        since = minute(tournament.starts_at)
    earliest = since if since is not None else opening(tournament, tournament.event, now)
    people = {pk: one.player for pk, one in entered.items()}
    return _Told(
        tournament.slug,
        tuple(replace(_of_people(one, people), earliest=earliest) for one in matches),
        _growing(tournament, sheet, states, entered, earliest),
        since,
    )


def _of_people(one: OpenMatch[Any], players: Mapping[Any, uuid.UUID]) -> OpenMatch[Any]:
    """With players for entries, so that whoever is in two tournaments is one person."""
    return replace(one, people=tuple(players[entry] for entry in one.people if entry in players))


def opening(tournament: Tournament, event: Event, now: float) -> float:
    """When it is to begin: as planned, else in the morning of the event; never before now."""
    planned_at = tournament.starts_at or datetime.combine(
        event.starts_on, OPENS_AT, ZoneInfo(event.time_zone)
    )
    return max(now, minute(planned_at))


def _growing(
    tournament: Tournament,
    sheet: storage.Sheet,
    states: Mapping[int, State[uuid.UUID]],
    entered: Mapping[uuid.UUID, _In],
    earliest: float,
) -> tuple[GrowingBracket, ...]:
    chosen = Format.from_json(tournament.format)
    if not chosen.is_growing:
        return ()
    paired = [key for key, row in sheet.rows.items() if row.bracket == MAIN]
    last = max((sheet.rows[key].round for key in paired), default=0)
    lost = _losses(states[key] for key in paired)
    losses = [(one.player, lost[pk] + one.starting_losses) for pk, one in entered.items()]
    return (_rounds_to_come(tournament, chosen, last, losses, earliest),)


def _losses(states: Iterable[State[uuid.UUID]]) -> Counter[object]:
    lost: Counter[object] = Counter()
    for left, right, result in states:
        if result.how in (How.PLAYED, How.WALKOVER):
            lost[result.loser] += 1
        elif result.how == How.NOBODY:
            lost.update((left, right))
    return lost


def _rounds_to_come(
    tournament: Tournament,
    chosen: Format,
    last: int,
    losses: Iterable[tuple[uuid.UUID, int]],
    earliest: float,
) -> GrowingBracket:
    lives = LivesRules(chosen.lives, chosen.stop, chosen.rounds) if chosen.kind == Kind.LIVES else None
    lengths = bracket_lengths(tournament, MAIN)
    still_in = [(player, lost) for player, lost in losses if lives is None or lost < lives.lives]
    rounds = chosen.rounds
    if lives is not None:
        rounds = planned_rounds_of_lives(last + 1, len(still_in), rounds if lives.stop == Stop.ROUNDS else 0)
    numbers = range(last + 1, max(last + 1, rounds) + 1)
    return GrowingBracket(
        tournament.slug,
        MAIN,
        last,
        tuple(lost for _, lost in still_in),
        tuple(planned_length(length_of_round(lengths, max(number, rounds), number)) for number in numbers),
        max(0, chosen.rounds - last),
        lives,
        earliest,
        tuple(player for player, _ in still_in),
        is_session=isinstance(lengths[-1], StakePlay),
    )


def _before_the_draw(
    tournament: Tournament, event: Event, entered: Mapping[uuid.UUID, _In], now: float
) -> _Told:
    """As if it were drawn now with everybody who is entered."""
    if len(entered) < FEWEST:
        return _Told(tournament.slug)
    chosen = Format.from_json(tournament.format)
    earliest = opening(tournament, event, now)
    players = [one.player for one in entered.values()]
    if chosen.is_growing:
        growing = _rounds_to_come(tournament, chosen, 0, [(player, 0) for player in players], earliest)
        return _Told(tournament.slug, growing=(growing,))
    try:
        graph = layout(chosen, len(players)).graph
    except (FormatError, GraphError) as cannot:
        return _Told(tournament.slug, why_not=str(cannot))
    matches = open_matches(
        tournament.slug, graph, resolve(graph, {}).states, _planned_lengths(tournament, graph)
    )
    people = dict(enumerate(players, start=1))
    return _Told(
        tournament.slug,
        tuple(
            replace(_of_people(_of_tournament(one, tournament.slug), people), earliest=earliest)
            for one in matches
        ),
    )


def _planned_lengths(tournament: Tournament, graph: Any) -> dict[Any, MatchStatus]:
    last: dict[str, int] = {}
    for one in graph:
        last[one.bracket] = max(one.round, last.get(one.bracket, 0))
    found = {}
    for one in graph:
        to = length_of_round(bracket_lengths(tournament, one.bracket), last[one.bracket], one.round)
        found[one.key] = MatchStatus(planned_length(to), is_session=isinstance(to, StakePlay))
    return found


def _of_tournament(one: OpenMatch[Any], slug: str) -> OpenMatch[Any]:
    """With a key that no other tournament of the event has."""
    after = tuple((slug, key) for key in one.after)
    comes = tuple(AwaitedPlayer((slug, key), outcome) for key, outcome in one.awaited)
    return replace(one, key=(slug, one.key), after=after, awaited=comes)
