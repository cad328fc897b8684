"""The lock on a match with its cards. Taken after the tournament's lock and before the room's."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field

from matches import sql
from matches.keepers import Keeper
from matches.models import Card, Match


@dataclass(slots=True)
class LockedMatch:
    """A match whose lock this transaction holds, and its cards by keeper, read under the lock."""

    match: Match
    cards: dict[Keeper, Card] = field(default_factory=dict)


def lock_match(match_id: uuid.UUID) -> LockedMatch:
    """Locks a match until the end of the transaction. Raises Match.DoesNotExist."""
    locked = lock_matches([match_id])
    if match_id not in locked:
        raise Match.DoesNotExist
    return locked[match_id]


def lock_matches(match_ids: Iterable[uuid.UUID | None]) -> dict[uuid.UUID, LockedMatch]:
    """Locks these matches until the end of the transaction, in the order of their ids; the only function that does.

    The cards are read by a second statement: what the first one reads beside the lock is older than the lock.
    """
    ids = [match_id for match_id in match_ids if match_id is not None]
    if not ids:
        return {}
    locked = {match.pk: LockedMatch(match) for match in sql.locked_matches(ids)}
    for card in sql.cards_of_matches(ids):
        card.match = locked[card.match_id].match
        locked[card.match_id].cards[Keeper(card.keeper)] = card
    return locked
