"""Reads a card: its effective rows and their totals, computed by `rules`. Writes nothing."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from matches.models import Card, CardRow, Match, RowKind
from matches.rows import FinalScore, Stop
from matches.sql import rows_of_card_or_key
from rules.card import Inspection, final_score_problem, inspect, stop_problem
from rules.ruleset import Ruleset
from rules.score import Ending, Game, Penalty, Problem, ScoredEntry, Side, Win


@dataclass(frozen=True, slots=True)
class CardTotals:
    """The totals of a card. `lines` belong to `rows`; `problem` is the first error, if there is one.

    `agreed` is the number of games of a session, from its match or from the `stop` row; a stop is not one of
    `rows`.
    """

    left: int
    right: int
    winner: str
    is_crawford: bool
    rows: tuple[CardRow, ...]
    lines: tuple[ScoredEntry, ...] = field(default=())
    problem: Problem | None = None
    remarks: tuple[Problem, ...] = ()
    agreed: int | None = None
    stop: CardRow | None = None

    def points_of(self, key: uuid.UUID) -> int:
        """Raw points of the row with this key; 0 for a strike or a final score."""
        pairs = zip(self.rows, self.lines, strict=False)
        return next((line.raw for row, line in pairs if row.key == key), 0)


def rows_of_card(card: Card, key: uuid.UUID) -> tuple[list[CardRow], bool]:
    """The rows of a card in order, and True if the row with this key is on another card."""
    stored = rows_of_card_or_key(card.pk, key)
    rows = [row for row in stored if row.card_id == card.pk]
    return rows, len(rows) < len(stored)


def effective_rows(rows: Sequence[CardRow]) -> list[CardRow]:
    """The rows that count, in the order of the games. A correction takes the place of the corrected row."""
    effective: dict[uuid.UUID, CardRow] = {}
    for row in rows:
        if row.supersedes_id is None:
            effective[row.key] = row
        elif row.supersedes_id in effective:
            effective = _apply_superseding(effective, row.supersedes_id, row)
    return list(effective.values())


def card_totals(match: Match, rows: Sequence[CardRow]) -> CardTotals:
    """The totals of these rows of one card of the match, given in the order in which they were written."""
    effective = effective_rows(rows)
    stops = [row for row in effective if row.kind == RowKind.STOP]
    rows = [row for row in effective if row.kind != RowKind.STOP]
    if not stops:
        return _totals(match, rows, match.games)
    index = effective.index(stops[0])
    agreed = stops[0].games or _games_to(effective[:index])
    totals = _totals(match, rows, agreed, stopped_at=index)
    stop_error = stop_problem(match.length, match.games, len(stops))
    return replace(totals, stop=stops[0], problem=stop_error or totals.problem)


def stored_card_totals(card: Card, match: Match) -> CardTotals:
    return card_totals(match, list(card.rows.all()))


def count_games(rows: Sequence[CardRow]) -> int:
    return sum(row.kind == RowKind.GAME for row in effective_rows(rows))


def games_at_stop(rows: Sequence[CardRow]) -> int:
    """The number of games of a session that is stopped after these rows: the effective games, at least one."""
    return _games_to(effective_rows(rows))


def _games_to(effective: Sequence[CardRow]) -> int:
    return max(1, sum(row.kind == RowKind.GAME for row in effective))


def row_content(row: CardRow) -> Game | Penalty | FinalScore | Stop:
    """The content of an effective row, as a client would send it again."""
    if row.kind == RowKind.STOP:
        return Stop(row.games)
    if row.kind == RowKind.FINAL:
        return FinalScore(row.left_points or 0, row.right_points or 0)
    return as_entry(row)


def as_entry(row: CardRow) -> Game | Penalty:
    """The row as an entry of `rules`; only for games and penalties."""
    side = Side(row.winner)
    if row.kind == RowKind.PENALTY:
        return Penalty(side.other, row.points, row.reason, mid_game=row.mid_game, given_for=row.penalty_kind)
    return Game(
        winner=side,
        win=Win(row.win or 1),
        ending=Ending(row.ending),
        cube=row.cube,
        checkers_left=row.checkers_left,
        automatic_doubles=row.automatic_doubles,
    )


def _totals(match: Match, rows: Sequence[CardRow], agreed: int | None, stopped_at: int = 0) -> CardTotals:
    ruleset = Ruleset.from_json(match.ruleset)
    final = next((row for row in reversed(rows) if row.kind == RowKind.FINAL), None)
    if final is not None:
        return _totals_of_final_score(match, final, ruleset)
    entries = [as_entry(row) for row in rows]
    inspection = inspect(entries, match.length, ruleset, agreed=agreed, stopped_at=stopped_at)
    return _totals_of_play(rows, inspection)


def _apply_superseding(
    effective: dict[uuid.UUID, CardRow], old: uuid.UUID, new: CardRow
) -> dict[uuid.UUID, CardRow]:
    if new.kind == RowKind.STRIKE:
        return {key: row for key, row in effective.items() if key != old}
    return {(new.key if key == old else key): (new if key == old else row) for key, row in effective.items()}


def _totals_of_play(rows: Sequence[CardRow], inspection: Inspection) -> CardTotals:
    errors = (problem for problem in inspection.problems if problem.severity == "error")
    score = inspection.score
    return CardTotals(
        left=score.left,
        right=score.right,
        winner=score.winner.value if score.winner else "",
        is_crawford=score.is_crawford,
        rows=tuple(rows),
        lines=inspection.lines,
        problem=next(errors, None),
        remarks=tuple(problem for problem in inspection.problems if problem.severity != "error"),
        agreed=score.agreed,
    )


def _totals_of_final_score(match: Match, row: CardRow, ruleset: Ruleset) -> CardTotals:
    left, right = row.left_points or 0, row.right_points or 0
    problem = final_score_problem(left, right, match.length, ruleset)
    winner = Side.LEFT if left > right else Side.RIGHT
    return CardTotals(
        left=left,
        right=right,
        winner="" if problem else winner.value,
        is_crawford=False,
        rows=(row,),
        problem=problem,
    )
