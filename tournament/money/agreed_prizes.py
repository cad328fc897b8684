"""Applies what players agreed on in settled matches to the prizes of these players. Reads only."""

import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tournament.draw.seating import Decision
from tournament.fees.schedule import MAIN_POT
from tournament.models import Pairing, Result, ResultKind, Settlement, Tournament
from tournament.prizes.places import Award

EntryAward = Award[uuid.UUID]


@dataclass(frozen=True, slots=True)
class PotStakes:
    """The prizes of the winner and of the loser of a match from one pot, in minor units."""

    pot: str
    first: int
    second: int


def stored_pots(settlement: Settlement) -> tuple[PotStakes, ...]:
    """The pots that a settlement shares. Settlements of earlier versions share the main prizes."""
    if not settlement.currency:
        return ()
    rows = settlement.pots or [[MAIN_POT, settlement.first_minor, settlement.second_minor]]
    return tuple(PotStakes(*row) for row in rows)


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


def last_agreement(pairing: Pairing) -> Settlement | None:
    """The last agreement of the players of this match, also if another result replaced the settlement."""
    rows = Settlement.objects.filter(pairing=pairing, left=pairing.left_id, right=pairing.right_id)
    return rows.filter(result__isnull=False).order_by("-proposed_at").first()


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
    for row, winner, loser in _with_players(settlements, decisions):
        difference = _difference(row, winner)
        payer, payee = (winner, loser) if difference > 0 else (loser, winner)
        agreed = _move(agreed, payer, payee, abs(difference), row)
    return agreed


def agreed_differences(
    settlements: Iterable[Settlement], decisions: Mapping[int, Decision[uuid.UUID]]
) -> Counter[uuid.UUID]:
    """The minor units that each entry gets by agreements more than its prizes, or with a minus fewer."""
    differences: Counter[uuid.UUID] = Counter()
    for row, winner, loser in _with_players(settlements, decisions):
        differences[winner] -= _difference(row, winner)
        differences[loser] += _difference(row, winner)
    return differences


def _with_players(
    settlements: Iterable[Settlement], decisions: Mapping[int, Decision[uuid.UUID]]
) -> Iterator[tuple[Settlement, uuid.UUID, uuid.UUID]]:
    """The settlements that count, with the winner and the loser of the match."""
    for row in settlements:
        decision = decisions.get(row.pairing_id)
        if decision is None or decision.points is not None or decision.winner is None:
            continue
        if {decision.winner, decision.loser} == {row.left_id, row.right_id}:
            yield row, decision.winner, decision.loser


def _difference(settlement: Settlement, winner: uuid.UUID) -> int:
    """The minor units that the winner gives the loser; negative if the loser gives them."""
    own = settlement.left_minor if winner == settlement.left_id else settlement.right_minor
    return settlement.first_minor - own


def _move(
    awards: Sequence[EntryAward], payer: uuid.UUID, payee: uuid.UUID, minor: int, settlement: Settlement
) -> tuple[EntryAward, ...]:
    """Takes up to `minor` units from the payer, from one pot of the settlement after the other, for the payee."""
    for row in stored_pots(settlement):
        awards, taken = _take(awards, payer, row.pot, minor)
        if taken:
            pot = "" if row.pot == MAIN_POT else f" {row.pot}"
            awards = (*awards, Award(payee, row.pot, f"settlement {settlement.pairing_id}{pot}", taken))
        minor -= taken
    return tuple(awards)


def _take(
    awards: Iterable[EntryAward], payer: uuid.UUID, pot: str, minor: int
) -> tuple[Sequence[EntryAward], int]:
    """The awards without up to `minor` units of the payer from this pot, and how many units these are."""
    rest, left = [], minor
    for award in awards:
        taken = min(left, award.minor) if (award.entry, award.pot) == (payer, pot) else 0
        left -= taken
        if award.minor > taken:
            rest.append(replace(award, minor=award.minor - taken))
    return rest, minor - left
