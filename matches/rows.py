"""The possible content of a row, and its conversion to a `CardRow`. Does not use the database."""

import uuid
from dataclasses import dataclass

from django.utils import timezone

from matches.keepers import Keeper
from matches.models import LARGEST_CUBE, Card, CardRow, RowKind
from rules.problem import RuleBroken, problem
from rules.score import Game, Penalty

COMPARED_FIELDS = (
    "predecessor", "supersedes_id", "kind", "winner", "win", "ending", "cube", "checkers_left",
    "automatic_doubles", "mid_game", "left_points", "right_points",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FinalScore:
    """A match reported by its final score only."""

    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Strike:
    """Takes back the row that `supersedes` names."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Time is over: the session goes to `games` games; None: to the effective games of the card, at least one."""

    games: int | None = None


RowContent = Game | Penalty | FinalScore | Strike | Stop


@dataclass(frozen=True, slots=True)
class NewRow:
    """A row to write. The client makes `key` and `predecessor`; `supersedes` is the key of a corrected row."""

    key: uuid.UUID
    predecessor: uuid.UUID
    content: RowContent
    supersedes: uuid.UUID | None = None


def build_row(card: Card, new_row: NewRow, by: Keeper) -> CardRow:
    """The unsaved row at the end of this card. Raises RuleBroken for a cube that cannot be stored."""
    row = CardRow(
        key=new_row.key,
        card=card,
        number=card.rows_written + 1,
        predecessor=new_row.predecessor,
        supersedes_id=new_row.supersedes,
        written_by=by.value,
        written_at=timezone.now(),
    )
    match new_row.content:
        case Game() as game:
            _describe_game(row, game)
        case Penalty() as penalty:
            row.kind, row.winner = RowKind.PENALTY, penalty.against.other.value
            row.points, row.reason, row.mid_game = penalty.points, penalty.reason, penalty.mid_game
            row.penalty_kind = penalty.given_for
        case FinalScore() as final:
            row.kind, row.left_points, row.right_points = RowKind.FINAL, final.left, final.right
        case Strike():
            row.kind = RowKind.STRIKE
        case Stop() as stop:
            row.kind, row.games = RowKind.STOP, stop.games
    return row


def is_same_row(row: CardRow, other: CardRow) -> bool:
    """True if a repeated row has the same content as the stored one."""
    if row.kind == RowKind.PENALTY and row.points != other.points:
        return False
    if other.games is not None and row.games != other.games:
        return False
    return all(getattr(row, name) == getattr(other, name) for name in COMPARED_FIELDS)


def _describe_game(row: CardRow, game: Game) -> None:
    if game.cube > LARGEST_CUBE:
        raise RuleBroken(problem("cube_beyond_counting", cube=game.cube))
    row.kind, row.winner, row.win = RowKind.GAME, game.winner.value, int(game.win)
    row.ending, row.cube = game.ending.value, game.cube
    row.checkers_left, row.automatic_doubles = game.checkers_left, game.automatic_doubles
