"""Lists the brackets of a tournament, and finds the one that crowns its winner. Reads only."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Coalesce

from tournament.access.draw_visibility import released_draws
from tournament.draw.formats import Format, Kind
from tournament.draw.graph import Outcome
from tournament.models import Bracket, Event, Feed, Pairing, Shape, Tournament
from tournament.queries.brackets.labels import MAIN, bracket_slug
from tournament.runtime.errors import NotFound

THIRD_PLACE = "third place"
DECIDED_IN = {Kind.GROUPS: "play-off", Kind.DOUBLE: "final"}
"""Formats whose winner is not found in the bracket drawn first."""
UNDECIDED = Q(rounds__pairings__settled="")


@dataclass(frozen=True, slots=True)
class BracketLine:
    """A bracket in a list; `undecided` pairings are still to be played."""

    id: uuid.UUID
    key: str
    shape: str
    version: int
    undecided: int

    @property
    def slug(self) -> str:
        return bracket_slug(self.key)

    @property
    def is_table(self) -> bool:
        return self.shape == Shape.TABLE

    @property
    def is_over(self) -> bool:
        return self.undecided == 0


def list_brackets(tournament: Tournament) -> list[BracketLine]:
    """Every bracket that has rounds, in the order in which they were drawn; empty before the draw."""
    drawn = Bracket.objects.filter(tournament=tournament, rounds__isnull=False).order_by("position")
    rows = drawn.annotate(undecided=Count("rounds__pairings", filter=UNDECIDED, distinct=True))
    return [BracketLine(row.pk, row.key, row.shape, row.version, row.undecided) for row in rows]


def released_bracket_ids(*tournaments: Tournament) -> list[uuid.UUID]:
    """Returns the ids of the brackets with a released draw: the channels of their live pages."""
    brackets = Bracket.objects.filter(tournament__in=tournaments)
    released = brackets.filter(tournament__in=released_draws.values("tournament"))
    return list(released.order_by("tournament", "position").values_list("pk", flat=True))


def bracket_ids(place: Event | Tournament) -> list[uuid.UUID]:
    """Returns the ids of all brackets of an event, or of one of its tournaments: the channels of its pages."""
    return list(_brackets_in(place).values_list("pk", flat=True))


def _brackets_in(place: Event | Tournament) -> QuerySet[Bracket]:
    if isinstance(place, Tournament):
        return Bracket.objects.filter(tournament=place)
    return Bracket.objects.filter(tournament__event=place)


def reentry_bracket_keys(tournament: Tournament) -> list[str]:
    """Returns the keys of the main bracket and of the drawn side brackets in order, without jackpots."""
    side_brackets = Bracket.objects.filter(tournament=tournament, jackpot__isnull=True).exclude(key=MAIN)
    return [MAIN, *side_brackets.order_by("position").values_list("key", flat=True)]


def find_bracket_key(tournament: Tournament, slug: str) -> str:
    """The key of the bracket with this address; raises NotFound."""
    keys = Bracket.objects.filter(tournament=tournament).values_list("key", flat=True)
    matching_key = next((key for key in keys if slug in (key, bracket_slug(key))), None)
    if matching_key is None:
        raise NotFound
    return matching_key


def default_bracket_key(tournament: Tournament) -> str:
    """Returns the bracket that a tournament's page opens on.

    It is the bracket that decides the winner once two players meet there. Before that it is the bracket drawn first;
    before the draw it is "main".
    """
    last = DECIDED_IN.get(Format.from_json(tournament.format).kind, "")
    if last and Pairing.objects.filter(**_meetings_in(tournament, last)).exists():
        return last
    rows = Bracket.objects.filter(tournament=tournament, rounds__isnull=False).order_by("position")
    return rows.values_list("key", flat=True).first() or "main"


def _meetings_in(tournament: Tournament, key: str) -> dict[str, Any]:
    here = {"round__bracket__tournament": tournament, "round__bracket__key": key}
    return {**here, "left__isnull": False, "right__isnull": False}


def crown_brackets(tournaments: Iterable[Tournament]) -> Mapping[uuid.UUID, Bracket]:
    """Returns the bracket of each tournament whose winner wins the tournament, in two statements.

    It is the first bracket, or the bracket that its winners lead to.
    """
    return crown_and_side_brackets(tournaments)[0]


def crown_and_side_brackets(
    tournaments: Iterable[Tournament],
) -> tuple[Mapping[uuid.UUID, Bracket], list[Bracket]]:
    """Returns the crown brackets, and the side brackets that have their own winner: consolation, last chance, jackpots.

    Runs two statements.
    """
    tournament_ids = [tournament.pk for tournament in tournaments]
    led_to = _leads_to(tournament_ids)
    rows = (
        Bracket.objects.filter(tournament__in=tournament_ids, rounds__isnull=False)
        .order_by("position")
        .distinct()
    )
    by_id = {row.pk: row for row in rows}
    crowns: dict[uuid.UUID, Bracket] = {}
    for row in by_id.values():
        last = row.pk
        while last in led_to:
            last = led_to[last]
        crowns.setdefault(row.tournament_id, by_id[last])
    won = {row.pk for row in crowns.values()}
    sides = [
        row
        for row in by_id.values()
        if row.shape == Shape.TREE and row.key != THIRD_PLACE and row.pk not in won and row.pk not in led_to
    ]
    return crowns, sides


def _leads_to(tournaments: list[uuid.UUID]) -> Mapping[uuid.UUID, uuid.UUID]:
    """Maps each bracket whose winners play on in another bracket to that bracket."""
    elsewhere = ~Q(target__round__bracket=F("source__round__bracket"))
    feeds = Feed.objects.filter(target__round__bracket__tournament__in=tournaments).filter(
        Q(bracket__isnull=False) | (Q(outcome=Outcome.WINNER) & elsewhere)
    )
    origin = Coalesce("bracket_id", "source__round__bracket_id")
    return dict(feeds.annotate(origin=origin).values_list("origin", "target__round__bracket_id").distinct())
