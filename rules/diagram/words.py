"""Describes a diagram in words: for screen readers, and as captions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rules.board.moves import Play
from rules.board.notation import format_play
from rules.board.position import BAR, POINTS, Position
from rules.score import Score, Side
from rules.translation import gettext_noop

COLOURS: Mapping[Side, str] = {Side.LEFT: gettext_noop("White"), Side.RIGHT: gettext_noop("Black")}
NAMED_COLOUR = gettext_noop("{colour} ({name})")
TO_PLAY = gettext_noop("{player} to play {first} and {second}")
ON_ROLL = gettext_noop("{player} on roll")
CHECKERS_AND_PIPS = gettext_noop("{player} has {checkers}; {pips} pips.")
ON_BAR = gettext_noop("{count} on the bar")
ON_POINT = gettext_noop("{count} on the {point}-point")
BORNE_OFF = gettext_noop("{count} off")
CENTRED_CUBE = gettext_noop("The cube is at {cube} in the centre.")
OWNED_CUBE = gettext_noop("The cube is at {cube}, owned by {player}.")
MATCH_SCORE = gettext_noop("{left} has {left_points}, {right} has {right_points} of {length} points.")
SCORE = gettext_noop("{left} has {left_points}, {right} has {right_points} points.")
ARROWS = gettext_noop("Arrows show {play}.")
PIPS = gettext_noop("{player}: {pips} pips")
PIPS_ON_ROLL = gettext_noop("{player}: {pips} pips, on roll")
POINTS_OF_LENGTH = gettext_noop("{points} of {length}")
OFF = gettext_noop("off")


@dataclass(frozen=True, slots=True)
class Words:
    """`names` are left and right, or empty. `translate` returns a marked sentence in the reader's language."""

    names: tuple[str, str]
    translate: Callable[[str], str]

    def sentence(self, template: str, **values: object) -> str:
        return self.translate(template).format_map(values)

    def player(self, side: Side) -> str:
        """Returns the colour of a side, with the player's name if there is one."""
        colour, name = self.translate(COLOURS[side]), self.names[0 if side is Side.LEFT else 1]
        return self.sentence(NAMED_COLOUR, colour=colour, name=name) if name else colour

    def title(self, on_roll: Side, dice: tuple[int, int] | None) -> str:
        player = self.player(on_roll)
        if dice is None:
            return self.sentence(ON_ROLL, player=player)
        return self.sentence(TO_PLAY, player=player, first=dice[0], second=dice[1])

    def position(self, position: Position, on_roll: Side) -> str:
        """Returns every checker and both pip counts."""
        mine = self._checkers(on_roll, position.mine, position.pips[0], position.off[0])
        theirs = self._checkers(on_roll.other, position.theirs, position.pips[1], position.off[1])
        return f"{mine} {theirs}"

    def cube(self, cube: int, owner: Side | None) -> str:
        if owner is None:
            return self.sentence(CENTRED_CUBE, cube=cube)
        return self.sentence(OWNED_CUBE, cube=cube, player=self.player(owner))

    def score(self, score: Score) -> str:
        return self.sentence(
            MATCH_SCORE if score.length else SCORE,
            left=self.player(Side.LEFT),
            right=self.player(Side.RIGHT),
            left_points=score.points(Side.LEFT),
            right_points=score.points(Side.RIGHT),
            length=score.length,
        )

    def play(self, play: Play) -> str:
        return self.sentence(ARROWS, play=format_play(play))

    def caption(self, side: Side, pips: int, *, is_on_roll: bool) -> str:
        return self.sentence(PIPS_ON_ROLL if is_on_roll else PIPS, player=self.player(side), pips=pips)

    def points(self, score: Score, side: Side) -> str:
        points = score.points(side)
        return (
            self.sentence(POINTS_OF_LENGTH, points=points, length=score.length)
            if score.length
            else str(points)
        )

    def off(self) -> str:
        return self.translate(OFF)

    def _checkers(self, side: Side, counts: bytes, pips: int, off: int) -> str:
        places = [self.sentence(ON_BAR, count=counts[BAR])] if counts[BAR] else []
        places += [
            self.sentence(ON_POINT, count=counts[point], point=point)
            for point in range(POINTS, 0, -1)
            if counts[point]
        ]
        places += [self.sentence(BORNE_OFF, count=off)] if off else []
        player = self.player(side)
        return self.sentence(CHECKERS_AND_PIPS, player=player, checkers=", ".join(places), pips=pips)
