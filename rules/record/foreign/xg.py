"""Converts the decoded records of an .xg file to a record. Points count from 0, the bar is 24, off is below 0.

Player 1 is the left side. Nothing is judged here.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from rules.board.moves import Move, Play
from rules.board.position import BAR, OFF, POINTS, Position
from rules.record import model
from rules.record.differences import play_between
from rules.record.foreign.library import CUT_OFF
from rules.record.foreign.values import dice_of, number, numbers, sign, text
from rules.record.notes import Notes
from rules.ruleset import CHECKERS
from rules.score import Side, Win

_UNLIMITED = 99_999
_TAGS = (("Event", "event"), ("Site", "location"))
_DROPPED, _TAKEN, _BEAVERED = 0, 1, 2
_RESIGNED = 100
_ILLEGAL = 2
_SIDES = {1: Side.LEFT, -1: Side.RIGHT}


def record_of_xg(records: Iterable[tuple[str, dict[str, Any]]]) -> model.Record:
    notes, games = Notes(), _GamesBuilder()
    head: dict[str, Any] = {}
    is_whole = True
    for kind, fields in records:
        if kind == "header_match":
            head = head or fields
        elif kind == CUT_OFF:
            is_whole = False
        else:
            games.add(kind, fields)
    if not head or not games.finished:
        notes.report("foreign_not_understood", kind=".xg")
    elif not is_whole:
        notes.report("file_cut_off")
    length = number(head.get("match_length")) or 0
    is_stake_play = bool(head) and length in (0, _UNLIMITED)
    entries = tuple(game.build(has_crawford=not is_stake_play and length > 1) for game in games.finished)
    return model.Record(
        format=model.Format.XG,
        length=None if is_stake_play else length,
        names=(text(head.get("player1")), text(head.get("player2"))),
        entries=entries,
        stated=_stated(head, length, is_stake_play=is_stake_play),
        tags=tuple((name, text(head.get(field))) for name, field in _TAGS if text(head.get(field))),
        problems=tuple(notes.problems),
    )


def _stated(head: dict[str, Any], length: int, *, is_stake_play: bool) -> model.StatedRules:
    """Jacoby and beavers belong to stake play, Crawford to matches; other flags are leftovers."""
    if is_stake_play:
        return model.StatedRules(jacoby=bool(head.get("jacoby")), beavers=1 if head.get("beaver") else 0)
    return model.StatedRules(crawford=bool(head.get("crawford")) if length > 1 else None)


class _GamesBuilder:
    def __init__(self) -> None:
        self.finished: list[_GameBuilder] = []

    def add(self, kind: str, fields: dict[str, Any]) -> None:
        if kind == "header_game":
            self.finished.append(_GameBuilder(fields))
        elif self.finished:
            game = self.finished[-1]
            if kind == "cube":
                game.cube(fields)
            elif kind == "move":
                game.move(fields)
            elif kind == "footer_game":
                game.footer = fields


class _GameBuilder:
    def __init__(self, header: dict[str, Any]) -> None:
        self.header = header
        self.footer: dict[str, Any] = {}
        self.actions: list[model.Action] = []
        self.beavered_side: Side | None = None
        self.has_begun = False
        self.start: Position | None = None
        self.first: Side | None = None

    def cube(self, fields: dict[str, Any]) -> None:
        """A double and its answer are in one record; most records have neither."""
        side = _SIDES.get(sign(fields.get("actif")))
        if fields.get("doubled") != 1 or side is None:
            return
        self._accept_beaver()
        self.actions.append(model.CubeAction(side, model.CubeStep.DOUBLE, None, None))
        answer = fields.get("take")
        if answer == _BEAVERED:
            self.actions.append(model.CubeAction(side.other, model.CubeStep.BEAVER, None, None))
            self.beavered_side = side
        elif answer in (_DROPPED, _TAKEN):
            step = model.CubeStep.TAKE if answer == _TAKEN else model.CubeStep.DROP
            self.actions.append(model.CubeAction(side.other, step, None, None))

    def move(self, fields: dict[str, Any]) -> None:
        side, dice = _SIDES.get(sign(fields.get("actifp"))), dice_of(fields.get("dice"))
        if side is not None and dice is not None:
            self._accept_beaver()
            self._begin(_position(fields.get("pos_before")), side)
            self.actions.append(model.Roll(side, dice, _play(fields, side, dice), None))

    def _begin(self, before: Position | None, side: Side) -> None:
        """Keeps the board before the first roll if it is unusual."""
        if not self.has_begun and before is not None and before != Position.start():
            self.start, self.first = before if side is Side.LEFT else before.swapped(), side
        self.has_begun = True

    def _accept_beaver(self) -> None:
        """Play continued after a beaver, so the doubler took it."""
        if self.beavered_side is not None:
            self.actions.append(model.CubeAction(self.beavered_side, model.CubeStep.TAKE, None, None))
            self.beavered_side = None

    def build(self, *, has_crawford: bool) -> model.RecordedGame:
        if self.beavered_side is not None and self.footer:
            self.actions.append(model.CubeAction(self.beavered_side, model.CubeStep.DROP, None, None))
        winner = _SIDES.get(sign(self.footer.get("winner")))
        kind = self.footer.get("termination")
        if winner is not None and isinstance(kind, int) and kind >= _RESIGNED:
            win = Win(kind - _RESIGNED) if kind - _RESIGNED in set(Win) else None
            self.actions.append(model.Resignation(winner.other, win, None))
        left, right = number(self.header.get("score1")), number(self.header.get("score2"))
        return model.RecordedGame(
            number=number(self.header.get("game_number")),
            score=None if left is None or right is None else (left, right),
            actions=tuple(self.actions),
            claim=model.Claim(winner, number(self.footer.get("points")), is_last=False, line=None)
            if winner
            else None,
            is_crawford=bool(self.header.get("is_crawford")) if has_crawford else None,
            start=self.start,
            first=self.first,
        )


def _play(fields: dict[str, Any], side: Side, dice: tuple[int, int]) -> Play | None:
    """The candidate that was played. An illegal play is inferred from the positions: the candidate may be partial.

    The position before is as the left side sees it, the one after as the player sees it. An empty board means
    that nothing was played.
    """
    before, after = _position(fields.get("pos_before")), _position(fields.get("pos_after"))
    if before is None or after is None:
        return ()
    inferred = play_between(before if side is Side.LEFT else before.swapped(), after, dice)
    if inferred is not None and fields.get("invalid_m") == _ILLEGAL:
        return inferred
    for candidate in fields.get("candidates") or ():
        if candidate.get("is_played"):
            return _moves(numbers(candidate.get("moves")))
    return inferred


def _moves(numbers_read: list[int]) -> Play | None:
    return (
        tuple(_moves_in_pairs(numbers_read)) if all(-7 < point <= POINTS for point in numbers_read) else None
    )


def _moves_in_pairs(numbers_read: list[int]) -> Iterator[Move]:
    """Pairs of start and end up to the first invalid one."""
    for start, end in zip(numbers_read[::2], numbers_read[1::2], strict=False):
        if start < 0 or start == end == 0:
            return
        yield Move(start + 1, max(end + 1, OFF))


def _position(counts: object) -> Position | None:
    """The position as the side with the positive numbers sees it, the bars at both ends."""
    numbers_read = numbers(counts)
    if len(numbers_read) != BAR + 1 or not any(numbers_read) or max(map(abs, numbers_read)) > CHECKERS:
        return None
    mine = bytes([0] + [max(count, 0) for count in numbers_read[1:]])
    theirs = bytes([0] + [max(-numbers_read[BAR - point], 0) for point in range(1, BAR + 1)])
    position = Position(mine, theirs)
    return None if position.problem else position
