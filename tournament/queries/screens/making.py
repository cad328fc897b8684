"""Makes what one screen shows from the rows of its event. Reads only: a handful of statements for each tournament.

What a stranger may see and no more: of a draw that is not released there is nothing.
"""

import hashlib
import json
import uuid
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Sum

from tournament.access.draw_visibility import released_draws
from tournament.live.channels import event_channel
from tournament.models import Bracket, DisplayLink, Event, Room, Tournament
from tournament.queries.brackets.bracket import bracket_views
from tournament.queries.brackets.bracket_view import BracketView
from tournament.queries.matches.running_scores import delay_for, visible_stamps
from tournament.queries.screens.cutting import (
    MOST_COLUMNS,
    MOST_LINES,
    MOST_TABLES,
    BracketEnd,
    RoundPart,
    bracket_cut,
    in_columns,
    in_parts,
)
from tournament.queries.screens.public_draw import draws_in_making
from tournament.queries.screens.room import calls_of, tables_of
from tournament.queries.screens.shown import CallShown, Deck, SlideShown
from tournament.queries.standings.standings import list_rankings
from tournament.screens.plan import SECONDS, Plan, Show
from tournament.screens.slides import slides_of


def deck_of(link: DisplayLink) -> Deck:
    """The slides of this screen in their order, and what it listens to. `link` comes with its event."""
    plan, event = Plan.from_json(link.plan), link.event
    tournaments = _tournaments(event, plan)
    brackets = Bracket.objects.filter(tournament__in=_released(_followed(event, plan))).values_list(
        "pk", flat=True
    )
    room = Room.objects.filter(event=event).values_list("pk", flat=True).first()
    listens = [link.pk, event_channel(event.pk), *([room] if room else []), *brackets]
    slides = tuple(_slides(event, plan, tournaments)) or (_nothing_yet(event),)
    return Deck(slides, tuple(listens))


def deck_stamp(link: DisplayLink) -> str:
    """Changes with everything that the screen shows: seven statements, one more for each tournament seen late."""
    plan, event = Plan.from_json(link.plan), link.event
    followed = _followed(event, plan)
    released = _released(followed)
    told = [
        link.plan,
        event.name,
        [(one.pk, one.name, one.score_delay) for one in followed],
        [(one.pk, released_at) for one, released_at in released.items()],
        _versions(list(released)),
        list(Room.objects.filter(event=event).values_list("pk", "version")),
        [(one.pk, one.position) for one in slides_of(event)],
        [(one.secret_hash, one.entries_hash) for one in draws_in_making(followed)],
    ]
    return hashlib.sha256(json.dumps(told, default=str).encode()).hexdigest()[:20]


def _released(tournaments: Sequence[Tournament]) -> dict[Tournament, datetime | None]:
    """Those whose draw everybody may see, and since when: of another one a screen shows not even that it is there."""
    rows = released_draws.filter(tournament__in=tournaments)
    since = dict(rows.values_list("tournament_id", "released_at"))
    return {one: since[one.pk] for one in tournaments if one.pk in since}


def _versions(tournaments: Sequence[Tournament]) -> list[tuple[Any, ...]]:
    """Of each bracket what changes with what onlookers see of it."""
    seen: dict[uuid.UUID, str] = {}
    for tournament in tournaments:
        sight = delay_for(tournament)
        if not sight.is_live:
            seen |= visible_stamps(tournament.brackets.values_list("pk", flat=True), sight)
    rows = Bracket.objects.filter(tournament__in=tournaments).annotate(
        live=Sum("rounds__pairings__match__version")
    )
    told = rows.order_by("pk").values_list("pk", "version", "live")
    return [(pk, version, seen.get(pk, live)) for pk, version, live in told]


def _nothing_yet(event: Event) -> SlideShown:
    return SlideShown("waiting", "waiting", event.name, "", max(SECONDS.values()), None)


def _tournaments(event: Event, plan: Plan) -> list[Tournament]:
    rows = Tournament.objects.filter(event=event)
    return list(rows.filter(pk__in=plan.tournaments) if plan.tournaments else rows)


def _followed(event: Event, plan: Plan) -> list[Tournament]:
    """At the tables are matches of all tournaments, whichever of them the screen shows."""
    return (
        list(Tournament.objects.filter(event=event)) if plan.shows(Show.TABLES) else _tournaments(event, plan)
    )


def _slides(event: Event, plan: Plan, tournaments: Sequence[Tournament]) -> Iterator[SlideShown]:
    for made in draws_in_making(tournaments):
        key = f"draw-{made.tournament.pk}"
        yield SlideShown(key, "draw", made.tournament.name, "", SECONDS[Show.BRACKETS], made)
    if plan.shows(Show.CALLS) or plan.shows(Show.TABLES):
        yield from _of_the_room(event, plan)
    for tournament in _released(tournaments):
        yield from _of_a_tournament(tournament, plan)
    if plan.shows(Show.SLIDES):
        for slide in slides_of(event):
            seconds = plan.seconds[Show.SLIDES]
            yield SlideShown(f"own-{slide.pk}", "own", "", "", seconds, slide)


def _of_the_room(event: Event, plan: Plan) -> Iterator[SlideShown]:
    """Those who are called and not playing yet; then every table with whoever sits there."""
    calls = calls_of(event)
    waiting = [call for call in calls if not call.is_playing]
    if plan.shows(Show.CALLS):
        yield from _calls(waiting, plan.seconds[Show.CALLS])
    if plan.shows(Show.TABLES):
        parts = in_parts(tables_of(event, calls), MOST_TABLES)
        for number, part in enumerate(parts, start=1):
            yield SlideShown(f"tables-{number}", "tables", "", "", plan.seconds[Show.TABLES], part)


def _calls(waiting: Sequence[CallShown], seconds: int) -> Iterator[SlideShown]:
    for number, part in enumerate(in_parts(waiting, MOST_LINES), start=1):
        yield SlideShown(f"calls-{number}", "calls", "", "", seconds, part)


def _of_a_tournament(tournament: Tournament, plan: Plan) -> Iterator[SlideShown]:
    if plan.shows(Show.BRACKETS):
        brackets = bracket_views(tournament)
        for bracket in brackets:
            yield from _of_a_bracket(tournament, bracket, plan.seconds[Show.BRACKETS])
    if plan.shows(Show.STANDINGS):
        yield from _standings(tournament, plan.seconds[Show.STANDINGS])


def _of_a_bracket(tournament: Tournament, bracket: BracketView, seconds: int) -> Iterator[SlideShown]:
    for one in bracket_cut(bracket):
        match one:
            case RoundPart():
                key = f"{bracket.id}-{one.round.number}-{one.part}"
                yield SlideShown(key, "round", tournament.name, bracket.key, seconds, one)
            case BracketEnd():
                yield SlideShown(f"{bracket.id}-end", "end", tournament.name, bracket.key, seconds, one)


def _standings(tournament: Tournament, seconds: int) -> Iterator[SlideShown]:
    """Lists of places in which somebody has one already."""
    told = (
        one for one in list_rankings(tournament) if one.is_table or not all(line.is_in for line in one.lines)
    )
    for ranking in told:
        for number, part in enumerate(in_parts(ranking.lines, MOST_LINES * MOST_COLUMNS), start=1):
            key = f"standings-{tournament.pk}-{ranking.key.replace(' ', '-')}-{number}"
            yield SlideShown(key, "standings", tournament.name, ranking.key, seconds, in_columns(part))
