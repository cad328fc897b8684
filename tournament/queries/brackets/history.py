"""Loads the brackets of a tournament at a past moment. Reads only."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from tournament.brackets.history import HistoricDraw, draw_as_of
from tournament.brackets.states import PostedResult
from tournament.draw.graph import BYE, Pairing
from tournament.models import ResultKind, Tournament
from tournament.queries.brackets.labels import bracket_title
from tournament.queries.entries.names import entry_names


@dataclass(frozen=True, slots=True)
class PairingThen:
    """Names are empty for players unknown at the moment; `how` and the score are those of the result in force then.

    `pairing` is None if it was taken back later.
    """

    pairing: int | None
    line: int
    left: str
    right: str
    left_is_bye: bool
    right_is_bye: bool
    winner: str
    how: str
    score: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class RoundThen:
    number: int
    pairings: tuple[PairingThen, ...]


@dataclass(frozen=True, slots=True)
class BracketThen:
    title: str
    rounds: tuple[RoundThen, ...]


@dataclass(frozen=True, slots=True)
class TournamentThen:
    """Every bracket of the draw at the moment; none before the draw. `is_certain` comes from `HistoricDraw`."""

    brackets: tuple[BracketThen, ...]
    is_certain: bool


def tournament_then(tournament: Tournament, moment: datetime) -> TournamentThen:
    then = draw_as_of(tournament, moment)
    names = entry_names(tournament)
    order = list(dict.fromkeys(pairing.bracket for pairing in then.graph))
    pairings = sorted(
        then.graph, key=lambda pairing: (order.index(pairing.bracket), pairing.round, pairing.line)
    )
    brackets = tuple(
        BracketThen(
            bracket_title(key),
            tuple(
                RoundThen(number, tuple(_pairing(then, pairing, names) for pairing in in_round))
                for number, in_round in groupby(in_bracket, key=lambda pairing: pairing.round)
            ),
        )
        for key, in_bracket in groupby(pairings, key=lambda pairing: pairing.bracket)
    )
    return TournamentThen(brackets, then.is_certain)


def _pairing(
    then: HistoricDraw, pairing: Pairing[int, uuid.UUID], names: Mapping[uuid.UUID, str]
) -> PairingThen:
    state = then.seating[pairing.key]
    result = then.results.get(pairing.key)
    stands = (
        result is not None and result.kind != ResultKind.RETRACTED and pairing.key not in then.seating.stale
    )
    winner = state.result.winner
    return PairingThen(
        pairing.key if pairing.key > 0 else None,
        pairing.line,
        _name(state.left, names),
        _name(state.right, names),
        state.left is BYE,
        state.right is BYE,
        _name(winner, names),
        str(result.kind) if stands and result is not None else "",
        _score(result, state.left) if stands else None,
    )


def _score(result: PostedResult | None, left: object) -> tuple[int, int] | None:
    if result is None or result.left_points is None or result.right_points is None:
        return None
    points = result.left_points, result.right_points
    return points if result.left_id == left else points[::-1]


def _name(occupant: object, names: Mapping[uuid.UUID, str]) -> str:
    return names.get(occupant, "") if isinstance(occupant, uuid.UUID) else ""
