"""Draws the position of each entry, by the rules of a draw and a seed text. Writes nothing."""

import secrets
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext_noop

from tournament.draw.formats import Format, FormatError
from tournament.draw.formats.layouts import Layout, layout
from tournament.draw.graph import BYE, GraphError
from tournament.draw.public_draw.document import entrant_to_json, rules_to_json
from tournament.draw.recipes import Byes, DrawError, Entrant, OrderRules, SeededLines, draw_positions
from tournament.draw.recipes.order_rules import normalize_spaces
from tournament.entries.lists.limits import MOST_ENTRIES
from tournament.entries.reentry import format_to_draw
from tournament.models import Entry, Event, Tournament
from tournament.models.brackets import DrawMethod
from tournament.refusals.draws import (
    ENTRIES_OUT_OF_RANGE,
    FORMAT_NOT_POSSIBLE,
    NO_SEEDS,
    NO_SHEET,
    RULES_NOT_POSSIBLE,
)
from tournament.runtime.errors import Refused

FEWEST_ENTRIES = 2
NOT_PUBLISHED = gettext_noop("not published")


@dataclass(frozen=True, slots=True)
class DrawRules:
    """The rules of a draw: seeded or by lot, byes and separation, and the reason for byes by hand."""

    method: str = DrawMethod.RANDOM
    rules: OrderRules[str] = field(default_factory=OrderRules)
    byes_reason: str = ""


@dataclass(frozen=True, slots=True)
class DrawnOrder:
    """Entry ids by position (None: a bye), and all that is needed to draw the same order again."""

    seed_text: str
    order: list[str | None]
    rules: dict[str, Any]
    seeds: dict[str, int]


def entries_to_draw(tournament: Tournament) -> list[Entry]:
    """The entries that a draw would contain now, in order of registration. Raises Refused for too few or too many."""
    rows = tournament.entries.filter(withdrawn_at__isnull=True)
    entries = list(rows.select_related("player").order_by("entered_at", "pk"))
    if not FEWEST_ENTRIES <= len(entries) <= MOST_ENTRIES:
        raise Refused(ENTRIES_OUT_OF_RANGE, fewest=FEWEST_ENTRIES, most=MOST_ENTRIES, count=len(entries))
    return entries


def list_entrants(entries: Sequence[Entry], method: str) -> list[Entrant[str]]:
    """The facts about the entries that a draw uses. Raises Refused for a seeded draw without seeds."""
    seeded = method == DrawMethod.SEEDED
    clubs = _published_groups(entries, lambda entry: entry.player.club)
    teams = _published_groups(entries, lambda entry: entry.player.team)
    if seeded and all(entry.seed is None for entry in entries):
        raise Refused(NO_SEEDS)
    return [
        Entrant(
            str(entry.pk),
            entry.seed if seeded else None,
            clubs[entry.pk],
            entry.player.country,
            teams[entry.pk],
        )
        for entry in entries
    ]


def _published_groups(entries: Sequence[Entry], group_of: Callable[[Entry], str]) -> dict[uuid.UUID, str]:
    """Clubs or teams as a draw publishes them: as numbers if the event shortens surnames. Empty stays empty."""
    if not entries or not entries[0].tournament.event.shows_initials:
        return {entry.pk: group_of(entry) for entry in entries}
    numbers = {"": ""}
    groups = {entry.pk: normalize_spaces(group_of(entry)).casefold() for entry in entries}
    return {pk: numbers.setdefault(group, str(len(numbers))) for pk, group in groups.items()}


def published_text(event: Event, text: str) -> str:
    """Free text as the public reads it: hidden if the event shortens surnames, because it may contain full names."""
    return NOT_PUBLISHED if text.strip() and event.shows_initials else text


def refuse_rules_without_sheet(tournament: Tournament, rules: OrderRules[str]) -> None:
    """Raises Refused for drawn byes or lines of seeds if the format has no sheet."""
    plain = rules.byes is Byes.TOP_SEEDS and rules.seeded_lines is SeededLines.FIXED
    if not plain and not Format.from_json(tournament.format).has_sheet:
        raise Refused(NO_SHEET)


def stored_rules(rules: DrawRules, entrants: Sequence[Entrant[str]]) -> dict[str, Any]:
    return rules_to_json(rules.rules) | {
        "method": str(rules.method),
        "byes_reason": rules.byes_reason,
        "entries": [entrant_to_json(entrant) for entrant in entrants],
    }


def draw_order(rules: DrawRules, entrants: Sequence[Entrant[str]], seed_text: str) -> DrawnOrder:
    """Draws from this seed text, or from a random one if it is empty. Raises Refused for impossible rules."""
    text = seed_text.strip() or secrets.token_hex(16)
    try:
        positions = draw_positions(entrants, rules.rules, text)
    except DrawError as error:
        raise Refused(RULES_NOT_POSSIBLE, reason=error) from error
    return DrawnOrder(
        text,
        [None if occupant is BYE else str(occupant) for occupant in positions],
        stored_rules(rules, entrants),
        {entrant.entry: entrant.seed for entrant in entrants if entrant.seed is not None},
    )


def tournament_layout(tournament: Tournament, order: Sequence[str | None]) -> Layout | None:
    """The layout of the tournament's format; None if it is paired round by round.

    Raises Refused if the format does not fit the entries.
    """
    plan = format_to_draw(tournament)
    if plan.is_growing:
        return None
    byes = frozenset(position for position, entry in enumerate(order, 1) if entry is None)
    try:
        return layout(plan, len(order) - len(byes), byes)
    except (FormatError, GraphError) as error:
        raise Refused(FORMAT_NOT_POSSIBLE, reason=error) from error


def position_ids(order: Sequence[str | None]) -> list[Any]:
    """The order as a layout expects it: entry ids and BYE."""
    return [BYE if entry is None else uuid.UUID(entry) for entry in order]


def next_draw_number(tournament: Tournament) -> int:
    last: int = tournament.draws.aggregate(last=Max("number"))["last"] or 0
    return last + 1
