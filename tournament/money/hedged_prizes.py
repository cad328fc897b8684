"""Applies hedges to the prizes of a tournament: what the winner of a match agreed to give the loser. Reads only."""

import uuid
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from tournament.draw.seating import Decision
from tournament.models import Entry, Hedge, Pairing, Tournament

HEDGE = "hedge "
"""The beginning of the line of a hedge. The ids of the match and of the hedge follow."""


@dataclass(frozen=True, slots=True)
class HedgePayment:
    """`minor` units that one entry pays another by a hedge."""

    line: str
    payer: uuid.UUID
    payee: uuid.UUID
    minor: int


def line_of(hedge: Hedge) -> str:
    return f"{HEDGE}{hedge.pairing_id} {hedge.pk.hex}"


def current_hedges(tournament: Tournament) -> list[Hedge]:
    """The accepted hedges, oldest first."""
    rows = Hedge.objects.filter(pairing__round__bracket__tournament=tournament)
    rows = rows.filter(accepted_at__isnull=False, closed_at__isnull=True).select_related("pairing")
    return list(rows.order_by("proposed_at", "pk"))


def open_hedges(pairing: Pairing) -> QuerySet[Hedge]:
    """The proposed or accepted hedge of the players of this match, one at most. They may have changed sides since."""
    is_of_players = Q(left=pairing.left_id, right=pairing.right_id) | Q(
        left=pairing.right_id, right=pairing.left_id
    )
    return Hedge.objects.filter(is_of_players, pairing=pairing, closed_at__isnull=True)


def hedge_payments(
    hedges: Iterable[Hedge],
    decisions: Mapping[int, Decision[uuid.UUID]],
    settled: Collection[int],
    prizes: Mapping[uuid.UUID, int],
) -> Iterator[HedgePayment]:
    """The payments of decided matches. A payer pays at most the own `prizes`, in minor units.

    A match in `settled` has none: its settlement shares the prizes instead.
    """
    left = Counter(prizes)
    for hedge in hedges:
        decision = decisions.get(hedge.pairing_id)
        if hedge.pairing_id in settled or decision is None:
            continue
        payer, payee = decision.winner, decision.loser
        if payer is None or {payer, payee} != {hedge.left_id, hedge.right_id}:
            continue
        minor = min(amount_paid_by(hedge, payer), left[payer])
        if minor > 0:
            left[payer] -= minor
            yield HedgePayment(line_of(hedge), payer, payee, minor)


def promised_by_hedges(
    hedges: Iterable[Hedge], decisions: Mapping[int, Decision[uuid.UUID]], settled: Collection[int]
) -> Counter[uuid.UUID]:
    """The minor units that each entry pays, or pays if it wins its open match.

    A hedge of a match in `settled`, or of a match that has other players now, promises nothing.
    """
    promised: Counter[uuid.UUID] = Counter()
    for hedge in hedges:
        if hedge.pairing_id in settled or not _is_between_its_players(hedge):
            continue
        decision = decisions.get(hedge.pairing_id)
        for entry in (hedge.left_id, hedge.right_id):
            if decision is None or decision.winner == entry:
                promised[entry] += amount_paid_by(hedge, entry)
    return promised


def _is_between_its_players(hedge: Hedge) -> bool:
    return {hedge.pairing.left_id, hedge.pairing.right_id} == {hedge.left_id, hedge.right_id}


def amount_paid_by(hedge: Hedge, entry: uuid.UUID) -> int:
    """The minor units that this entry pays after winning the match."""
    return hedge.left_minor if entry == hedge.left_id else hedge.right_minor


def hedges_of_lines(lines: Iterable[str]) -> dict[str, Hedge]:
    """The hedges of those of the lines that are about one, with their players."""
    ids = {line: uuid.UUID(line.split(" ")[2]) for line in lines if line.startswith(HEDGE)}
    rows = Hedge.objects.select_related("left__player", "right__player").in_bulk(ids.values()) if ids else {}
    return {line: rows[pk] for line, pk in ids.items() if pk in rows}


def payer_of(hedge: Hedge, payee: uuid.UUID) -> Entry:
    return hedge.left if payee == hedge.right_id else hedge.right
