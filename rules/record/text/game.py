"""Builds one game of a text record row by row, and assigns each cell to a side.

A cell belongs to its column; where the columns are unclear, to the side whose turn it is. Nothing is judged.
"""

from rules.record.model import Action, Claim, CubeAction, CubeStep, RecordedGame, Resignation, Roll
from rules.record.text.cells import Cell, Kind, cube_value, is_last, points, resigned_win
from rules.score import Side

_STEPS = {
    Kind.DOUBLE: CubeStep.DOUBLE,
    Kind.TAKE: CubeStep.TAKE,
    Kind.DROP: CubeStep.DROP,
    Kind.BEAVER: CubeStep.BEAVER,
}
_WIDE = 8
"""This many blanks before a row's only cell mean an empty left column, wherever the right one begins."""
_RIGHT_MARGIN = 2
"""Cells of the right column begin at most this far to the left of the right player's name."""


class GameBuilder:
    """`ordinal` counts the games from 1, `number` is the number in the record.

    `middle`: a row's only cell is in the right column if it begins at or after this column.

    `right`: the column where the right column begins, from the score line; None if unknown.

    `is_squeezed`: the blanks between the columns were removed.
    """

    def __init__(self, number: int | None, line: int, ordinal: int) -> None:
        self.number, self.line, self.ordinal = number, line, ordinal
        self.score: tuple[int, int] | None = None
        self.score_line: int | None = None
        self.middle: int | None = None
        self.right: int | None = None
        self.is_squeezed = False
        self.actions: list[Action] = []
        self.claim: Claim | None = None
        self.last_row = 0
        self._is_first_sure = True
        self._is_winner_sure = True
        self._questioned_roll: Roll | None = None
        self._questioned_end: Resignation | None = None
        self._resignation_without_column: Resignation | None = None

    @property
    def is_empty(self) -> bool:
        return not self.actions and self.claim is None

    @property
    def is_only_a_score(self) -> bool:
        """Two names and numbers above the first heading are not a game."""
        return self.is_empty and self.line == self.score_line

    def is_right(self, gap: str, column: int) -> bool:
        """True if a row's only cell, after this gap and at this column, is the right player's."""
        if "\t" in gap:
            return gap.count("\t") > 1 or self._is_right_after_a_tab(gap)
        if self.is_squeezed:
            return self._turn() is Side.RIGHT
        return column >= self.middle if self.middle is not None else len(gap) >= _WIDE

    def _is_right_after_a_tab(self, gap: str) -> bool:
        if self.actions:
            return self._turn() is Side.RIGHT
        self._is_first_sure = False
        return gap[0] != "\t"

    def may_be_right(self, column: int) -> bool:
        return self.right is None or column >= self.right - _RIGHT_MARGIN

    def gives_column(self, gap: str) -> bool:
        """True if the gap before a lone result shows its column. One tab does not, several do."""
        if "\t" in gap:
            return gap.count("\t") > 1
        return bool(gap) and not self.is_squeezed

    def add_questioned_roll(self, roll: Roll) -> None:
        """Adds a roll with question marks in place of its play."""
        self._questioned_roll = roll
        self.actions.append(roll)

    def add_action(self, side: Side, cell: Cell, line: int) -> None:
        """A cube action or a resignation."""
        if cell.kind is Kind.RESIGNS:
            self._resign(side, cell, line)
        else:
            self.actions.append(CubeAction(side, _STEPS[cell.kind], cube_value(cell.text), line))

    def resign_in_unknown_column(self, cell: Cell, line: int) -> None:
        """A resignation whose place does not show its column: the result below decides, otherwise the turn."""
        last = self.actions[-1] if self.actions else None
        is_open = isinstance(last, Roll) and not last.play
        side = last.side if last is not None and is_open else self._turn() or Side.LEFT
        self._resignation_without_column = self._resign(side, cell, line)

    def _resign(self, side: Side, cell: Cell, line: int) -> Resignation:
        resignation = Resignation(side, resigned_win(cell.text), line)
        self.actions.append(resignation)
        if cell.is_question_marks:
            self._questioned_end = resignation
        if points(cell.text) is not None or is_last(cell.text):
            self.claim = Claim(side.other, points(cell.text), is_last(cell.text), line)
        return resignation

    def add_claim(self, cell: Cell, side: Side | None, line: int) -> None:
        """A result. `side` is the side of its column, None if unknown."""
        is_win = cell.kind is Kind.WINS
        winner = side if is_win or side is None else side.other
        if not is_win and self.claim is not None:
            return
        self._is_winner_sure = winner is not None
        if winner is None:
            before = self.claim
            winner = before.winner if before is not None else self._likely_winner()
        self.claim = Claim(winner, points(cell.text), is_last(cell.text), line)

    def build(self, next_score: tuple[int, int] | None) -> RecordedGame:
        """The game as read. `next_score` is the score above the next game, if there is one."""
        self._settle_first()
        self._settle_questioned_end()
        self._settle_questioned_roll()
        self._settle_winner(next_score)
        self._settle_resignation_column()
        return RecordedGame(
            number=self.number,
            score=self.score,
            actions=tuple(self.actions),
            claim=self.claim,
            line=self.line,
            score_line=self.score_line,
        )

    def _turn(self) -> Side | None:
        return self.actions[-1].side.other if self.actions else None

    def _likely_winner(self) -> Side:
        if not self.actions:
            return Side.LEFT
        last = self.actions[-1]
        if isinstance(last, Roll):
            return last.side.other if last.play is None else last.side
        gave_up = isinstance(last, Resignation) or last.step is CubeStep.DROP
        return last.side.other if gave_up else last.side

    def _settle_first(self) -> None:
        """A lone first cell of unknown column was the right player's if the left player acts next."""
        sides = [action.side for action in self.actions[:2]]
        is_sure = self._is_first_sure and not self.is_squeezed
        if not is_sure and sides == [Side.LEFT, Side.LEFT]:
            self.actions[0] = self.actions[0]._replace(side=Side.RIGHT)

    def _settle_questioned_roll(self) -> None:
        """Question marks after the last roll mean that the game was given up before a play."""
        for index in (-1, -2):
            if self._questioned_roll is not None and self.actions[index:][:1] == [self._questioned_roll]:
                if index == -1 or isinstance(self.actions[-1], Resignation):
                    self.actions[index] = self._questioned_roll._replace(play=())
                return

    def _settle_questioned_end(self) -> None:
        """Question marks without dice are a resignation only at the end of a game."""
        if self._questioned_end is not None and self._questioned_end is not self.actions[-1]:
            self.actions.remove(self._questioned_end)

    def _settle_resignation_column(self) -> None:
        """The player who did not win made the resignation in an unknown column."""
        resignation = self._resignation_without_column
        if resignation is not None and self.claim is not None and self.claim.line != resignation.line:
            index = self.actions.index(resignation)
            self.actions[index] = resignation._replace(side=self.claim.winner.other)

    def _settle_winner(self, next_score: tuple[int, int] | None) -> None:
        if self.claim is None or self._is_winner_sure or self.score is None or next_score is None:
            return
        gained = (next_score[0] - self.score[0], next_score[1] - self.score[1])
        if (gained[0] > 0) != (gained[1] > 0):
            self.claim = self.claim._replace(winner=Side.LEFT if gained[0] > 0 else Side.RIGHT)
