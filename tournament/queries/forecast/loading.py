"""Loads the input of a forecast: all matches of an event that are not over, drawn or only planned. Reads only."""

import uuid
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, time
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from tournament.access.tournament_lists import is_current
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
from tournament.draw.sentence_error import SentenceError
from tournament.entries.reentry import format_to_draw
from tournament.forecast.assumed_starts import assume_started
from tournament.forecast.moment import GrowingBracket, Moment
from tournament.forecast.open_matches import AwaitedPlayer, MatchStatus, OpenMatch, open_matches
from tournament.models import Draw, Entry, Event, Table, Tournament
from tournament.queries.forecast.times import MatchTimes, match_times, minute, pace_samples
from tournament.runtime.snapshot import consistent_read

OPENS_AT: Final = time(10)
"""Start of a day of play if the tournament has no start time."""
FEWEST_ENTRIES: Final = 2


@dataclass(frozen=True, slots=True)
class ForecastInput:
    """Tournaments and the number of their entries by slug. `refusals`: for each slug whose format cannot be played, a
    sentence that says why.
    """

    moment: Moment
    tournaments: Mapping[str, Tournament]
    entry_counts: Mapping[str, int]
    refusals: Mapping[str, SentenceError]


def load_forecast_input(event: Event, now: datetime) -> ForecastInput:
    """Loads the event in one consistent read. Tournaments without a draw count as drawn now."""
    with consistent_read():
        tournaments = {
            row.slug: row
            for row in Tournament.objects.filter(is_current(), event=event).select_related("event")
        }
        sheets = _sheets(tournaments.values())
        times = match_times(event)
        samples = pace_samples(event, times)
        players = _players(event)
        tables = Table.objects.filter(room__event=event, closed_at__isnull=True, is_reserved=False).count()
    inputs = [
        _drawn_input(row, sheets[row.pk], times, players[row.pk], minute(now))
        if row.pk in sheets
        else _planned_input(row, event, players[row.pk], minute(now))
        for row in tournaments.values()
    ]
    moment = Moment(
        minute(now),
        tuple(match for tournament in inputs for match in tournament.matches),
        tuple(growing for tournament in inputs for growing in tournament.growing),
        samples,
        tables or None,
    )
    if not times.called:
        starts = {tournament.slug: tournament.since for tournament in inputs if tournament.since is not None}
        moment = assume_started(moment, starts)
    refusals = {tournament.slug: tournament.why_not for tournament in inputs if tournament.why_not}
    counts = {slug: len(players[row.pk]) for slug, row in tournaments.items()}
    return ForecastInput(moment, tournaments, counts, refusals)


def _sheets(tournaments: Collection[Tournament]) -> dict[uuid.UUID, storage.Sheet]:
    draws = Draw.objects.filter(tournament__in=tournaments, replaced_at__isnull=True)
    drawn = set(draws.values_list("tournament_id", flat=True))
    return storage.read_all(tournament for tournament in tournaments if tournament.pk in drawn)


class _TournamentInput(NamedTuple):
    """`since`: the minute at which the tournament began, None if nothing says that it has."""

    slug: str
    matches: tuple[OpenMatch[Any], ...] = ()
    growing: tuple[GrowingBracket, ...] = ()
    since: float | None = None
    why_not: SentenceError | None = None


class _Entrant(NamedTuple):
    player: uuid.UUID
    starting_losses: int


def _players(event: Event) -> Mapping[uuid.UUID, dict[uuid.UUID, _Entrant]]:
    """The entries of each tournament that are not withdrawn."""
    rows = Entry.objects.filter(
        is_current("tournament"), tournament__event=event, withdrawn_at__isnull=True
    ).order_by("pk")
    entrants: dict[uuid.UUID, dict[uuid.UUID, _Entrant]] = defaultdict(dict)
    for tournament, pk, player, losses in rows.values_list(
        "tournament_id", "pk", "player_id", "starting_losses"
    ):
        entrants[tournament][pk] = _Entrant(player, losses)
    return entrants


def _drawn_input(
    tournament: Tournament,
    sheet: storage.Sheet,
    times: MatchTimes,
    entrants: Mapping[uuid.UUID, _Entrant],
    now: float,
) -> _TournamentInput:
    states = sheet.seated()
    statuses = {key: times.status(played_to(row), row.match_id) for key, row in sheet.rows.items()}
    matches = open_matches(tournament.slug, sheet.graph, states, statuses, set(sheet.facts.withdrawn))
    starts = [status.began for status in statuses.values() if status.began is not None]
    since = min(starts, default=None)
    if since is None and tournament.starts_at is not None:
        since = minute(tournament.starts_at)
    earliest = since if since is not None else planned_start(tournament, tournament.event, now)
    players = {pk: entrant.player for pk, entrant in entrants.items()}
    return _TournamentInput(
        tournament.slug,
        tuple(replace(_with_players(match, players), earliest=earliest) for match in matches),
        _growing_brackets(tournament, sheet, states, entrants, earliest),
        since,
    )


def _with_players(match: OpenMatch[Any], players: Mapping[Any, uuid.UUID]) -> OpenMatch[Any]:
    """Replaces entries by players, so that a player of two tournaments is one person."""
    return replace(match, people=tuple(players[entry] for entry in match.people if entry in players))


def planned_start(tournament: Tournament, event: Event, now: float) -> float:
    """The tournament's start time, otherwise the morning of the event's first day; not earlier than now."""
    planned_at = tournament.starts_at or datetime.combine(
        event.starts_on, OPENS_AT, ZoneInfo(event.time_zone)
    )
    return max(now, minute(planned_at))


def _growing_brackets(
    tournament: Tournament,
    sheet: storage.Sheet,
    states: Mapping[int, State[uuid.UUID]],
    entrants: Mapping[uuid.UUID, _Entrant],
    earliest: float,
) -> tuple[GrowingBracket, ...]:
    chosen = Format.from_json(tournament.format)
    if not chosen.is_growing:
        return ()
    paired = [key for key, row in sheet.rows.items() if row.bracket == MAIN]
    last = max((sheet.rows[key].round for key in paired), default=0)
    lost = _count_losses(states[key] for key in paired)
    losses = [(entrant.player, lost[pk] + entrant.starting_losses) for pk, entrant in entrants.items()]
    return (_growing_bracket(tournament, chosen, last, losses, earliest),)


def _count_losses(states: Iterable[State[uuid.UUID]]) -> Counter[object]:
    losses: Counter[object] = Counter()
    for left, right, result in states:
        if result.how in (How.PLAYED, How.WALKOVER):
            losses[result.loser] += 1
        elif result.how == How.NOBODY:
            losses.update((left, right))
    return losses


def _growing_bracket(
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


def _planned_input(
    tournament: Tournament, event: Event, entrants: Mapping[uuid.UUID, _Entrant], now: float
) -> _TournamentInput:
    """The input of a tournament without a draw, as if its entries were drawn now."""
    if len(entrants) < FEWEST_ENTRIES:
        return _TournamentInput(tournament.slug)
    chosen = format_to_draw(tournament)
    earliest = planned_start(tournament, event, now)
    players = [entrant.player for entrant in entrants.values()]
    if chosen.is_growing:
        growing = _growing_bracket(tournament, chosen, 0, [(player, 0) for player in players], earliest)
        return _TournamentInput(tournament.slug, growing=(growing,))
    try:
        graph = layout(chosen, len(players)).graph
    except (FormatError, GraphError) as error:
        return _TournamentInput(tournament.slug, why_not=error)
    matches = open_matches(
        tournament.slug, graph, resolve(graph, {}).states, _planned_statuses(tournament, graph)
    )
    player_of_seed = dict(enumerate(players, start=1))
    return _TournamentInput(
        tournament.slug,
        tuple(
            replace(
                _with_players(_with_unique_key(match, tournament.slug), player_of_seed), earliest=earliest
            )
            for match in matches
        ),
    )


def _planned_statuses(tournament: Tournament, graph: Any) -> dict[Any, MatchStatus]:
    last_round: dict[str, int] = {}
    for pairing in graph:
        last_round[pairing.bracket] = max(pairing.round, last_round.get(pairing.bracket, 0))
    statuses = {}
    for pairing in graph:
        lengths = bracket_lengths(tournament, pairing.bracket)
        to = length_of_round(lengths, last_round[pairing.bracket], pairing.round)
        statuses[pairing.key] = MatchStatus(planned_length(to), is_session=isinstance(to, StakePlay))
    return statuses


def _with_unique_key(match: OpenMatch[Any], slug: str) -> OpenMatch[Any]:
    """Gives the match a key that no other tournament of the event has."""
    after = tuple((slug, key) for key in match.after)
    awaited = tuple(AwaitedPlayer((slug, key), outcome) for key, outcome in match.awaited)
    return replace(match, key=(slug, match.key), after=after, awaited=awaited)
