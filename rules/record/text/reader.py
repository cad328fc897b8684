"""Reads a text match record line by line.

An unreadable line becomes a problem and reading continues. Nothing is judged here.
"""

import re
from itertools import zip_longest

from rules.board.notation import parse_play
from rules.record.model import Format, Record, RecordedGame, Roll
from rules.record.notes import Notes
from rules.record.text import lines, rows
from rules.record.text.cells import ONE_ROLL, ROW, TWO_ROLLS, cells
from rules.record.text.game import GameBuilder
from rules.record.text.tags import report_variation, stated_rules
from rules.score import Side

MOST_LINES = 200_000
LONGEST_LINE = 500
MOST_GAMES = 10_000
MOST_TAGS = 100
_COLUMN_GAP = "    "
_LEFT, _RIGHT = Side.LEFT, Side.RIGHT
_DICE = {f"{first}{second}": (first, second) for first in range(1, 7) for second in range(1, 7)}
_SIGNS = re.compile(
    r"^[ \t]*(?:[0-9]{1,6}[ -]points?[ ]match\b|game[ ]+[0-9]+[ \t]*$|[0-9]+[).][ \t]*[1-6][1-6]:)",
    re.IGNORECASE | re.MULTILINE,
)


def looks_like_text(text: str) -> bool:
    """True if the beginning of this text has a line that only text match records have."""
    return _SIGNS.search(text[:20_000].replace("\r", "\n")) is not None


def read_text(text: str) -> Record:
    """Never raises; line ends of any system are accepted."""
    return _Reader().read(text)


class _Reader:
    def __init__(self) -> None:
        self.length: int | None = None
        self.names: tuple[str, str] | None = None
        self.tags: list[tuple[str, str]] = []
        self.games: list[GameBuilder] = []
        self.notes = Notes()
        self.is_squeezed = False
        self.second_heading = 0
        self.is_finished = False

    def read(self, text: str) -> Record:
        text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
        text_lines = text.split("\n", MOST_LINES)
        self.is_squeezed = not any(map(_has_columns, text_lines)) and any(map(TWO_ROLLS.match, text_lines))
        game: GameBuilder | None = None
        for number, line in enumerate(text_lines[:MOST_LINES], 1):
            if len(line) > LONGEST_LINE:
                line = self._shorten(line, number)  # noqa: PLW2901
            if game is None or not _add_plain_row(game, line, number):
                self._line(line, number)
                game = self.games[-1] if self.games else None
            if self.is_finished:
                break
        if len(text_lines) > MOST_LINES:
            self.notes.report("too_many_lines", line=MOST_LINES, lines=MOST_LINES)
        return self._record()

    def _line(self, line: str, number: int) -> None:
        bare = line.strip()
        if not bare:
            return
        game = self.games[-1] if self.games else None
        awaits_score = game is not None and game.is_empty and game.score is None
        if line[0] in ";#[" or (bare[0] in ";[" and not awaits_score):
            self._add_tag(line)
        elif awaits_score and self._score_line(line, number):
            return
        elif (row := ROW.match(line)) is not None:
            self._row(line, row, number)
        elif not self._heading(line, number) and game is not None:
            rows.read_loose_line(self.notes, game, line, number)

    def _row(self, line: str, row: re.Match[str], number: int) -> None:
        if not self.games:
            if not cells(line, row.end())[1]:
                return
            self._add_game(None, number)
        self._check_row_number(self.games[-1], int(row[1]), number)
        rows.read_row(self.notes, self.games[-1], line, row.end(), number)

    def _check_row_number(self, game: GameBuilder, row: int, number: int) -> None:
        if game.last_row and row != game.last_row + 1:
            self.notes.report("row_missing", game=game.ordinal, line=number, number=row, last=game.last_row)
        game.last_row = row

    def _add_tag(self, line: str) -> None:
        tag = lines.tag(line)
        if tag is not None and len(self.tags) < MOST_TAGS:
            self.tags.append(tag)

    def _heading(self, line: str, number: int) -> bool:
        heading, length = lines.game_heading(line), lines.length(line)
        if heading is None and length is None:
            return self._score_line(line, number)
        if self.games and self.games[-1].is_only_a_score:
            self.games.pop()
            self.names = self.names if self.games else None
        if heading is not None:
            self._begin_game(heading[0], number)
        elif self.games:
            self.second_heading = number
        else:
            self.length = length
        return True

    def _begin_game(self, game_number: int | None, line: int) -> None:
        if self.second_heading and game_number == 1:
            self.notes.report("second_match", line=self.second_heading)
            self.is_finished = True
            return
        last = self.games[-1].number if self.games else None
        game = self._add_game(game_number, line)
        if None not in (last, game_number) and game_number != (last or 0) + 1:
            self.notes.report("game_missing", game=game.ordinal, line=line, number=game_number, last=last)

    def _add_game(self, number: int | None, line: int) -> GameBuilder:
        if len(self.games) == MOST_GAMES:
            self.notes.report("too_many_games", line=line, games=MOST_GAMES)
            self.is_finished = True
        self.games.append(GameBuilder(number, line, len(self.games) + 1))
        self.games[-1].is_squeezed = self.is_squeezed
        return self.games[-1]

    def _score_line(self, line: str, number: int) -> bool:
        score_line = lines.score_line(line)
        if score_line is None:
            return False
        game = self.games[-1] if self.games else None
        if game is None or not game.is_empty or game.score is not None:
            if game is not None and game.claim is None:
                return False
            game = self._add_game(None, number)
        game.score, game.score_line = score_line.score, number
        game.middle, game.right = score_line.middle, score_line.right
        self.names = self.names or score_line.names
        return True

    def _shorten(self, line: str, number: int) -> str:
        if line[LONGEST_LINE:].strip():
            self.notes.report("line_too_long", game=len(self.games) or None, line=number)
        return line[:LONGEST_LINE]

    def _record(self) -> Record:
        length = self.length or None if self.length is not None else 0
        tags = tuple(self.tags)
        notes = self.notes
        report_variation(notes, tags, length)
        if self.length is None:
            notes.report("length_not_told")
        return Record(
            format=Format.MAT,
            length=length,
            names=self.names or _names_in_tags(tags),
            entries=_build_games(self.games[:MOST_GAMES]),
            stated=stated_rules(tags, length),
            tags=tags,
            problems=tuple(notes.problems),
        )


def _has_columns(line: str) -> bool:
    """True if blanks separate the columns of this row."""
    line = line.strip()
    return line[:1].isdigit() and (_COLUMN_GAP in line or "\t" in line)


def _add_plain_row(game: GameBuilder, line: str, number: int) -> bool:
    """Fast path for a row of two rolls in the expected order, as nearly all rows are. False if it is another row."""
    match = TWO_ROLLS.match(line)
    if match is None:
        return _add_plain_half_row(game, line, number)
    row, left, left_play, right, right_play = match.groups()
    left_moves, right_moves = parse_play(left_play.strip()), parse_play(right_play.strip())
    count = int(row)
    if left_moves is None or right_moves is None or count != game.last_row + 1:
        return False
    game.last_row = count
    add = game.actions.append
    add(Roll(_LEFT, _DICE[left], left_moves, number))
    add(Roll(_RIGHT, _DICE[right], right_moves, number))
    return True


def _add_plain_half_row(game: GameBuilder, line: str, number: int) -> bool:
    match = ONE_ROLL.match(line)
    if match is None:
        return False
    play, count = parse_play(match[4].strip()), int(match[1])
    if play is None or count != game.last_row + 1:
        return False
    side = _RIGHT if game.is_right(match[2], match.start(3)) else _LEFT
    game.last_row = count
    game.actions.append(Roll(side, _DICE[match[3]], play, number))
    return True


def _build_games(games: list[GameBuilder]) -> tuple[RecordedGame, ...]:
    following = [game.score for game in games[1:]]
    return tuple(game.build(score) for game, score in zip_longest(games, following))


def _names_in_tags(tags: tuple[tuple[str, str], ...]) -> tuple[str, str]:
    values = {key.lower(): value for key, value in tags}
    return values.get("player 1", ""), values.get("player 2", "")
