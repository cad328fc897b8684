"""Ranks brackets that are decided by records, as the tournament's format says. Reads only; what ranks is pure."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from tournament.draw.seating import Decision, Rank, State
from tournament.models import Tournament


def rank_of(tournament: Tournament) -> Rank[Any, uuid.UUID]:
    """How this tournament ranks a bracket whose places lead on."""

    def rank(
        bracket: str,
        states: Mapping[Any, State[uuid.UUID]],
        decisions: Mapping[Any, Decision[uuid.UUID]],
    ) -> Sequence[uuid.UUID]:
        raise NotImplementedError

    return rank
