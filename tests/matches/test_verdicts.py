"""The verdict on a file: plain JSON, complete, and storable for any bytes."""

import json
import uuid

import pytest

from matches import scorecard
from matches.models import GameRecord, Match, RecordState
from matches.scorecard import Opening
from matches.verdicts import judge_file
from rules.ruleset import PRESETS
from tests.matches import files
from tests.matches.test_game_records import upload
from tests.rules.command.test_command import WITHOUT_LINES

pytestmark = pytest.mark.django_db


@pytest.fixture
def three_points(db) -> Match:
    opening = Opening(uuid.uuid4(), uuid.uuid4(), 3, PRESETS["tournament"])
    return scorecard.open_matches([opening])[0]


def test_a_clean_record_is_checked_and_has_its_score(three_points):
    judgement = judge_file(files.CLEAN, "clean.mat", three_points)
    verdict = judgement.verdict
    assert judgement.state == RecordState.CHECKED
    assert verdict["counts"]["error"] == verdict["counts"]["warning"] == 0
    assert (verdict["score"], verdict["is_finished"]) == ([3, 0], True)
    assert verdict["names"] == [files.LEFT_COLUMN, files.RIGHT_COLUMN]
    assert [(game["winner"], game["score"]) for game in verdict["games"]] == [("left", [3, 0])]


def test_an_illegal_play_is_reported_with_its_place_its_rule_and_its_board(three_points):
    verdict = judge_file(files.WRONG, "wrong.mat", three_points).verdict
    problem = next(problem for problem in verdict["problems"] if problem["severity"] == "error")
    assert (problem["game"], problem["move"], problem["line"]) == (1, 10, 16)
    assert problem["rule"].startswith("MOVE")
    assert problem["position"]
    assert problem["stage"]["dice"] == [5, 2]
    assert problem["stage"]["side"] == "left"
    assert [13, 7] in problem["stage"]["play"]


def test_a_record_is_judged_by_the_length_of_its_match(seven_points):
    verdict = judge_file(files.CLEAN, "clean.mat", seven_points).verdict
    assert "wrong_match_length" in {problem["code"] for problem in verdict["problems"]}


def test_a_file_without_games_is_unreadable(three_points):
    assert judge_file(b"no record", "x.mat", three_points).state == RecordState.UNREADABLE


@pytest.mark.parametrize("what", files.HOSTILE)
def test_any_bytes_get_a_verdict_that_every_database_stores(three_points, what):
    judgement = judge_file(files.HOSTILE[what], f"{what}\x00.mat", three_points)
    record, _ = upload(three_points, files.HOSTILE[what], name="x")
    GameRecord.objects.filter(pk=record.pk).update(state=judgement.state, verdict=judgement.verdict)
    stored = GameRecord.objects.get(pk=record.pk)
    assert stored.verdict == json.loads(json.dumps(judgement.verdict))
    assert bytes(stored.data) == files.HOSTILE[what]


@pytest.mark.parametrize("written", WITHOUT_LINES)
def test_a_problem_of_a_format_without_lines_has_its_board(three_points, written):
    verdict = judge_file(WITHOUT_LINES[written], f"match.{written}", three_points).verdict
    problem = next(problem for problem in verdict["problems"] if problem["move"])
    assert problem["stage"]["side"] == "left"
    assert problem["stage"]["dice"] == [3, 1]
    assert problem["stage"]["play"] == [[8, 4], [6, 5]]
