"""Judges a whole record game by game. All problems are collected, none is raised."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace

from rules.judge.budget import Budget
from rules.judge.claims import claim_problems, mark_problems, score_line_problem, stated_problems
from rules.judge.ending import card_game, ending, ending_problems
from rules.judge.replay import GameReplay, ObservedAction
from rules.judge.verdict import JudgedGame, Verdict
from rules.problem import Offer, Problem, problem
from rules.record.model import CubeAction, Record, RecordedGame
from rules.ruleset import Ruleset
from rules.score import Game, Penalty, Score, ScoredEntry, credit, errors
from rules.score.crawford import is_crawford_game
from rules.score.legality import automatic_double_errors
from rules.score.remarks import remarks

AS_RECORDED = 0
"""A length that means: the length that the record states."""


def judge(
    record: Record,
    ruleset: Ruleset,
    *,
    length: int | None = AS_RECORDED,
    agreed: int | None = None,
    reported: tuple[int, int] | None = None,
) -> Verdict:
    """Scores every game and finds every problem.

    `length` is the length that the director posted; None is stake play with this number of games `agreed`
    (None: the end is not known). `reported` is the score that the players handed in, left and right as in the
    record; a difference is a problem of its own.
    """
    return _MatchJudge(record, ruleset, length, agreed).verdict(reported)


def observe_games(
    record: Record,
    ruleset: Ruleset,
    games: Collection[int],
    is_wanted: Callable[[ObservedAction], object] = bool,
    *,
    length: int | None = AS_RECORDED,
    agreed: int | None = None,
) -> list[tuple[int, ObservedAction]]:
    """The actions of the games with these numbers, counted from 1, filtered by `is_wanted`."""
    match = _MatchJudge(record, ruleset, length, agreed, observed_games=games, is_wanted=is_wanted)
    match.verdict(None)
    return match.observed


@dataclass(slots=True)
class _MatchJudge:
    record: Record
    ruleset: Ruleset
    posted: int | None
    agreed: int | None
    observed_games: Collection[int] = ()
    is_wanted: Callable[[ObservedAction], object] = bool
    budget: Budget = field(default_factory=Budget)
    problems: list[Problem] = field(default_factory=list)
    games: list[JudgedGame] = field(default_factory=list)
    observed: list[tuple[int, ObservedAction]] = field(default_factory=list)
    score: Score = field(init=False)
    stated_score: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self.score = _first_score(self.record, self._length(), self.ruleset, self.agreed)

    def verdict(self, reported: tuple[int, int] | None) -> Verdict:
        record = self.record
        self.problems += self._length_problems()
        self.problems += stated_problems(record.stated, self.ruleset)
        if self.score.left or self.score.right:
            self.problems.append(self._mid_match_problem())
        entries = record.entries
        for index, entry in enumerate(entries):
            if self.budget.is_spent:
                break
            if isinstance(entry, Penalty):
                self._penalty(entry)
            else:
                next_game = entries[index + 1] if index + 1 < len(entries) else None
                self._game(entry, next_game if isinstance(next_game, RecordedGame) else None)
        self.problems += self._closing_problems(reported)
        problems = tuple(record.problems) + tuple(self.problems)
        return Verdict(
            games=tuple(self.games),
            score=self.score,
            problems=tuple(sorted(problems, key=lambda problem: problem.line or 0))
            if record.problems
            else problems,
            is_finished=self._is_finished(),
            is_cut=self.budget.is_spent,
        )

    def _length(self) -> int | None:
        return self.record.length if self.posted == AS_RECORDED else self.posted

    def _mid_match_problem(self) -> Problem:
        """Games are missing if the first game has a number above 1; otherwise it only begins with a score."""
        number = self.record.games[0].number
        code = "begins_in_mid_match" if number is not None and number > 1 else "first_game_begins_scored"
        return problem(code, left=self.score.left, right=self.score.right)

    def _penalty(self, penalty: Penalty) -> None:
        self.problems += errors(self.score, penalty, self.ruleset)
        self.score = credit(self.score, penalty, self.ruleset).after
        self.stated_score = None

    def _game(self, game: RecordedGame, next_game: RecordedGame | None) -> None:
        number = len(self.games) + 1
        self._report_problems_before(number, game)
        replay = GameReplay(number, game, self.score, self.ruleset, self.budget)
        replay.observed = [] if number in self.observed_games else None
        replay.apply(game.actions)
        self.observed += [
            (number, observed) for observed in replay.observed or () if self.is_wanted(observed)
        ]
        entry = self._entry(replay, game, next_game)
        self.problems += replay.final_problems(entry)
        scored = credit(self.score, entry, self.ruleset) if entry is not None else None
        if scored is not None:
            self._report_problems_after(replay, game, scored)
        elif not self.budget.is_spent:
            self._report(problem("game_without_end"), number, game.line)
        self.games.append(_judged_game(replay, game, scored))
        if scored is not None:
            self.score = scored.after

    def _report_problems_before(self, number: int, game: RecordedGame) -> None:
        """Reports what is wrong with a game before its first roll."""
        if self.score.is_over:
            over_problem = problem("match_is_over", left=self.score.left, right=self.score.right)
            self._report(over_problem, number, game.line)
        line_problem = score_line_problem(game, self.score, self.stated_score)
        if line_problem is not None:
            self._report(line_problem, number, game.score_line or game.line)
        for double_problem in automatic_double_errors(self.score, game.automatic_doubles or 0, self.ruleset):
            self._report(double_problem, number, game.line)
        if game.is_crawford is not None:
            for mark_problem in mark_problems(game, self.score, self.ruleset):
                self._report(mark_problem, number, game.line)

    def _entry(self, replay: GameReplay, game: RecordedGame, next_game: RecordedGame | None) -> Game | None:
        if game.actions or game.start is not None:
            return ending(replay, game.claim, _points_by_score_lines(game, next_game))
        return card_game(game, self.score, self.ruleset)

    def _report_problems_after(self, replay: GameReplay, game: RecordedGame, scored: ScoredEntry) -> None:
        """Reports what is wrong with the end of a game and with its claim."""
        entry, line = scored.entry, game.claim.line if game.claim else game.line
        assert isinstance(entry, Game)  # noqa: S101  # penalties never come here
        if game.actions:
            for ending_problem in ending_problems(replay, entry):
                self._report(ending_problem, replay.number, line)
            entry_problems = [
                remark for remark in remarks(self.score, entry, self.ruleset) if remark.code != "dead_cube"
            ]
        else:
            entry_problems = list(errors(self.score, entry, self.ruleset))
            entry_problems = entry_problems or list(remarks(self.score, entry, self.ruleset))
        for entry_problem in entry_problems:
            if entry_problem.code != "match_is_over":
                self._report(entry_problem, replay.number, line)
        for claim_problem in claim_problems(game.claim, scored, self.ruleset):
            self._report(claim_problem, replay.number, line)
        self.stated_score = _next_stated_score(game, scored)

    def _report(self, new_problem: Problem, number: int | None, line: int | None) -> None:
        self.budget.problems -= 1
        self.problems.append(replace(new_problem, game=number, line=line))

    def _length_problems(self) -> Iterator[Problem]:
        recorded, posted = self.record.length, self._length()
        if recorded != AS_RECORDED and posted != recorded:
            yield _wrong_length(recorded, posted)

    def _closing_problems(self, reported: tuple[int, int] | None) -> Iterator[Problem]:
        score, budget = self.score, self.budget
        if budget.is_spent:
            code = "too_many_problems" if budget.problems <= 0 else "too_much_to_check"
            yield problem(code, games=len(self.games))
            return
        if _has_known_end(score) and not score.is_over:
            yield replace(_unfinished(score), line=_last_line(self.record.games))
        if reported is not None and reported != (score.left, score.right):
            yield problem(
                "reported_score_differs",
                left=score.left,
                right=score.right,
                reported_left=reported[0],
                reported_right=reported[1],
            )

    def _is_finished(self) -> bool:
        if _has_known_end(self.score):
            return self.score.is_over
        return bool(self.games) and self.games[-1].scored is not None


def _has_known_end(score: Score) -> bool:
    """True if the score decides when the match is over."""
    return bool(score.length) or score.agreed is not None


def _unfinished(score: Score) -> Problem:
    if score.length is None:
        return problem("session_not_finished", left=score.left, right=score.right, games=score.agreed)
    return problem("match_not_finished", left=score.left, right=score.right, length=score.length)


def _wrong_length(recorded: int | None, posted: int | None) -> Problem:
    if recorded is None:
        return problem("recorded_as_stake_play", posted=posted)
    if posted is None:
        return problem("recorded_as_a_match", recorded=recorded)
    offer = Offer.FIRST_TO_POSTED if recorded > posted else Offer.RESUME_MATCH
    return problem("wrong_match_length", offer=offer, recorded=recorded, posted=posted)


def _last_line(games: tuple[RecordedGame, ...]) -> int | None:
    """The line where the record ends."""
    last = games[-1] if games else RecordedGame()
    written = [part.line for part in (last, last.claim, *last.actions[-1:]) if part is not None]
    return max((line for line in written if line is not None), default=None)


def _judged_game(replay: GameReplay, game: RecordedGame, scored: ScoredEntry | None) -> JudgedGame:
    entry = scored.entry if scored is not None else None
    automatic = entry.automatic_doubles if isinstance(entry, Game) else replay.cube.automatic_doubles
    is_crawford = is_crawford_game(replay.score, replay.ruleset)
    return JudgedGame(
        number=replay.number,
        before=replay.score,
        is_crawford=is_crawford,
        automatic_doubles=automatic,
        scored=scored,
        rolls=replay.rolls,
        line=game.line,
    )


def _first_score(record: Record, length: int | None, ruleset: Ruleset, agreed: int | None) -> Score:
    """0-0, or the score where the record begins. Its first game shows if the Crawford game was played before.

    A session that begins in the middle does not say how many games were played before.
    """
    games = record.games
    left, right = (games[0].score if games else None) or (0, 0)
    limit = length or None
    if not left and not right:
        return Score.start(limit, ruleset, agreed=agreed if limit is None else None)
    if limit is not None and max(left, right) >= limit:
        return Score.start(limit, ruleset)
    return Score.at(left, right, limit, ruleset, crawford_played=_is_after_crawford(games[0]))


def _is_after_crawford(game: RecordedGame) -> bool:
    if game.is_crawford is not None:
        return not game.is_crawford
    return any(isinstance(action, CubeAction) for action in game.actions)


def _points_by_score_lines(game: RecordedGame, next_game: RecordedGame | None) -> int | None:
    """The points of a game by the score lines before and after it."""
    if game.score is None or next_game is None or next_game.score is None:
        return None
    return max(0, sum(next_game.score) - sum(game.score)) or None


def _next_stated_score(game: RecordedGame, scored: ScoredEntry) -> tuple[int, int] | None:
    """The score that the record's own next score line should have if this one is right."""
    if game.score is None:
        return None
    gained = (scored.after.left - scored.before.left, scored.after.right - scored.before.right)
    return game.score[0] + gained[0], game.score[1] + gained[1]
