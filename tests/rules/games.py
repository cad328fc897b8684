"""Plays whole matches by the rules: dice, plays, doubles and resignations from a random generator."""

from dataclasses import replace

from rules import cube as cubes
from rules.board.plays import legal_plays
from rules.board.position import BAR, HOME, Position
from rules.board.stepping import Movement, resolve_hits
from rules.cube import Moment
from rules.problem import RuleBroken
from rules.record.model import Claim, CubeAction, CubeStep, Format, Record, RecordedGame, Resignation, Roll
from rules.ruleset import CHECKERS, Opening, UncubedSingle
from rules.score import Ending, Game, Score, Side, Win, credit, kind_of_win
from rules.score.crawford import is_crawford_game


class MatchPlayer:
    """Plays matches under one ruleset. `chance` is a random.Random; the same one plays the same match again."""

    def __init__(self, ruleset, chance, liveliness=0.08):
        self.ruleset, self.chance, self.liveliness = ruleset, chance, liveliness
        self.movement = Movement.of(ruleset)

    def match(self, length, most_games=40):
        """A record of a whole match; of `most_games` games in stake play."""
        score, games = Score.start(length, self.ruleset), []
        while not score.is_over and len(games) < (most_games if length is None else 500):
            game, ended = self.game(score, len(games) + 1)
            games.append(game)
            score = credit(score, ended, self.ruleset).after
        return Record(Format.MAT, length, ("Left", "Right"), tuple(games))

    def game(self, score, number):
        """One game from its opening roll to its end: as recorded, and as scored."""
        starter, dice, ties = self._opening()
        self.sides = {side: Position.start().mine for side in Side}
        self.cube = cubes.initial_cube(ties, score, self.ruleset)
        self.actions, self.ended, self.score = [], None, score
        side = starter
        if self.ruleset.opening is Opening.ROLL_AGAIN:
            dice = self._dice()
        while self.ended is None:
            self._turn(side, dice)
            dice, side = self._dice(), side.other
            if self.ended is None:
                self._perhaps_double(side)
            if self.ended is None and self.chance.random() < self.liveliness / 10:
                self._resign(side)
        scored = credit(score, self.ended, self.ruleset)
        game = RecordedGame(
            number=number,
            score=(score.left, score.right),
            actions=tuple(self.actions),
            claim=Claim(self.ended.winner, scored.raw, is_last=scored.after.is_over, line=None),
            automatic_doubles=self.cube.automatic_doubles,
            is_crawford=is_crawford_game(score, self.ruleset),
        )
        return game, self.ended

    def _dice(self):
        return self.chance.randint(1, 6), self.chance.randint(1, 6)

    def _opening(self):
        for ties in range(1000):
            left, right = self._dice()
            if left != right:
                return (Side.LEFT if left > right else Side.RIGHT), (left, right), ties
        raise AssertionError("a thousand ties")

    def _turn(self, side, dice):
        position = Position(self.sides[side], self.sides[side.other])
        legal = legal_plays(position, dice, self.movement)
        if not legal:
            self.actions.append(Roll(side, dice, (), None))
            return
        after = self.chance.choice(sorted(legal))
        self.actions.append(Roll(side, dice, resolve_hits(position, legal[after]), None))
        self.sides[side], self.sides[side.other] = after
        if not any(after.mine):
            self.ended = self._won(side)

    def _won(self, side):
        loser = self.sides[side.other]
        win = kind_of_win(
            borne_off=CHECKERS - sum(loser),
            on_bar=loser[BAR],
            in_winners_home=sum(loser[BAR - HOME : BAR]),
            ruleset=self.ruleset,
        )
        return self._with_checkers(
            Game(side, win, Ending.PLAYED, self.cube.value, None, self.cube.automatic_doubles)
        )

    def _with_checkers(self, game):
        counts = self.ruleset.uncubed_single is UncubedSingle.CHECKERS_LEFT and game.is_uncubed_single
        return replace(game, checkers_left=sum(self.sides[game.winner.other])) if counts else game

    def _resign(self, side):
        win = self.chance.choice(list(Win)) if sum(self.sides[side]) == CHECKERS else Win.SINGLE
        self.actions.append(Resignation(side, win, None))
        self.ended = self._with_checkers(
            Game(side.other, win, Ending.RESIGNED, self.cube.value, None, self.cube.automatic_doubles)
        )

    def _perhaps_double(self, side):
        if self.chance.random() > self.liveliness:
            return
        try:
            self.cube = cubes.double(self.cube, side, Moment(side), self.score, self.ruleset)
        except RuleBroken:
            return
        self.actions.append(CubeAction(side, CubeStep.DOUBLE, self.cube.value * 2, None))
        answering = side.other
        while self.chance.random() < 0.3:
            try:
                self.cube = cubes.beaver(self.cube, answering, self.score, self.ruleset)
            except RuleBroken:
                break
            self.actions.append(CubeAction(answering, CubeStep.BEAVER, self.cube.value * 2, None))
            answering = answering.other
        if self.chance.random() < 0.3:
            self.actions.append(CubeAction(answering, CubeStep.DROP, None, None))
            self.ended = cubes.drop(self.cube, answering)
        else:
            self.actions.append(CubeAction(answering, CubeStep.TAKE, None, None))
            self.cube = cubes.take(self.cube, answering)
