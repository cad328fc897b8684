"""Simulated phones of the demonstration. They write on score cards through the same work functions as real phones."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from matches.keepers import Keeper
from matches.models import Match
from matches.rows import FinalScore, NewRow, RowContent, Strike
from rules.ruleset import Ruleset
from rules.score import Game, Score, Side, play
from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.models import Entry, Pairing
from tournament.rehearsal.play import chance_of_left, play_match
from tournament.results import desk, disputes, posting


@dataclass(frozen=True, slots=True)
class Phones:
    """The phone of each entry, and the random numbers that decide matches."""

    actors: Mapping[uuid.UUID, Actor]
    rng: Random

    @classmethod
    def of(cls, tokens: Mapping[Entry, str], rng: Random) -> "Phones":
        return cls(
            {entry.pk: Actor(link=permissions.open_link(token)) for entry, token in tokens.items()}, rng
        )

    def at(self, pairing: Pairing) -> "Table":
        return Table(posting.load_pairing(pairing.pk), self)


class Table:
    """One match with both phones. Each method is an action of the players."""

    def __init__(self, pairing: Pairing, phones: Phones) -> None:
        if pairing.match is None:
            raise LookupError("This match is not open.")
        self.pairing = pairing
        self.match: Match = pairing.match
        self.ruleset = Ruleset.from_json(self.match.ruleset)
        self.actors = {
            Keeper.LEFT: phones.actors[self.match.left],
            Keeper.RIGHT: phones.actors[self.match.right],
        }
        self.rng = phones.rng
        self.tails: dict[Keeper, uuid.UUID] = {}
        self.games = self._games()

    def plays(self, keeper: Keeper = Keeper.LEFT) -> None:
        """Writes the whole match on one card."""
        for game in self.games:
            self.writes(keeper, game)

    def is_at(self, game: int, keeper: Keeper = Keeper.LEFT) -> None:
        """Writes the first games of the match, at most all but the last."""
        for played in self.games[: min(game, len(self.games) - 1)]:
            self.writes(keeper, played)

    def plays_otherwise(self, keeper: Keeper) -> None:
        """Writes a card on which the other side won the last game, and games until the match is over."""
        games = [*self.games[:-1], _with_other_winner(self.games[-1])]
        while self._score(games).winner is None:
            games.append(_with_other_winner(self.games[-1]))
        for game in games:
            self.writes(keeper, game)

    def keeps_two(self, games: Sequence[Game], left_out: int | None = None) -> None:
        """Both players write every game on their own card. The right player leaves out one."""
        for number, game in enumerate(games):
            self.writes(Keeper.LEFT, game)
            if number != left_out:
                self.writes(Keeper.RIGHT, game)

    def slips(self, keeper: Keeper, game: Game) -> None:
        """Enters a game for the wrong player and strikes it."""
        self.writes(keeper, _with_other_winner(game))
        self.writes(keeper, Strike(), supersedes=self.tails[keeper])

    def writes(self, keeper: Keeper, what: RowContent, supersedes: uuid.UUID | None = None) -> None:
        key = uuid.uuid4()
        row = NewRow(key, self.tails.get(keeper, self.match.pk), what, supersedes)
        desk.enter(self.pairing, keeper, row, self.actors[keeper])
        self.tails[keeper] = key

    def reports_the_score(self, keeper: Keeper) -> None:
        """Hands in the final score and no games."""
        score = self._score(self.games)
        self.writes(keeper, FinalScore(score.left, score.right))

    def confirms(self, keeper: Keeper = Keeper.RIGHT) -> None:
        desk.confirm(self.pairing, keeper, None, self.actors[keeper])

    def disagrees(self, keeper: Keeper, note: str) -> None:
        disputes.open_dispute(self.pairing, keeper, note, self.actors[keeper])

    def finishes(self) -> None:
        """Plays to the end; the opponent confirms."""
        self.plays()
        self.confirms()

    def _games(self) -> list[Game]:
        left, right = self.pairing.left, self.pairing.right
        ratings = [float(entry.player.rating or 0) for entry in (left, right) if entry is not None]
        chance = chance_of_left(*ratings)
        return [played.game for played in play_match(self.match.length or 1, self.ruleset, chance, self.rng)]

    def _score(self, games: Iterable[Game]) -> Score:
        score = Score.start(self.match.length, self.ruleset)
        for game in games:
            score = play(score, game, self.ruleset).after
        return score


def _with_other_winner(game: Game) -> Game:
    other = Side.RIGHT if game.winner is Side.LEFT else Side.LEFT
    return Game(other)
