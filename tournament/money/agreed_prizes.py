"""Applies what players agreed on in settled matches to the prizes of these players. Reads only."""

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from tournament.draw.seating import Decision
from tournament.fees.schedule import MAIN_POT
from tournament.models import Result, ResultKind, Settlement, Tournament
from tournament.prizes.awards import Award

EntryAward = Award[uuid.UUID]


def current_settlements(tournament: Tournament) -> list[Settlement]:
    """The settlement of each settled match, with the amounts of the last agreement on this winner."""
    results = Result.objects.filter(
        pairing__round__bracket__tournament=tournament, superseded_by__isnull=True, kind=ResultKind.SETTLED
    )
    winners = dict(results.values_list("pairing", "winner"))
    rows = Settlement.objects.filter(pairing__in=winners, result__isnull=False).order_by("proposed_at")
    agreed = {row.pairing_id: row for row in rows if winners[row.pairing_id] == row.winner_id}
    return list(agreed.values())


def with_settlements(
    awards: Sequence[EntryAward],
    settlements: Iterable[Settlement],
    decisions: Mapping[int, Decision[uuid.UUID]],
) -> tuple[EntryAward, ...]:
    """The awards after one player of each settled match gave the other the agreed part of the prize.

    The sum never changes. By other facts than the stored ones a settlement counts only if the same player won unplayed.
    """
    agreed = tuple(awards)
    for row in settlements:
        decision = decisions.get(row.pairing_id)
        if decision is None or decision.winner != row.winner_id or decision.points is not None:
            continue
        winner_minor, loser_id = (
            (row.left_minor, row.right_id) if row.winner_id == row.left_id else (row.right_minor, row.left_id)
        )
        given = row.first_minor - winner_minor
        giver, taker = (row.winner_id, loser_id) if given > 0 else (loser_id, row.winner_id)
        agreed = tuple(_move(agreed, giver, taker, abs(given), f"settlement {row.pairing_id}"))
    return agreed


def _move(
    awards: Iterable[EntryAward], giver: uuid.UUID, taker: uuid.UUID, minor: int, line: str
) -> Iterator[EntryAward]:
    """Takes up to `minor` units from the main prizes of the giver and adds a line with them for the taker."""
    left = minor
    for award in awards:
        taken = min(left, award.minor) if award.entry == giver and award.pot == MAIN_POT else 0
        left -= taken
        if award.minor > taken:
            yield replace(award, minor=award.minor - taken)
    if minor > left:
        yield Award(taker, MAIN_POT, line, minor - left)
