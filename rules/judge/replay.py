"""Replays the actions of one game: turn, board, cube.

Every action is checked and then applied, legal or not, so that the later ones can be checked too. The claims of
the record are not used here.
"""

from dataclasses import dataclass, field, replace

from rules import cube as cubes
from rules.board.checking import CheckedPlay, after_plain_play, check
from rules.board.ids import position_id
from rules.board.position import BAR, HOME, Position
from rules.board.stepping import Movement, Step
from rules.cube import Cube, Moment
from rules.judge.budget import FULL_CHECK_ROLLS, Budget
from rules.problem import Offer, Problem, RuleBroken, problem
from rules.record.model import Action, CubeAction, CubeStep, RecordedGame, Resignation, Roll
from rules.ruleset import CHECKERS, Opening, Ruleset, UncubedSingle
from rules.score import Ending, Game, Score, Side, kind_of_win

_TOO_FEW_MOVES = ("more_dice_playable", "larger_die_at_least")


@dataclass(slots=True)
class ObservedAction:
    """An action with the state before it and its problems."""

    action: Action
    move: int
    position: Position
    cube: Cube
    score: Score
    steps: tuple[Step, ...] = ()
    problems: list[Problem] = field(default_factory=list)


class GameReplay:
    """One game in progress. `result` is set when it is over, `resignation` when a player gave it up."""

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
        self.cube = cubes.initial_cube(game.automatic_doubles or 0, score, ruleset)
        self.rolls = 0
        self.row = 0
        self.last_side: Side | None = None
        self.result: Game | None = None
        self.resignation: Resignation | None = None
        self.is_position_lost = False
        self.unfinished_play: tuple[Roll, Problem] | None = None
        self.problems: list[Problem] = []
        self.illegal_doubles: list[int] = []
        self.observed: list[ObservedAction] | None = None

    def apply(self, actions: tuple[Action, ...]) -> None:
        """Applies the actions until the budget or the game ends."""
        budget = self.budget
        for action in actions:
            if self.result is not None or self.resignation is not None:
                self._report(problem("action_after_the_end"), action)
                return
            budget.rolls -= 1
            if budget.rolls <= 0 or budget.problems <= 0:
                return
            side = action.side
            if side is Side.LEFT or self.last_side is not Side.LEFT:
                self.row += 1
            self.last_side = side
            if self.observed is not None:
                self.observed.append(
                    ObservedAction(action, self.row, self.position_for(side), self.cube, self.score)
                )
            if isinstance(action, Roll):
                self._roll(action)
            elif isinstance(action, CubeAction):
                self._apply_cube_action(action)
            else:
                self.resignation = action

    def final_problems(self, entry: Game | None) -> list[Problem]:
        """The problems of the game; each illegal double gets the offer that fits the end of the game.

        An unfinished last play is no problem if its player lost: the game was given up in mid-turn.
        """
        if self.unfinished_play is not None:
            roll, problem = self.unfinished_play
            if roll.play and entry is not None and entry.winner is roll.side:
                self._add(problem, roll)
        offer = Offer.RESUME_OR_DIRECTOR if entry is not None and entry.is_drop else Offer.ANNUL
        for index in self.illegal_doubles:
            problem = self.problems[index]
            params = {**problem.params, "legal_cube": 1 << self.cube.automatic_doubles}
            self.problems[index] = replace(problem, params=params, offer=offer)
        return self.problems

    def position_for(self, side: Side) -> Position:
        return Position(self.sides[side], self.sides[side.other])

    def checkers_left(self, side: Side) -> int:
        return sum(self.sides[side])

    def _roll(self, roll: Roll) -> None:
        side, dice, play = roll[:3]
        if side is not self.turn or self.cube.doubler is not None or self.unfinished_play is not None:
            self._repair_state(roll)
        self.turn = other = side.other
        self.rolls += 1
        if self.is_position_lost:
            return
        sides = self.sides
        position = Position(sides[side], sides[other])
        may_use_fast_path = play and (not self.is_bound or sum(position.mine) == CHECKERS)
        after = after_plain_play(position, dice, play) if may_use_fast_path and play else None
        if after is None:
            checked = self._check_fully(position, roll)
            if checked is None:
                return
            after = checked.after
        sides[side], sides[other] = after
        if not any(after.mine):
            self.result = self._bear_off_win(side)

    def _repair_state(self, roll: Roll) -> None:
        """Reports what is wrong before the board is used, and sets the state that the roll assumes."""
        self._report_unfinished_play()
        if self.cube.doubler is not None:
            if not self.cube.beavers:  # the next roll accepts a beaver
                self._report(problem("double_not_answered"), roll)
            self.cube = cubes.take(self.cube, self.cube.answering or roll.side)
        if self.turn is not None and roll.side is not self.turn:
            self._report(problem("out_of_turn"), roll)
        is_opening = self.turn is None and self.ruleset.opening is Opening.PLAY_BOTH_DICE
        if is_opening and roll.dice[0] == roll.dice[1]:
            self._report(problem("opening_double", dice=f"{roll.dice[0]}{roll.dice[1]}"), roll)

    def _check_fully(self, position: Position, roll: Roll) -> CheckedPlay | None:
        """The slow path: merged moves, fewer dice than thrown, passes, and all illegal plays."""
        if roll.play is None:
            self.is_position_lost = True
            self._report(problem("play_not_recorded"), roll)
            return None
        self.budget.rolls -= FULL_CHECK_ROLLS
        checked = check(position, roll.dice, roll.play, self.movement)
        if self.observed is not None:
            self.observed[-1].steps = checked.steps
        if checked.problem is not None:
            located = self._with_place(checked.problem, roll)
            if _may_be_unfinished(roll, checked.problem):
                self.unfinished_play = roll, located
            else:
                self._add(located, roll)
        return checked

    def _report_unfinished_play(self) -> None:
        """The game continued after an unfinished play, so the play is illegal."""
        if self.unfinished_play is not None:
            roll, problem = self.unfinished_play
            self._add(problem, roll)
            self.unfinished_play = None

    def _bear_off_win(self, winner: Side) -> Game:
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
        """SCORE-2: adds the loser's checkers where they are the score."""
        counts = self.ruleset.uncubed_single is UncubedSingle.CHECKERS_LEFT and game.is_uncubed_single
        return replace(game, checkers_left=self.checkers_left(game.winner.other)) if counts else game

    def _apply_cube_action(self, action: CubeAction) -> None:
        self._report_unfinished_play()
        try:
            self._apply_legally(action)
        except RuleBroken as broken:
            self._report(broken.problem, action)
            self._apply_anyway(action)
        self._compare_value(action)

    def _apply_legally(self, action: CubeAction) -> None:
        side = action.side
        if action.step is CubeStep.TAKE:
            self.cube = cubes.take(self.cube, side)
        elif action.step is CubeStep.DROP:
            self.result = cubes.drop(self.cube, side)
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

    def _apply_anyway(self, action: CubeAction) -> None:
        """Applies an illegal action as far as possible."""
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
        """OPEN-4: a text record does not contain them; the value of the first double gives their number."""
        if self.game.automatic_doubles is not None or self.cube != Cube() or action.value is None:
            return
        stake = action.value // 2
        if stake > 1 and stake & (stake - 1) == 0:
            guess = cubes.initial_cube(stake.bit_length() - 1, self.score, self.ruleset)
            if guess.value == stake:
                self.cube = guess

    def _report(self, problem: Problem, action: Action) -> None:
        self._add(self._with_place(problem, action), action)

    def _with_place(self, problem: Problem, action: Action) -> Problem:
        return replace(
            problem,
            game=self.number,
            move=self.row,
            side=action.side.value,
            line=action.line,
            position=position_id(self.position_for(action.side)),
        )

    def _add(self, located: Problem, action: Action) -> None:
        self.budget.problems -= 1
        self.problems.append(located)
        for observed_action in reversed(self.observed or ()):
            if observed_action.action is action:
                observed_action.problems.append(located)
                break


def _may_be_unfinished(roll: Roll, problem: Problem) -> bool:
    """True if the player may have given up before the play was finished."""
    return not roll.says_pass if not roll.play else problem.code in _TOO_FEW_MOVES
