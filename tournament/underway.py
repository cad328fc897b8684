"""What is known of an event at one moment, as a forecast takes it: rows read as matches, scores, rounds and tables.

Reads only, in a number of statements that does not grow with a draw. Minutes count from 1970. When play began is
known where a match was called; elsewhere it is worked out from when both players were known and when the first game
was written down.
"""

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, time
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import Count

from matches.models import Match
from tournament import drawsheet
from tournament.draw.formats import Format, FormatError, Kind
from tournament.draw.graph import GraphError
from tournament.draw.layouts import MAIN, layout
from tournament.draw.pairing import LivesRules
from tournament.draw.seating import How, State, resolve
from tournament.flow.assumed import taken_to_play
from tournament.flow.moment import Growing, Moment
from tournament.flow.open_matches import Known, OpenMatch, open_matches
from tournament.flow.pace import Seen
from tournament.flow.urgency import PAUSE
from tournament.lengths import length_of_round, lengths_of
from tournament.models import Call, Draw, Entry, Event, Result, ResultKind, Table, Tournament

OPENS_AT: Final = time(10)
"""When a day of play begins, where a tournament does not say."""
FIRST_GAME: Final = 13.0
"""Minutes that a first game takes before it is written down, about."""
AT_ONCE: Final = 3.0
"""Minutes between the first row of a card and the report within which it was written down afterwards."""
FEWEST: Final = 2


@dataclass(frozen=True, slots=True)
class Underway:
    """`tournaments` by slug, `entered` who is in of each; `untold` are slugs whose format cannot be played as it
    stands, with a sentence why."""

    moment: Moment
    tournaments: Mapping[str, Tournament]
    entered: Mapping[str, int]
    untold: Mapping[str, str]


class _MatchRow(NamedTuple):
    opened_at: datetime
    began_at: datetime | None
    reported_at: datetime | None
    left: int
    right: int
    is_crawford: bool


@dataclass(frozen=True, slots=True)
class _Times:
    """When matches were opened, called and written on."""

    matches: Mapping[uuid.UUID, _MatchRow]
    called: Mapping[uuid.UUID, datetime]

    def began(self, match: uuid.UUID) -> float | None:
        """When play began: as called, else a game before its first row, else a pause after its players were known."""
        row = self.matches[match]
        if match in self.called:
            return minute(self.called[match])
        if row.began_at is None:
            return None
        if row.reported_at is not None and minute(row.reported_at) - minute(row.began_at) < AT_ONCE:
            return min(minute(row.began_at), minute(row.opened_at) + PAUSE)
        return max(minute(row.opened_at), minute(row.began_at) - FIRST_GAME)

    def known(self, length: int, match: uuid.UUID | None) -> Known:
        if match is None:
            return Known(length)
        row = self.matches[match]
        left, right = min(row.left, length), min(row.right, length)
        return Known(length, minute(row.opened_at), self.began(match), left, right, row.is_crawford)


def minute(at: datetime) -> float:
    return at.timestamp() / 60


def moment_at(minutes: float, zone: ZoneInfo) -> datetime:
    """The time that a minute stands for."""
    return datetime.fromtimestamp(minutes * 60, zone)


def underway(event: Event, now: datetime) -> Underway:
    """Everything known of the event by now, tournaments that are not drawn yet included."""
    tournaments = {one.slug: one for one in Tournament.objects.filter(event=event).select_related("event")}
    drawn = set(
        Draw.objects.filter(tournament__event=event, replaced_at__isnull=True).values_list(
            "tournament_id", flat=True
        )
    )
    times = _times(event)
    entered = _entered(event)
    told = [
        _of_draw(one, times, minute(now))
        if one.pk in drawn
        else _before_the_draw(one, event, entered.get(one.pk, 0), minute(now))
        for one in tournaments.values()
    ]
    tables = Table.objects.filter(room__event=event, closed_at__isnull=True, is_reserved=False).count()
    moment = Moment(
        minute(now),
        tuple(match for one in told for match in one.matches),
        tuple(growing for one in told for growing in one.growing),
        _seen(event, times),
        tables or None,
    )
    if not times.called:
        since = {one.slug: one.since for one in told if one.since is not None}
        moment = taken_to_play(moment, since)
    untold = {one.slug: one.why_not for one in told if one.why_not}
    counts = {slug: entered.get(one.pk, 0) for slug, one in tournaments.items()}
    return Underway(moment, tournaments, counts, untold)


class _Told(NamedTuple):
    """One tournament; `since` is when it began, None while nothing says that it has."""

    slug: str
    matches: tuple[OpenMatch[Any], ...] = ()
    growing: tuple[Growing, ...] = ()
    since: float | None = None
    why_not: str = ""


def _times(event: Event) -> _Times:
    rows = Match.objects.filter(pairing__round__bracket__tournament__event=event).values_list(
        "pk", "opened_at", "began_at", "reported_at", "left_points", "right_points", "is_crawford"
    )
    calls = Call.objects.filter(room__event=event, is_taken_back=False).order_by("called_at")
    called = {
        match: playing_at or called_at
        for match, called_at, playing_at in calls.values_list("match_id", "called_at", "playing_at")
    }
    return _Times({row[0]: _MatchRow(*row[1:]) for row in rows}, called)


def _entered(event: Event) -> dict[uuid.UUID, int]:
    entries = Entry.objects.filter(tournament__event=event, withdrawn_at__isnull=True)
    return dict(entries.values_list("tournament_id").annotate(Count("pk")).order_by())


def _seen(event: Event, times: _Times) -> tuple[Seen, ...]:
    """The pace of every match that was played to its end."""
    results = Result.objects.filter(
        pairing__round__bracket__tournament__event=event,
        superseded_by__isnull=True,
        kind=ResultKind.PLAYED,
        match__isnull=False,
    ).values_list("match_id", "pairing__round__length", "left_points", "right_points", "posted_at")
    found = []
    for match, length, left, right, posted_at in results:
        began, reported_at = times.began(match), times.matches[match].reported_at
        if began is not None and left is not None and right is not None:
            points = min(left, length) + min(right, length)
            found.append(Seen(length, points, minute(reported_at or posted_at) - began))
    return tuple(found)


def _of_draw(tournament: Tournament, times: _Times, now: float) -> _Told:
    sheet = drawsheet.read(tournament)
    states = sheet.seated()
    known = {key: times.known(row.length, row.match_id) for key, row in sheet.rows.items()}
    matches = open_matches(tournament.slug, sheet.graph, states, known, set(sheet.facts.withdrawn))
    begun = [one.began for one in known.values() if one.began is not None]
    since = min(begun, default=None)
    if since is None and tournament.starts_at is not None:
        since = minute(tournament.starts_at)
    earliest = since if since is not None else opening(tournament, tournament.event, now)
    return _Told(
        tournament.slug,
        tuple(replace(one, earliest=earliest) for one in matches),
        _growing(tournament, sheet, states, earliest),
        since,
    )


def opening(tournament: Tournament, event: Event, now: float) -> float:
    """When it is to begin: as planned, else in the morning of the event; never before now."""
    planned_at = tournament.starts_at or datetime.combine(
        event.starts_on, OPENS_AT, ZoneInfo(event.time_zone)
    )
    return max(now, minute(planned_at))


def _growing(
    tournament: Tournament, sheet: drawsheet.Sheet, states: Mapping[int, State[uuid.UUID]], earliest: float
) -> tuple[Growing, ...]:
    chosen = Format.from_json(tournament.format)
    if not chosen.is_growing:
        return ()
    paired = [key for key, row in sheet.rows.items() if row.bracket == MAIN]
    last = max((sheet.rows[key].round for key in paired), default=0)
    lost = _losses(states[key] for key in paired)
    entries = Entry.objects.filter(tournament=tournament, withdrawn_at__isnull=True)
    losses = [lost[pk] + given for pk, given in entries.values_list("pk", "given_losses")]
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
    tournament: Tournament, chosen: Format, last: int, losses: Iterable[int], earliest: float
) -> Growing:
    lives = LivesRules(chosen.lives, chosen.stop, chosen.rounds) if chosen.kind == Kind.LIVES else None
    lengths = lengths_of(tournament, MAIN)
    numbers = range(last + 1, max(last + 1, chosen.rounds) + 1)
    return Growing(
        tournament.slug,
        MAIN,
        last,
        tuple(one for one in losses if lives is None or one < lives.lives),
        tuple(length_of_round(lengths, max(number, chosen.rounds), number) for number in numbers),
        max(0, chosen.rounds - last),
        lives,
        earliest,
    )


def _before_the_draw(tournament: Tournament, event: Event, entries: int, now: float) -> _Told:
    """As if it were drawn now with everybody who is entered."""
    if entries < FEWEST:
        return _Told(tournament.slug)
    chosen = Format.from_json(tournament.format)
    earliest = opening(tournament, event, now)
    if chosen.is_growing:
        growing = _rounds_to_come(tournament, chosen, 0, [0] * entries, earliest)
        return _Told(tournament.slug, growing=(growing,))
    try:
        graph = layout(chosen, entries).graph
    except (FormatError, GraphError) as cannot:
        return _Told(tournament.slug, why_not=str(cannot))
    matches = open_matches(
        tournament.slug, graph, resolve(graph, {}).states, _planned_lengths(tournament, graph)
    )
    return _Told(
        tournament.slug,
        tuple(_of_tournament(replace(one, earliest=earliest), tournament.slug) for one in matches),
    )


def _planned_lengths(tournament: Tournament, graph: Any) -> dict[Any, Known]:
    last: dict[str, int] = {}
    for one in graph:
        last[one.bracket] = max(one.round, last.get(one.bracket, 0))
    return {
        one.key: Known(length_of_round(lengths_of(tournament, one.bracket), last[one.bracket], one.round))
        for one in graph
    }


def _of_tournament(one: OpenMatch[Any], slug: str) -> OpenMatch[Any]:
    """With a key that no other tournament of the event has."""
    return replace(one, key=(slug, one.key), after=tuple((slug, key) for key in one.after))
