"""Records of GNU Backgammon's games against itself, and records with one known error.

The verdicts on the first have no problems; the second are rejected at the line of the error.
"""

import csv
import json

import pytest

from rules.board.ids import position_id
from rules.judge import judge, turns
from rules.judge.match import observe_games
from rules.record.model import Roll
from rules.record.reading import read
from rules.ruleset import CrawfordForm, Ruleset
from rules.score import Side
from tests.rules.oracles import folders, rows

SETS = folders()

FITTING = {
    "wrong_distance": {"other_dice"},
    "blocked_point": {"blocked_point"},
    "only_one_die": {"more_dice_playable"},
    "partial_doubles": {"more_dice_playable"},
    "dance_but_can_move": {"passed_with_a_legal_play"},
    "ignore_bar": {"bar_first"},
    "bearoff_not_home": {"not_all_home"},
    "bearoff_lower_with_big_die": {"higher_checker_first", "other_dice", "more_dice_playable"},
    "opening_double": {"opening_double"},
    "wrong_cube_value": {"wrong_cube_value"},
    "crawford_double": {"no_double_in_crawford"},
    "take_without_double": {"no_double_to_answer"},
    "wrong_points": {"wrong_points"},
    "resign_bad_points": {"resigned_for_odd_points"},
    "smaller_die": {"larger_die_playable", "more_dice_playable"},
    "double_no_access": {"cube_not_yours"},
    "score_line": {"wrong_score_line"},
    "game_after_end": {"match_is_over"},
    "truncated": {"game_without_end"},
}  # a missing line or exchanged columns show as whatever goes wrong first


def ruleset_of(played):
    return Ruleset(
        jacoby=bool(played["jacoby"]),
        beavers=played["beavers"],
        automatic_doubles=played["autodoubles"],
        crawford=CrawfordForm.ON if played["crawford"] else CrawfordForm.OFF,
    )


def name_of(folder):
    return folder.name


@pytest.mark.parametrize("folder", SETS, ids=name_of)
def test_every_game_of_the_set_is_clean_and_has_its_result(folder):
    count = 0
    for expected in rows(folder / "gnubg", "expected.jsonl"):
        record = read((folder / "gnubg" / expected["file"]).read_bytes())
        verdict = judge(record, ruleset_of(expected["rules"]))
        assert [problem.sentence for problem in verdict.problems if problem.severity != "remark"] == [], (
            expected["file"]
        )
        assert len(verdict.games) == len(expected["games"])
        for game, truth in zip(verdict.games, expected["games"], strict=True):
            assert [game.before.left, game.before.right] == truth["score"], expected["file"]
            assert game.entry.winner is list(Side)[truth["winner"]]
            assert game.is_crawford == truth["crawford"]
            if _is_told(expected, truth):
                assert 1 << game.automatic_doubles == truth["start_cube"], (expected["file"], truth)
                assert game.scored.raw == truth["points"], (expected["file"], truth)
            count += 1
        if _is_told(expected, expected["games"][-1]):
            assert _uncapped(verdict) == expected["final_score"], expected["file"]
    assert count > 50


def _is_told(expected, game):
    """A text record tells an automatic double only by the next score line; the last game has none."""
    return not expected["rules"]["autodoubles"] or game is not expected["games"][-1]


def _uncapped(verdict):
    """The score as GNU Backgammon counts it, points beyond the match length and all."""
    last = verdict.games[-1]
    score = [last.before.left, last.before.right]
    score[list(Side).index(last.entry.winner)] += last.scored.raw
    return score


@pytest.mark.parametrize("folder", SETS, ids=name_of)
def test_every_position_before_a_roll_is_the_recorded_one(folder):
    """All games of a record in one pass; of each record one game is also asked for alone, which begins anew."""
    for place, expected in enumerate(rows(folder / "gnubg", "expected.jsonl")):
        record = read((folder / "gnubg" / expected["file"]).read_bytes())
        ruleset = ruleset_of(expected["rules"])
        games = range(1, len(record.games) + 1)
        observed = [
            expected_turn(game, action.action, action.position)
            for game, action in observe_games(record, ruleset, games)
            if isinstance(action.action, Roll)
        ]
        truth = [[game, side, max(a, b), min(a, b), text] for game, side, a, b, text in expected["plays"]]
        assert observed == truth, expected["file"]
        alone = games[place % len(games)]
        rolls = [turn for turn in turns(record, ruleset, alone) if turn.dice]
        drawn = [expected_turn(alone, turn, turn.position) for turn in rolls]
        assert drawn == [row for row in truth if row[0] == alone], expected["file"]


def expected_turn(game, turn, position):
    return [game, list(Side).index(turn.side), *sorted(turn.dice, reverse=True), position_id(position)]


@pytest.mark.parametrize("folder", SETS, ids=name_of)
def test_every_record_made_wrong_is_rejected_at_its_line_for_its_reason(folder):
    for expected in rows(folder / "invalid", "expected.jsonl"):
        is_stake = expected["source"].rsplit("/", 1)[-1].startswith(("s", "b"))
        ruleset = Ruleset(beavers=3, automatic_doubles=3) if is_stake else Ruleset()
        verdict = judge(read((folder / "invalid" / expected["file"]).read_bytes()), ruleset)
        wrong = [problem for problem in verdict.problems if problem.is_error]
        assert wrong, expected["file"]
        assert wrong[0].line == expected["line"], (expected["file"], wrong[0])
        codes = {problem.code for problem in wrong if problem.line == expected["line"]}
        assert codes & FITTING.get(expected["kind"], codes), (expected["file"], codes)


REAL = [folder / "real" for folder in SETS if (folder / "real" / "index.csv").exists()]
"""Public records are never committed, so this set is empty where no folder is named."""


@pytest.mark.skipif(not REAL, reason="BACKGAMMON_RECORDS names no folder of public records")
@pytest.mark.parametrize("folder", REAL, ids=name_of)
def test_public_records_are_judged_as_their_index_says(folder):
    with (folder / "index.csv").open() as index:
        for row in csv.DictReader(index):
            if row["kind"] != "mat":
                continue
            record = read((folder / row["file"]).read_bytes(), row["file"])
            verdict = judge(record, Ruleset(beavers=None, jacoby=bool(record.stated.jacoby)))
            assert len(verdict.games) == int(row["games"]), row["file"]
            listed = {code for code, _ in json.loads(row["problems"] or "[]") if not code.startswith("info")}
            wrong = {problem.code for problem in verdict.problems if problem.is_error}
            assert bool(wrong) == bool(listed - {"hit-mark-missing"}), (row["file"], wrong, listed)
