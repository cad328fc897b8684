"""Follows the actions of one game: whose turn it is, what stands on the board, where the cube is.

Every action is judged and then done, legal or not, so that what comes after it can be judged too. What the
record claims of the game is not looked at here.
"""

from dataclasses import dataclass, field, replace

from rules import cube as cubes
from rules.board.checking import CheckedPlay, after_plain_play, check
from rules.board.ids import position_id
from rules.board.position import BAR, CHECKERS, HOME, Position
from rules.board.stepping import Movement, Step
from rules.cube import Cube, Moment
from rules.judge.budget import LOOKED_INTO, Budget
from rules.problem import Offer, Problem, RuleBroken, problem
from rules.record.model import Action, CubeAction, CubeStep, RecordedGame, Resignation, Roll
from rules.ruleset import Opening, Ruleset, UncubedSingle
from rules.score import Ending, Game, Score, Side, kind_of_win

_TOO_FEW_MOVES = ("more_dice_playable", "larger_die_at_least")


@dataclass(slots=True)
class Glimpse:
    """What stood before an action and what the action came to, for whoever wants to look."""

    action: Action
    move: int
    position: Position
    cube: Cube
    score: Score
    taken: tuple[Step, ...] = ()
    problems: list[Problem] = field(default_factory=list)


class Walk:
    """One game under way. `ended` is the game once it is over; `given_up` a resignation that says no more."""

    def __init__(
        self, number: int, game: RecordedGame, score: Score, ruleset: Ruleset, budget: Budget
    ) -> None:
        self.number, self.game, self.score = number, game, score
        self.ruleset, self.budget = ruleset, budget
        self.movement = Movement.of(ruleset)
        self.is_bound = self.movement.hit_checker_first
        self.sides = {Side.LEFT: Position.start().mine, Side.RIGHT: Position.start().mine}
        if game.start is not None:
            first = game.first or Side.LEFT
            self.sides = {first: game.start.mine, first.other: game.start.theirs}
        self.turn = game.first
        self.cube = cubes.centred(game.automatic_doubles or 0, score, ruleset)
        self.rolls = 0
        self.row = 0
        self.last: Side | None = None
        self.ended: Game | None = None
        self.given_up: Resignation | None = None
        self.lost_track = False
        self.cut_short: tuple[Roll, Problem] | None = None
        self.problems: list[Problem] = []
        self.illegal_doubles: list[int] = []
        self.glimpses: list[Glimpse] | None = None

    def follow(self, actions: tuple[Action, ...]) -> None:
        """All of them, or as many as the budget and the end of the game allow."""
        budget = self.budget
        for action in actions:
            if self.ended is not None or self.given_up is not None:
                self._report(problem("action_after_the_end"), action)
                return
            budget.rolls -= 1
            if budget.rolls <= 0 or budget.problems <= 0:
                return
            side = action.side
            if side is Side.LEFT or self.last is not Side.LEFT:
                self.row += 1
            self.last = side
            if self.glimpses is not None:
                self.glimpses.append(Glimpse(action, self.row, self.seen_by(side), self.cube, self.score))
            if type(action) is Roll:
                self._roll(action)
            elif type(action) is CubeAction:
                self._turn_cube(action)
            else:
                self.given_up = action  # type: ignore[assignment]

    def problems_at_the_end(self, entry: Game | None) -> list[Problem]:
        """Its problems, each illegal double with the way out that fits how the game ended.

        A last play that was not finished is no problem if its player lost: the game was given up in mid-turn.
        """
        if self.cut_short is not None:
            roll, found = self.cut_short
            if roll.play and entry is not None and entry.winner is roll.side:
                self._keep(found, roll)
        offer = Offer.RESUME_OR_DIRECTOR if entry is not None and entry.is_drop else Offer.ANNUL
        for place in self.illegal_doubles:
            found = self.problems[place]
            params = {**found.params, "legal_cube": 1 << self.cube.automatic_doubles}
            self.problems[place] = replace(found, params=params, offer=offer)
        return self.problems

    def seen_by(self, side: Side) -> Position:
        return Position(self.sides[side], self.sides[side.other])

    def checkers_left(self, side: Side) -> int:
        return sum(self.sides[side])

    def _roll(self, roll: Roll) -> None:
        side, dice, play = roll[:3]
        if side is not self.turn or self.cube.doubler is not None or self.cut_short is not None:
            self._set_right(roll)
        self.turn = other = side.other
        self.rolls += 1
        if self.lost_track:
            return
        sides = self.sides
        position = Position(sides[side], sides[other])
        may_be_quick = play and (not self.is_bound or sum(position.mine) == CHECKERS)
        after = after_plain_play(position, dice, play) if may_be_quick and play else None
        if after is None:
            checked = self._look_into(position, roll)
            if checked is None:
                return
            after = checked.after
        sides[side], sides[other] = after
        if not any(after.mine):
            self.ended = self._played_out(side)

    def _set_right(self, roll: Roll) -> None:
        """What is wrong with a roll before anybody looks at the board, and the state that it takes for granted."""
        self._report_cut_short()
        if self.cube.doubler is not None:
            if not self.cube.beavers:  # a beaver is taken by playing on
                self._report(problem("double_not_answered"), roll)
            self.cube = cubes.take(self.cube, self.cube.answering or roll.side)
        if self.turn is not None and roll.side is not self.turn:
            self._report(problem("out_of_turn"), roll)
        is_opening = self.turn is None and self.ruleset.opening is Opening.PLAY_BOTH_DICE
        if is_opening and roll.dice[0] == roll.dice[1]:
            self._report(problem("opening_double", dice=f"{roll.dice[0]}{roll.dice[1]}"), roll)

    def _look_into(self, position: Position, roll: Roll) -> CheckedPlay | None:
        """The slow way: merged moves, fewer dice than thrown, passes, and all that is illegal."""
        if roll.play is None:
            self.lost_track = True
            self._report(problem("play_not_recorded"), roll)
            return None
        self.budget.rolls -= LOOKED_INTO
        checked = check(position, roll.dice, roll.play, self.movement)
        if self.glimpses is not None:
            self.glimpses[-1].taken = checked.steps
        if checked.problem is not None:
            found = self._located(checked.problem, roll)
            if _may_be_cut_short(roll, checked.problem):
                self.cut_short = roll, found
            else:
                self._keep(found, roll)
        return checked

    def _report_cut_short(self) -> None:
        """The game went on after a play that was not finished, so the play is illegal."""
        if self.cut_short is not None:
            roll, found = self.cut_short
            self._keep(found, roll)
            self.cut_short = None

    def _played_out(self, winner: Side) -> Game:
        loser = self.sides[winner.other]
        left = sum(loser)
        win = kind_of_win(
            borne_off=CHECKERS - left,
            on_bar=loser[BAR],
            in_winners_home=sum(loser[BAR - HOME : BAR]),
            ruleset=self.ruleset,
        )
        game = Game(winner, win, Ending.PLAYED, self.cube.value, None, self.cube.automatic_doubles)
        return self.with_checkers(game)

    def with_checkers(self, game: Game) -> Game:
        """SCORE-2: the loser's checkers, where they are the score."""
        counts = self.ruleset.uncubed_single is UncubedSingle.CHECKERS_LEFT and game.is_uncubed_single
        return replace(game, checkers_left=self.checkers_left(game.winner.other)) if counts else game

    def _turn_cube(self, action: CubeAction) -> None:
        self._report_cut_short()
        try:
            self._as_the_rules_allow(action)
        except RuleBroken as broken:
            self._report(broken.problem, action)
            self._all_the_same(action)
        self._compare_value(action)

    def _as_the_rules_allow(self, action: CubeAction) -> None:
        side = action.side
        if action.step is CubeStep.TAKE:
            self.cube = cubes.take(self.cube, side)
        elif action.step is CubeStep.DROP:
            self.ended = cubes.drop(self.cube, side)
        elif action.step is CubeStep.BEAVER:
            self.cube = cubes.beaver(self.cube, side, self.score, self.ruleset)
        else:
            self._double(side, action)

    def _double(self, side: Side, action: CubeAction) -> None:
        self._guess_automatic_doubles(action)
        if self.turn is None and self.ruleset.opening is Opening.PLAY_BOTH_DICE:
            raise RuleBroken(problem("double_before_opening_roll"))
        moment = Moment(self.turn or side, is_first_throw_made=self.rolls > 0)
        self.cube = cubes.double(self.cube, side, moment, self.score, self.ruleset)
        needs = self.score.away(side)
        if needs is not None and needs <= self.cube.value:
            self._report(problem("dead_cube", cube=self.cube.value * 2), action)

    def _all_the_same(self, action: CubeAction) -> None:
        """What was done against the rules, as far as it can be done at all."""
        if action.step is CubeStep.DOUBLE and self.cube.doubler is None:
            self.illegal_doubles.append(len(self.problems) - 1)
            self.cube = replace(self.cube, doubler=action.side)
        elif action.step is CubeStep.BEAVER and self.cube.answering is action.side:
            self.cube = replace(self.cube, value=self.cube.value * 2, beavers=self.cube.beavers + 1)

    def _compare_value(self, action: CubeAction) -> None:
        offers = action.step in (CubeStep.DOUBLE, CubeStep.BEAVER) and self.cube.doubler is not None
        offered = self.cube.value * 2
        if offers and action.value not in (None, offered):
            self._report(problem("wrong_cube_value", written=action.value, offered=offered), action)

    def _guess_automatic_doubles(self, action: CubeAction) -> None:
        """OPEN-4: a text record does not write them down; the first double that is offered tells."""
        if self.game.automatic_doubles is not None or self.cube != Cube() or action.value is None:
            return
        stake = action.value // 2
        if stake > 1 and stake & (stake - 1) == 0:
            guess = cubes.centred(stake.bit_length() - 1, self.score, self.ruleset)
            if guess.value == stake:
                self.cube = guess

    def _report(self, found: Problem, action: Action) -> None:
        self._keep(self._located(found, action), action)

    def _located(self, found: Problem, action: Action) -> Problem:
        return replace(
            found,
            game=self.number,
            move=self.row,
            side=action.side.value,
            line=action.line,
            position=position_id(self.seen_by(action.side)),
        )

    def _keep(self, located: Problem, action: Action) -> None:
        self.budget.problems -= 1
        self.problems.append(located)
        for glimpse in reversed(self.glimpses or ()):
            if glimpse.action is action:
                glimpse.problems.append(located)
                break


def _may_be_cut_short(roll: Roll, found: Problem) -> bool:
    """Whether the player may have given up before the play was finished; the record may end here."""
    return not roll.says_pass if not roll.play else found.code in _TOO_FEW_MOVES
