"""Counts cards again from their rows and says what is kept otherwise. Reads only: any difference is a fault of ours."""

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from matches.models import Card, Match
from matches.reading import standing

Shown = tuple[int, int, str]
COUNTED = ("left_points", "right_points", "winner", "is_crawford")


@dataclass(frozen=True, slots=True)
class Miscount:
    """A field that is not what the rows come to; `card` names its keeper, empty for the match itself."""

    match: uuid.UUID
    card: str
    field: str
    kept: object
    counted: object


def miscounts(
    matches: Collection[uuid.UUID], awarded: Mapping[uuid.UUID, Shown] = MappingProxyType({})
) -> list[Miscount]:
    """Every kept figure of these matches and their cards that differs from what the rows say.

    `awarded` are points and winner of matches that were not decided by play.
    """
    found: list[Miscount] = []
    rows = Match.objects.filter(pk__in=matches).prefetch_related("cards__rows").order_by("opened_at", "pk")
    for match in rows:
        cards = list(match.cards.all())
        for card in cards:
            found += _of_card(match, card)
        found += _of_match(match, cards, awarded.get(match.pk))
    return found


def _of_card(match: Match, card: Card) -> list[Miscount]:
    rows = sorted(card.rows.all(), key=lambda row: row.number)
    now = standing(match, rows)
    counted = {
        "left_points": now.left,
        "right_points": now.right,
        "winner": now.winner,
        "is_crawford": now.is_crawford,
        "rows_written": len(rows),
        "tail": rows[-1].key if rows else match.pk,
    }
    return [
        Miscount(match.pk, card.keeper, name, getattr(card, name), value)
        for name, value in counted.items()
        if getattr(card, name) != value
    ]


def _of_match(match: Match, cards: list[Card], awarded: Shown | None) -> list[Miscount]:
    """A match shows what was awarded, else what one of its cards says, and nothing before there is one."""
    if awarded is not None or not cards:
        shown, right = (match.left_points, match.right_points, match.winner), awarded or (0, 0, "")
        return [] if shown == right else [Miscount(match.pk, "", "score", shown, right)]
    kept = tuple(getattr(match, name) for name in COUNTED)
    said = [tuple(getattr(card, name) for name in COUNTED) for card in cards]
    return [] if kept in said else [Miscount(match.pk, "", "score", kept, said[0])]
