"""Counts cards again from their rows, finds figures that are kept otherwise, and puts them right.

Rows are facts and stay as they are. Any difference is a fault of this program.
"""

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from matches import scorecard
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


def put_right(
    matches: Collection[uuid.UUID], awarded: Mapping[uuid.UUID, Shown] = MappingProxyType({})
) -> list[uuid.UUID]:
    """Corrects every miscount under the lock of its match; returns the matches that were changed."""
    wrong = {found.match for found in miscounts(matches, awarded)}
    locked = scorecard.lock_all(wrong)
    for match in locked.values():
        cards = list(match.cards.prefetch_related("rows"))
        for card in cards:
            _correct(card, _of_card(match, card))
        if _of_match(match, cards, awarded.get(match.pk)):
            shown = _shown(match, cards, awarded.get(match.pk))
            match.left_points, match.right_points, match.winner, match.is_crawford = shown
        match.version += 1
        match.save(update_fields=[*COUNTED, "version"])
    return sorted(locked)


def _correct(card: Card, wrong: list[Miscount]) -> None:
    for found in wrong:
        setattr(card, found.field, found.counted)
    if wrong:
        card.save(update_fields=[found.field for found in wrong])


def _shown(match: Match, cards: list[Card], awarded: Shown | None) -> tuple[int, int, str, bool]:
    """What a match shows: what was awarded, else what its first card says."""
    if awarded is not None or not cards:
        return (*(awarded or (0, 0, "")), match.is_crawford)
    return cards[0].left_points, cards[0].right_points, cards[0].winner, cards[0].is_crawford


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
