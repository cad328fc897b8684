"""Ranks brackets that are decided by records, as the tournament's format says. Reads only; what ranks is pure."""

import uuid
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tournament.draw.formats import Format
from tournament.draw.seating import Decision, Rank, State
from tournament.draw.standings import ExternalValues, GroupRank, Notes, RankingBasis, lot_numbers
from tournament.models import Draw, Pairing, Tournament


class PairingRow(NamedTuple):
    """What is loaded of a pairing where all of a draw are; `bracket` is its key."""

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
    """The same of a row that is loaded already, with its round and bracket."""
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
    """How this tournament ranks a bracket whose places lead on; `rows` are asked when it does."""

    def rank(
        bracket: str,
        states: Mapping[int, State[uuid.UUID]],
        decisions: Mapping[int, Decision[uuid.UUID]],
    ) -> Sequence[uuid.UUID]:
        ranked = RankingBasis(
            Format.from_json(tournament.format).standings,
            lot_of(tournament),
            pairing_notes(rows, states, decisions),
        )
        return GroupRank(rows, ranked)(bracket, states, decisions)

    return rank


def pairing_notes(
    rows: Mapping[int, PairingRow],
    states: Mapping[int, State[uuid.UUID]],
    decisions: Mapping[int, Decision[uuid.UUID]],
) -> Notes[int]:
    """Match lengths, and what was awarded: only what was not played has no points."""
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
