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
    """The settlement of each settled match, with the amounts of the last agreement of its two players."""
    results = Result.objects.filter(
        pairing__round__bracket__tournament=tournament, superseded_by__isnull=True, kind=ResultKind.SETTLED
    )
    players = {
        pairing: {left, right} for pairing, left, right in results.values_list("pairing", "left", "right")
    }
    rows = Settlement.objects.filter(pairing__in=players, result__isnull=False).order_by("proposed_at")
    agreed = {row.pairing_id: row for row in rows if players[row.pairing_id] == {row.left_id, row.right_id}}
    return list(agreed.values())


def with_settlements(
    awards: Sequence[EntryAward],
    settlements: Iterable[Settlement],
    decisions: Mapping[int, Decision[uuid.UUID]],
) -> tuple[EntryAward, ...]:
    """The awards after one player of each settled match gave the other the agreed part of the prize.

    The sum never changes, and each player keeps the agreed amount if a correction swaps the winner. By other facts than
    the stored ones a settlement counts only if one of the two won unplayed.
    """
    agreed = tuple(awards)
    for row in settlements:
        decision = decisions.get(row.pairing_id)
        if decision is None or decision.points is not None:
            continue
        amounts = {row.left_id: row.left_minor, row.right_id: row.right_minor}
        winner, loser = decision.winner, decision.loser
        if winner is None or {winner, loser} != amounts.keys():
            continue
        given = row.first_minor - amounts[winner]
        giver, taker = (winner, loser) if given > 0 else (loser, winner)
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
