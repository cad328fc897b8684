"""Compares stored totals of cards and matches with their rows, and corrects differences.

Rows are facts and stay unchanged. Every difference is a bug of this program.
"""

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from matches.card_totals import card_totals
from matches.locking import lock_matches
from matches.models import Card, Match

ShownResult = tuple[int, int, str]
TOTAL_FIELDS = ("left_points", "right_points", "winner", "is_crawford")


@dataclass(frozen=True, slots=True)
class Miscount:
    """A field that differs from the rows; `card` is the keeper, empty for the match itself."""

    match: uuid.UUID
    card: str
    field: str
    stored: object
    expected: object


def miscounts(
    matches: Collection[uuid.UUID], awarded: Mapping[uuid.UUID, ShownResult] = MappingProxyType({})
) -> list[Miscount]:
    """Every stored total of these matches and their cards that differs from their rows.

    `awarded` are points and winner of matches that were not decided by play.
    """
    results: list[Miscount] = []
    rows = Match.objects.filter(pk__in=matches).prefetch_related("cards__rows").order_by("opened_at", "pk")
    for match in rows:
        cards = list(match.cards.all())
        for card in cards:
            results += _of_card(match, card)
        results += _of_match(match, cards, awarded.get(match.pk))
    return results


def correct_miscounts(
    matches: Collection[uuid.UUID], awarded: Mapping[uuid.UUID, ShownResult] = MappingProxyType({})
) -> list[uuid.UUID]:
    """Corrects every miscount under the lock of its match; returns the changed matches."""
    wrong_matches = {miscount.match for miscount in miscounts(matches, awarded)}
    locked_matches = lock_matches(wrong_matches)
    for locked in locked_matches.values():
        match, cards = locked.match, list(locked.cards.values())
        for card in cards:
            _save_card_totals(card, _of_card(match, card))
        if _of_match(match, cards, awarded.get(match.pk)):
            result = _shown_result(match, cards, awarded.get(match.pk))
            match.left_points, match.right_points, match.winner, match.is_crawford = result
        match.version += 1
        match.save(update_fields=[*TOTAL_FIELDS, "version"])
    return sorted(locked_matches)


def _save_card_totals(card: Card, card_miscounts: list[Miscount]) -> None:
    for miscount in card_miscounts:
        setattr(card, miscount.field, miscount.expected)
    if card_miscounts:
        card.save(update_fields=[miscount.field for miscount in card_miscounts])


def _shown_result(match: Match, cards: list[Card], awarded: ShownResult | None) -> tuple[int, int, str, bool]:
    """The result of a match: the awarded one, otherwise that of its first card."""
    if awarded is not None or not cards:
        return (*(awarded or (0, 0, "")), match.is_crawford)
    return cards[0].left_points, cards[0].right_points, cards[0].winner, cards[0].is_crawford


def _of_card(match: Match, card: Card) -> list[Miscount]:
    rows = sorted(card.rows.all(), key=lambda row: row.number)
    totals = card_totals(match, rows)
    expected = {
        "left_points": totals.left,
        "right_points": totals.right,
        "winner": totals.winner,
        "is_crawford": totals.is_crawford,
        "rows_written": len(rows),
        "tail": rows[-1].key if rows else match.pk,
    }
    return [
        Miscount(match.pk, card.keeper, name, getattr(card, name), value)
        for name, value in expected.items()
        if getattr(card, name) != value
    ]


def _of_match(match: Match, cards: list[Card], awarded: ShownResult | None) -> list[Miscount]:
    """The result of a match is the awarded one or that of one of its cards; without a card it is 0-0."""
    if awarded is not None or not cards:
        stored_result, expected = (match.left_points, match.right_points, match.winner), awarded or (0, 0, "")
        return [] if stored_result == expected else [Miscount(match.pk, "", "score", stored_result, expected)]
    stored = tuple(getattr(match, name) for name in TOTAL_FIELDS)
    totals_of_cards = [tuple(getattr(card, name) for name in TOTAL_FIELDS) for card in cards]
    return [] if stored in totals_of_cards else [Miscount(match.pk, "", "score", stored, totals_of_cards[0])]
