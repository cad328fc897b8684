"""Phones that write on their own cards, and a draw with known places."""

import uuid

from matches.keepers import Keeper
from matches.rows import FinalScore, NewRow, Strike
from rules.score import Game, Side
from tests.tournament import stories
from tournament.access.actors import STRANGER, Actor
from tournament.models import Pairing, Tournament
from tournament.results import desk


class Phone:
    """One side's phone: writes each row after the last it wrote."""

    def __init__(self, pairing: Pairing, keeper: Keeper) -> None:
        self.pairing, self.keeper = pairing, keeper
        self.tail: uuid.UUID = pairing.match_id

    def game(self, winner: str, **more) -> desk.RowOutcome:
        return self.send(Game(Side(winner), **more))

    def final(self, left: int, right: int) -> desk.RowOutcome:
        return self.send(FinalScore(left, right))

    def undo(self) -> desk.RowOutcome:
        return self.send(Strike(), self.tail)

    def send(self, what, supersedes=None) -> desk.RowOutcome:
        key = uuid.uuid4()
        sent = desk.enter(self.pairing, self.keeper, NewRow(key, self.tail, what, supersedes), STRANGER)
        self.tail = key
        return sent


def seeded(actor: Actor, entries: int, **more) -> Tournament:
    """A released draw in which player n is seed n, so that byes and lines are known beforehand."""
    return stories.released(actor, entries, method="seeded", **more)


def meeting(made: Tournament, *seeds: int) -> Pairing:
    """The pairing of these two seeds, as it is stored now."""
    wanted = set(seeds)
    return next(
        row
        for row in stories.pairings(made)
        if row.left and row.right and {row.left.seed, row.right.seed} == wanted
    )


def wins(made: Tournament, actor: Actor, winner: int, loser: int) -> Pairing:
    """Seed `winner` beats seed `loser`, and everybody is moved on."""
    row = meeting(made, winner, loser)
    stories.play(row, actor, "left" if row.left.seed == winner else "right")
    return row
