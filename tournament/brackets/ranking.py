"""Ranks brackets that are decided by records, by the rules of the tournament's format. Reads only."""

import uuid
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from tournament.draw.formats import Format
from tournament.draw.seating import Decision, Rank, State
from tournament.draw.standings import ExternalValues, GroupRank, Notes, RankingBasis, lot_numbers
from tournament.models import Draw, Pairing, Tournament


class PairingRow(NamedTuple):
    """The fields of a pairing that are loaded for a whole draw; `bracket` is the bracket's key."""

    key: int
    bracket: str
    round: int
    line: int
    length: int | None
    games: int | None
    minutes: int | None
    left_id: uuid.UUID | None
    right_id: uuid.UUID | None
    left_is_bye: bool
    right_is_bye: bool
    winner_id: uuid.UUID | None
    settled: str
    match_id: uuid.UUID | None


PAIRING_FIELDS = (
    "pk",
    "round__bracket__key",
    "round__number",
    "line",
    "round__length",
    "round__games",
    "round__minutes",
    "left_id",
    "right_id",
    "left_is_bye",
    "right_is_bye",
    "winner_id",
    "settled",
    "match_id",
)


def pairing_row(row: Pairing) -> PairingRow:
    """The same fields of a loaded row with its round and bracket."""
    return PairingRow(
        row.pk,
        row.round.bracket.key,
        row.round.number,
        row.line,
        row.round.length,
        row.round.games,
        row.round.minutes,
        row.left_id,
        row.right_id,
        row.left_is_bye,
        row.right_is_bye,
        row.winner_id,
        row.settled,
        row.match_id,
    )


def rank_function(tournament: Tournament, rows: Mapping[int, PairingRow]) -> Rank[int, uuid.UUID]:
    """The function that ranks a bracket by the rules of the tournament. It reads `rows` when it is called.

    It reads the lot of the draw once, because a simulation ranks many times.
    """

    @cache
    def read_lot() -> ExternalValues[uuid.UUID]:
        return lot_of(tournament)

    def rank(
        bracket: str,
        states: Mapping[int, State[uuid.UUID]],
        decisions: Mapping[int, Decision[uuid.UUID]],
    ) -> Sequence[uuid.UUID]:
        ranked = RankingBasis(
            Format.from_json(tournament.format).standings,
            read_lot(),
            pairing_notes(rows, states, decisions),
        )
        return GroupRank(rows, ranked)(bracket, states, decisions)

    return rank


def pairing_notes(
    rows: Mapping[int, PairingRow],
    states: Mapping[int, State[uuid.UUID]],
    decisions: Mapping[int, Decision[uuid.UUID]],
) -> Notes[int]:
    """Match lengths and awarded pairings. A decision without points was awarded."""
    awarded = {key for key in states if key in decisions and decisions[key].points is None}
    return Notes({key: rows[key].length for key in states}, awarded)


def lot_of(tournament: Tournament) -> ExternalValues[uuid.UUID]:
    """The lot of the current draw: its entries, as listed, drawn with its published seed text and "/lot"."""
    draw = Draw.objects.filter(tournament=tournament, replaced_at__isnull=True).first()
    if draw is None:
        return ExternalValues()
    return ExternalValues(
        lot=lot_numbers([uuid.UUID(entry) for entry in draw.entries], f"{draw.seed_text}/lot")
    )
