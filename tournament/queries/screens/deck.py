"""Loads the slides of one screen. Reads only, with a few statements for each tournament.

Contains only public data: nothing of a draw that is not released.
"""

import hashlib
import json
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Sum
from django.utils import timezone

from tournament.access.draw_visibility import released_draws
from tournament.access.score_visibility import score_visibility, visible_stamps
from tournament.access.tournament_lists import is_current, is_listed
from tournament.live.channels import event_channel
from tournament.models import Bracket, DisplayLink, Event, Result, Room, Tournament
from tournament.queries.brackets.bracket import bracket_views
from tournament.queries.brackets.bracket_view import BracketView
from tournament.queries.events.ends import find_ends
from tournament.queries.screens.public_draw import pending_public_draws
from tournament.queries.screens.room import ScreenCall, new_calls, screen_calls, screen_tables
from tournament.queries.screens.slide_parts import (
    MOST_COLUMNS,
    MOST_LINES,
    MOST_TABLES,
    FinalRounds,
    RoundPart,
    bracket_slides,
    split_evenly,
    split_into_columns,
)
from tournament.queries.standings.standings import list_rankings
from tournament.screens.plan import DEFAULT_SECONDS, Plan, SlideKind, fit_into_turn
from tournament.screens.slides import slides_of_event

FEW_LEFT = 8


@dataclass(frozen=True, slots=True)
class DeckSlide:
    """A slide. `key` identifies it and stays the same when its content changes.

    `kind`: draw, calls, tables, round, end, standings, own or waiting. The type of `content` depends on it.
    """

    key: str
    kind: str
    title: str
    about: str
    seconds: int
    content: Any


@dataclass(frozen=True, slots=True)
class Deck:
    """All slides of a screen. `channels` publish changes of them. `is_shortened`: a turn would take too long with the
    seconds of the plan.
    """

    slides: tuple[DeckSlide, ...]
    channels: tuple[uuid.UUID, ...]
    is_shortened: bool

    @property
    def turn(self) -> int:
        """Seconds of a whole turn."""
        return sum(slide.seconds for slide in self.slides)

    @property
    def shortest(self) -> int:
        """Seconds of the shortest slide."""
        return min(slide.seconds for slide in self.slides)


def load_deck(link: DisplayLink) -> Deck:
    """Returns the slides in their order. `link.event` must be loaded."""
    plan, event = Plan.from_json(link.plan), link.event
    tournaments = _tournaments_of_plan(event, plan)
    brackets = Bracket.objects.filter(
        tournament__in=_released_tournaments(_watched_tournaments(event, plan))
    ).values_list("pk", flat=True)
    room = Room.objects.filter(event=event).values_list("pk", flat=True).first()
    channels = [link.pk, event_channel(event.pk), *([room] if room else []), *brackets]
    slides = _without_empty_room(list(_slides(event, plan, tournaments))) or [_waiting_slide(event)]
    planned = [slide.seconds for slide in slides]
    seconds = fit_into_turn(planned)
    fitted = (replace(slide, seconds=own) for slide, own in zip(slides, seconds, strict=True))
    return Deck(tuple(fitted), tuple(channels), seconds != planned)


def deck_stamp(link: DisplayLink) -> str:
    """Returns a hash that changes with the slides. Takes eight statements, and one for each tournament with delayed
    scores."""
    plan, event = Plan.from_json(link.plan), link.event
    watched = _watched_tournaments(event, plan)
    released = _released_tournaments(watched)
    state = [
        link.plan,
        event.name,
        event.logo_id,
        [(tournament.pk, tournament.name, tournament.score_delay) for tournament in watched],
        [(tournament.pk, released_at) for tournament, released_at in released.items()],
        _bracket_versions(list(released)),
        list(Room.objects.filter(event=event).values_list("pk", "version")),
        [(slide.pk, slide.position) for slide in slides_of_event(event)],
        [(draw.secret_hash, draw.entries_hash) for draw in pending_public_draws(watched)],
        new_calls(event),
    ]
    return hashlib.sha256(json.dumps(state, default=str).encode()).hexdigest()[:20]


def _released_tournaments(tournaments: Sequence[Tournament]) -> dict[Tournament, datetime | None]:
    """Returns tournaments with a released draw and the time of release. Screens do not even name other tournaments."""
    rows = released_draws.filter(tournament__in=tournaments)
    since = dict(rows.values_list("tournament_id", "released_at"))
    return {tournament: since[tournament.pk] for tournament in tournaments if tournament.pk in since}


def _bracket_versions(tournaments: Sequence[Tournament]) -> list[tuple[Any, ...]]:
    """Returns values that change with the public view of each bracket."""
    delayed_stamps: dict[uuid.UUID, str] = {}
    for tournament in tournaments:
        visibility = score_visibility(tournament)
        if not visibility.is_live:
            delayed_stamps |= visible_stamps(tournament.brackets.values_list("pk", flat=True), visibility)
    rows = Bracket.objects.filter(tournament__in=tournaments).annotate(
        live=Sum("rounds__pairings__match__version")
    )
    values = rows.order_by("pk").values_list("pk", "version", "live")
    return [(pk, version, delayed_stamps.get(pk, live)) for pk, version, live in values]


def _without_empty_room(slides: list[DeckSlide]) -> list[DeckSlide]:
    """Keeps a slide of free tables only if the screen has nothing else to show."""
    others = [slide for slide in slides if not _is_empty_room(slide)]
    return others or slides[:1]


def _is_empty_room(slide: DeckSlide) -> bool:
    return slide.kind == "tables" and not any(table.call for table in slide.content)


def _waiting_slide(event: Event) -> DeckSlide:
    return DeckSlide("waiting", "waiting", event.name, "", max(DEFAULT_SECONDS.values()), None)


def _tournaments_of_plan(event: Event, plan: Plan) -> list[Tournament]:
    rows = Tournament.objects.filter(is_current(), event=event)
    return list(rows.filter(pk__in=plan.tournaments) if plan.tournaments else rows.filter(is_listed()))


def _watched_tournaments(event: Event, plan: Plan) -> list[Tournament]:
    """Tournaments whose changes affect the screen: slides of tables have matches of all tournaments."""
    if plan.shows(SlideKind.TABLES):
        return list(Tournament.objects.filter(is_current(), event=event))
    return _tournaments_of_plan(event, plan)


def _slides(event: Event, plan: Plan, tournaments: Sequence[Tournament]) -> Iterator[DeckSlide]:
    for draw in pending_public_draws(tournaments):
        key = f"draw-{draw.tournament.pk}"
        yield DeckSlide(key, "draw", draw.tournament.name, "", DEFAULT_SECONDS[SlideKind.BRACKETS], draw)
    if plan.shows(SlideKind.CALLS) or plan.shows(SlideKind.TABLES):
        yield from _room_slides(event, plan)
    released = list(_released_tournaments(tournaments))
    ends = find_ends(released)
    finished = [tournament for tournament in released if ends[tournament.pk].is_over]
    is_in_play = len(finished) < len(released)
    latest = _last_finished(finished) if is_in_play else None
    for tournament in released:
        if not is_in_play or tournament not in finished:
            yield from _tournament_slides(tournament, plan)
        elif tournament.pk == latest:
            yield from _final_slide(_tournament_slides(tournament, plan))
    if plan.shows(SlideKind.SLIDES):
        for slide in slides_of_event(event):
            seconds = plan.seconds[SlideKind.SLIDES]
            yield DeckSlide(f"own-{slide.pk}", "own", "", "", seconds, slide)


def _last_finished(finished: Sequence[Tournament]) -> uuid.UUID | None:
    """Returns the tournament with the latest result."""
    latest = Result.objects.filter(pairing__round__bracket__tournament__in=finished).order_by("-posted_at")
    return latest.values_list("pairing__round__bracket__tournament_id", flat=True).first()


def _final_slide(slides: Iterable[DeckSlide]) -> Iterator[DeckSlide]:
    """The final, or without one the first page of the standings: for the last finished tournament while others play."""
    by_kind = {slide.kind: slide for slide in reversed(list(slides))}
    final = by_kind.get("end") or by_kind.get("standings")
    if final is not None:
        yield final


def _room_slides(event: Event, plan: Plan) -> Iterator[DeckSlide]:
    """New calls, then all tables."""
    calls, now = screen_calls(event), timezone.now()
    waiting = [call for call in calls if not call.is_playing and call.is_new_until > now]
    if plan.shows(SlideKind.CALLS):
        yield from _call_slides(waiting, plan.seconds[SlideKind.CALLS])
    if plan.shows(SlideKind.TABLES):
        parts = split_evenly(screen_tables(event, calls), MOST_TABLES)
        for number, part in enumerate(parts, start=1):
            yield DeckSlide(f"tables-{number}", "tables", "", "", plan.seconds[SlideKind.TABLES], part)


def _call_slides(waiting: Sequence[ScreenCall], seconds: int) -> Iterator[DeckSlide]:
    for number, part in enumerate(split_evenly(waiting, MOST_LINES), start=1):
        yield DeckSlide(f"calls-{number}", "calls", "", "", seconds, part)


def _tournament_slides(tournament: Tournament, plan: Plan) -> Iterator[DeckSlide]:
    if plan.shows(SlideKind.BRACKETS):
        jackpots = set(Bracket.objects.filter(jackpot__tournament=tournament).values_list("pk", flat=True))
        for bracket in bracket_views(tournament):
            if bracket.id in jackpots and all(view.is_decided for view in bracket.rounds):
                continue
            yield from _bracket_slides(tournament, bracket, plan.seconds[SlideKind.BRACKETS])
    if plan.shows(SlideKind.STANDINGS):
        yield from _standings_slides(tournament, plan.seconds[SlideKind.STANDINGS])


def _bracket_slides(tournament: Tournament, bracket: BracketView, seconds: int) -> Iterator[DeckSlide]:
    for content in bracket_slides(bracket):
        match content:
            case RoundPart():
                key = f"{bracket.id}-{content.round.number}-{content.part}"
                yield DeckSlide(key, "round", tournament.name, bracket.key, seconds, content)
            case FinalRounds():
                yield DeckSlide(f"{bracket.id}-end", "end", tournament.name, bracket.key, seconds, content)


def _standings_slides(tournament: Tournament, seconds: int) -> Iterator[DeckSlide]:
    """Standings of crosstables, and of knockouts in which few players are left."""
    rankings = (
        ranking
        for ranking in list_rankings(tournament)
        if ranking.is_table
        or sum(line.is_in for line in ranking.lines) <= min(FEW_LEFT, len(ranking.lines) - 1)
    )
    for ranking in rankings:
        for number, part in enumerate(split_evenly(ranking.lines, MOST_LINES * MOST_COLUMNS), start=1):
            key = f"standings-{tournament.pk}-{ranking.key.replace(' ', '-')}-{number}"
            yield DeckSlide(key, "standings", tournament.name, ranking.key, seconds, split_into_columns(part))
