"""Two game records of the demonstration, read from the folder `records`, with the players' names.

One breaks no rule. In the other a move is wrong, and therefore many later moves look wrong too.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from matches.keepers import Keeper
from rules.judge import judge
from rules.record.model import Format, Record
from rules.record.reading import read
from rules.record.writing import write
from rules.score import Game
from tournament.demo.cards import Table
from tournament.records import checking
from tournament.records.player_matching import Names

FOLDER = Path(__file__).parent / "records"


@dataclass(frozen=True, slots=True)
class Filed:
    """A game record and its file name."""

    record: Record
    name: str

    @classmethod
    def of(cls, name: str) -> "Filed":
        return cls(read((FOLDER / f"{name}.mat").read_bytes()), f"{name}.mat")

    def played_at(self, table: Table) -> None:
        """Plays the match as recorded. The left player uploads the file, and it is checked."""
        table.games = self._games(table)
        table.finishes()
        names = checking.player_names(table.match)
        game_record, _is_new = checking.upload(
            table.pairing, Keeper.LEFT, self._data(names), self.name, table.actors[Keeper.LEFT]
        )
        checking.check_record(game_record.pk)

    def _games(self, table: Table) -> list[Game]:
        judged = judge(self.record, table.ruleset, length=table.match.length, agreed=table.match.games)
        return [game.entry for game in judged.games if game.entry is not None]

    def _data(self, names: Names) -> bytes:
        return write(replace(self.record, names=names), Format.MAT).encode()
