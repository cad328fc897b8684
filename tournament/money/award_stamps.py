"""A text for each tournament that changes whenever its prizes could change, to find awards that are out of date.

Reads only.
"""

import json
import uuid
from collections.abc import Callable, Sequence
from hashlib import sha256

from django.db.models import Q

from tournament.brackets.advancing import LockedTournament
from tournament.models import Bracket, Entry, Tournament
from tournament.money.due_awards import kept_pools
from tournament.money.pots import charged_pots


def stamps_of(tournaments: Sequence[Tournament]) -> dict[uuid.UUID, str]:
    """A text for each tournament that changes whenever its prizes could change, and never comes back for others.

    Results, seats and withdrawals raise the versions of brackets, which never fall. Everything else is compared by its
    content. Costs four statements.
    """
    return _stamps_of(tournaments, lambda _bracket: False)


def stamp_of(locked: LockedTournament) -> str:
    """The text that `stamps_of` returns for this tournament after the commit."""
    return _stamps_of([locked.tournament], locked.raises)[locked.tournament.pk]


def _stamps_of(
    tournaments: Sequence[Tournament], raises: Callable[[uuid.UUID], bool]
) -> dict[uuid.UUID, str]:
    if not tournaments:
        return {}
    facts: dict[uuid.UUID, list[object]] = {
        row.pk: [row.format, row.prize_structure, row.fees.get("currency"), *kept_pools(row)]
        for row in tournaments
    }
    brackets = Bracket.objects.filter(tournament__in=facts).order_by("pk")
    for tournament, bracket, version in brackets.values_list("tournament", "pk", "version"):
        facts[tournament].append([bracket.hex, version + raises(bracket)])
    entries = Entry.objects.filter(
        Q(withdrawn_at__isnull=False) | ~Q(pools=[]) | ~Q(player__conditions=[]), tournament__in=facts
    ).order_by("pk")
    fields = ("withdrawn_at", "pools", "player__conditions")
    for tournament, entry, withdrawn_at, pools, conditions in entries.values_list(
        "tournament", "pk", *fields
    ):
        facts[tournament].append([entry.hex, str(withdrawn_at), sorted(pools), sorted(conditions)])
    for (tournament, *pot), minor in sorted(charged_pots(facts).items()):
        facts[tournament].append([*pot, minor])
    return {
        pk: sha256(json.dumps(row, sort_keys=True).encode()).hexdigest()[:32] for pk, row in facts.items()
    }
