"""Locks a match and reads its cards, its seats and its current result. Writes nothing.

Take the tournament's lock first: it protects seats and results. The match's lock protects cards and calls.
"""

import uuid
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Exists, F, OuterRef, Subquery

from matches import scorecard
from matches.card_totals import cards_of
from matches.keepers import Keeper
from matches.models import Card, Match
from matches.statements import CompiledQuery
from tournament.models import Call, Pairing, Result
from tournament.refusals.results import NO_MATCH
from tournament.runtime.errors import NotFound, Refused


class Seats(NamedTuple):
    """The entries of a pairing, the id of its current result, and whether its match is called to a table."""

    left: uuid.UUID | None
    right: uuid.UUID | None
    result_id: uuid.UUID | None
    is_called: bool


@dataclass(frozen=True, slots=True)
class LockedMatch:
    """A locked match with its cards by keeper and the seats of its pairing."""

    match: Match
    cards: dict[Keeper, Card]
    seats: Seats


def _current_result_of(pairing: str) -> Subquery:
    results = Result.objects.filter(pairing=OuterRef(pairing), superseded_by__isnull=True)
    return Subquery(results.values("pk"))


def _call_of(match: str) -> Exists:
    return Exists(Call.objects.filter(match=OuterRef(match), ended_at__isnull=True))


_seats_of: CompiledQuery[Any] = CompiledQuery(
    lambda pairing: (
        Pairing.objects.only("left", "right")
        .annotate(result_id=_current_result_of("pk"), is_called=_call_of("match"))
        .filter(pk=pairing)
    )
)
_cards_and_seats: CompiledQuery[Any] = CompiledQuery(
    lambda match: (
        scorecard.cards_with_lock()
        .annotate(left_entry=F("match__pairing__left"), right_entry=F("match__pairing__right"))
        .annotate(result_id=_current_result_of("match__pairing"), is_called=_call_of("match"))
        .filter(match=match)
    )
)


def lock_match(pairing: Pairing) -> LockedMatch:
    """Locks the match of this pairing. Raises Refused if the pairing has no match yet."""
    match_id = match_id_of(pairing)
    cards = scorecard.lock_by(_cards_and_seats, match_id)
    if not cards:
        match = scorecard.lock(match_id)
        return LockedMatch(match, cards_of(match), seats_of(pairing.pk))
    card = next(iter(cards.values()))
    return LockedMatch(
        card.match,
        {**cards},
        Seats(card.left_entry, card.right_entry, card.result_id, is_called=card.is_called),
    )


def match_id_of(pairing: Pairing) -> uuid.UUID:
    """Raises Refused if the two players are not known yet."""
    return match_of(pairing).pk


def match_of(pairing: Pairing) -> Match:
    """The match as loaded with the pairing, not locked. Raises Refused like `match_id_of`."""
    if pairing.match is None:
        raise Refused(NO_MATCH)
    return pairing.match


def seats_of(pairing_id: int) -> Seats:
    """Reads the seats again under the lock: the pairing was loaded before the lock was taken."""
    row = _seats_of.first(pairing_id)
    if row is None:
        raise NotFound
    return Seats(row.left_id, row.right_id, row.result_id, is_called=row.is_called)
