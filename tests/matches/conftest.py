"""A match to 7 points and a writer for its cards."""

import uuid

import pytest
from django.db import transaction

from matches import scorecard
from matches.keepers import Keeper
from matches.locking import lock_match
from matches.models import Match
from matches.rows import FinalScore, NewRow, RowContent, Strike
from matches.scorecard import Opening, WriteResult
from rules.ruleset import PRESETS
from rules.score import Game, Side, Win

RULES = PRESETS["tournament"]


class CardWriter:
    """Writes rows on the cards of one match, each after the last one on that card."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.tails: dict[Keeper, uuid.UUID] = {}
        self.keys: list[uuid.UUID] = []

    def hand_in(self, keeper: Keeper, new_row: NewRow, by: Keeper | None = None) -> WriteResult:
        with transaction.atomic():
            return scorecard.write(lock_match(self.match.pk), keeper, new_row, by=by or keeper)

    def write(
        self, keeper: Keeper, what: RowContent, supersedes=None, by: Keeper | None = None
    ) -> WriteResult:
        key = uuid.uuid4()
        after = self.tails.get(keeper, self.match.pk)
        written = self.hand_in(keeper, NewRow(key, after, what, supersedes), by)
        self.tails[keeper] = key
        self.keys.append(key)
        return written

    def game(self, keeper: Keeper, winner: str = "left", cube: int = 1, win: Win = Win.SINGLE) -> WriteResult:
        return self.write(keeper, Game(Side(winner), win, cube=cube))

    def undo(self, keeper: Keeper, key: uuid.UUID) -> WriteResult:
        return self.write(keeper, Strike(), supersedes=key)

    def final(self, keeper: Keeper, left: int, right: int) -> WriteResult:
        return self.write(keeper, FinalScore(left, right))

    def reread(self) -> Match:
        self.match.refresh_from_db()
        return self.match


@pytest.fixture
def seven_points(db) -> Match:
    return scorecard.open_matches([Opening(uuid.uuid4(), uuid.uuid4(), 7, RULES)])[0]


@pytest.fixture
def writer(seven_points) -> CardWriter:
    return CardWriter(seven_points)
