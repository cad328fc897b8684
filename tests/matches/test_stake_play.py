"""Cards of stake play: a number of games or a time, a winner always, and a stop that is a row like any other."""

import uuid

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from matches import desk_card, miscounts, scorecard
from matches.card_totals import card_totals, stored_card_totals
from matches.errors import KeyReused, NoSuchRow
from matches.keepers import Keeper
from matches.models import Card, CardRow, Match, MatchState, RowKind
from matches.rows import FinalScore, NewRow, Stop, build_row
from matches.scorecard import Opening
from matches.verdicts import judge_file
from rules.problem import RuleBroken
from rules.ruleset import PRESETS
from rules.score import Game, Penalty, Side, Win
from tests.matches.conftest import RULES, Pen

LEFT, RIGHT, DESK = Keeper.LEFT, Keeper.RIGHT, Keeper.DESK

pytestmark = pytest.mark.django_db


def session(games: int | None, rules=RULES) -> Pen:
    opening = Opening(uuid.uuid4(), uuid.uuid4(), None, rules, games)
    return Pen(scorecard.open_matches([opening])[0])


@pytest.fixture
def three() -> Pen:
    return session(3)


@pytest.fixture
def timed() -> Pen:
    return session(None)


def refusal(pen: Pen, what) -> str:
    with pytest.raises(RuleBroken) as broken:
        pen.write(LEFT, what)
    return broken.value.problem.code


def test_the_last_agreed_game_reports_the_session(three):
    three.game(LEFT, "left", cube=2)
    three.game(LEFT, "right")
    assert three.reread().state == MatchState.OPEN
    three.game(LEFT, "right", cube=4, win=Win.GAMMON)
    match = three.reread()
    assert (match.state, match.winner, match.reported_by) == (MatchState.REPORTED, "right", "left")
    assert (match.left_points, match.right_points) == (2, 9)


def test_a_level_session_goes_on_by_one_game_at_a_time(three):
    three.game(LEFT, "left")
    three.game(LEFT, "right")
    three.write(LEFT, Penalty(Side.LEFT, 1, "late"), by=DESK)
    three.game(LEFT, "left")
    assert three.reread().winner == ""
    three.game(LEFT, "right", cube=2)
    assert three.reread().winner == "right"


def test_a_game_after_its_end_is_refused(three):
    for _ in range(3):
        three.game(LEFT, "left")
    with pytest.raises(RuleBroken) as broken:
        three.game(LEFT, "left")
    assert broken.value.problem.code == "match_is_over"


def test_undoing_the_deciding_game_opens_it_again(three):
    for _ in range(3):
        three.game(LEFT, "left")
    three.undo(LEFT, three.keys[-1])
    assert (three.reread().state, three.match.winner) == (MatchState.OPEN, "")


@pytest.mark.parametrize("games", [3, None])
def test_a_final_score_is_any_that_is_not_level(games):
    pen = session(games)
    assert refusal(pen, FinalScore(4, 4)) == "final_score_level"
    pen.final(LEFT, 0, 17)
    assert (pen.reread().winner, pen.match.right_points) == ("right", 17)


def test_the_desk_rewrites_a_session_to_another_score(three):
    three.game(DESK, "left")
    card = desk_card.set_final_score(three.reread(), FinalScore(2, 8))
    assert (card.winner, card.left_points, card.right_points) == ("right", 2, 8)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_session_is_played_under_every_ruleset(preset):
    pen = session(2, PRESETS[preset])
    needed = 5 if PRESETS[preset].uncubed_single == "checkers_left" else None
    for winner in ("left", "left"):
        pen.write(LEFT, scored(winner, needed))
    card = Card.objects.get(match=pen.match)
    assert (card.winner, card.left_points) == ("left", 2 * (needed or 1))


def scored(winner: str, checkers_left: int | None):
    return Game(Side(winner), checkers_left=checkers_left)


class TestStop:
    def test_time_ends_a_session_with_the_games_that_count(self, timed):
        timed.game(LEFT, "left")
        timed.game(LEFT, "right", cube=2)
        assert timed.reread().winner == ""
        written = timed.write(LEFT, Stop())
        assert (written.row.kind, written.row.games, written.row.points) == (RowKind.STOP, 2, 0)
        assert (timed.reread().state, timed.match.winner) == (MatchState.REPORTED, "right")

    def test_a_level_session_gets_one_more_game(self, timed):
        timed.game(LEFT, "left")
        timed.game(LEFT, "right")
        timed.write(LEFT, Stop())
        assert timed.reread().winner == ""
        timed.game(LEFT, "right")
        assert timed.reread().winner == "right"
        with pytest.raises(RuleBroken):
            timed.game(LEFT, "right")

    def test_one_game_at_least_is_played(self, timed):
        assert timed.write(LEFT, Stop()).row.games == 1
        timed.game(LEFT, "left")
        assert timed.reread().winner == "left"

    def test_penalty_points_before_it_count(self, timed):
        timed.game(LEFT, "left")
        timed.write(LEFT, Penalty(Side.LEFT, 2, "late"), by=DESK)
        timed.write(LEFT, Stop())
        assert (timed.reread().winner, timed.match.right_points) == ("right", 2)

    def test_it_can_be_undone_and_written_again(self, timed):
        timed.game(LEFT, "left")
        stop = timed.write(LEFT, Stop()).row.key
        timed.undo(LEFT, stop)
        assert (timed.reread().state, timed.match.winner) == (MatchState.OPEN, "")
        timed.game(LEFT, "left")
        assert timed.write(LEFT, Stop()).row.games == 2
        with pytest.raises(NoSuchRow):
            timed.undo(LEFT, stop)

    def test_its_games_stay_when_one_before_it_is_struck(self, timed):
        for winner in ("left", "right", "left"):
            timed.game(LEFT, winner)
        timed.write(LEFT, Stop())
        timed.undo(LEFT, timed.keys[0])
        assert timed.reread().winner == ""
        timed.game(LEFT, "left", cube=2)
        assert (timed.reread().winner, timed.match.left_points) == ("left", 3)

    def test_it_is_previewed_as_it_will_count(self, timed):
        card = timed.game(LEFT, "left").card
        timed.game(LEFT, "right", cube=2)
        rows = list(card.rows.all())
        row = build_row(card, NewRow(uuid.uuid4(), timed.keys[-1], Stop()), LEFT)
        before = card_totals(timed.match, [*rows, row])
        assert (before.agreed, before.winner) == (2, "right")

    def test_a_corrected_game_counts_once(self, timed):
        timed.game(LEFT, "left")
        timed.write(LEFT, Game(Side.RIGHT), supersedes=timed.keys[0])
        timed.game(LEFT, "right")
        assert timed.write(LEFT, Stop()).row.games == 2
        assert timed.reread().winner == "right"

    def test_it_is_written_once(self, timed):
        timed.game(LEFT, "left")
        timed.game(LEFT, "right")
        timed.write(LEFT, Stop())
        assert refusal(timed, Stop()) == "stop_written_twice"

    def test_handed_in_again_it_is_the_same_row(self, timed):
        timed.game(LEFT, "left")
        new_row = NewRow(uuid.uuid4(), timed.keys[-1], Stop())
        timed.hand_in(LEFT, new_row)
        assert timed.hand_in(LEFT, new_row).is_repeat
        with pytest.raises(KeyReused):
            timed.hand_in(LEFT, NewRow(new_row.key, new_row.predecessor, Stop(4)))

    def test_it_is_refused_where_length_or_games_end_the_match(self, pen, three):
        assert refusal(three, Stop()) == "stop_in_agreed_games"
        assert refusal(pen, Stop()) == "stop_in_match"

    def test_it_is_no_line_of_the_card(self, timed):
        timed.game(LEFT, "left")
        timed.write(LEFT, Stop())
        totals = stored_card_totals(Card.objects.get(match=timed.match), timed.match)
        assert (len(totals.rows), len(totals.lines), totals.agreed) == (1, 1, 1)
        assert totals.stop is not None

    def test_a_final_score_beside_it_stands(self, timed):
        timed.game(LEFT, "left")
        timed.game(LEFT, "right")
        timed.write(LEFT, Stop())
        timed.final(LEFT, 5, 2)
        assert (timed.reread().winner, timed.match.left_points) == ("left", 5)


def test_counting_again_finds_nothing_wrong(three, timed):
    three.game(LEFT, "left")
    timed.game(RIGHT, "right")
    timed.write(RIGHT, Stop())
    assert miscounts.miscounts([three.match.pk, timed.match.pk]) == []
    Card.objects.filter(match=timed.match).update(winner="left")
    assert [miscount.field for miscount in miscounts.miscounts([timed.match.pk])] == ["winner", "score"]
    miscounts.correct_miscounts([timed.match.pk])
    assert miscounts.miscounts([timed.match.pk]) == []


def test_matches_become_sessions_and_matches_again(pen):
    scorecard.change_length([pen.match], None, 5)
    assert (pen.reread().length, pen.match.games) == (None, 5)
    scorecard.change_length([pen.match], 9)
    assert (pen.reread().length, pen.match.games) == (9, None)


@pytest.mark.parametrize(("length", "games"), [(None, 0), (None, 100), (7, 3)])
def test_the_database_refuses_impossible_numbers_of_games(length, games):
    fields = {"left": uuid.uuid4(), "right": uuid.uuid4(), "ruleset": RULES.as_json()}
    with pytest.raises(IntegrityError, match="games_of_a_session_in_range"), transaction.atomic():
        Match.objects.create(length=length, games=games, opened_at=timezone.now(), **fields)


@pytest.mark.parametrize(("kind", "games"), [("stop", None), ("stop", 0), ("final", 2)])
def test_the_database_refuses_a_stop_without_games_and_games_without_a_stop(timed, kind, games):
    card = timed.game(LEFT).card
    row = CardRow(
        key=uuid.uuid4(), card=card, number=2, predecessor=card.tail, kind=kind, games=games,
        written_by="left", written_at=timezone.now(),
    )  # fmt: skip
    with pytest.raises(IntegrityError, match="stop_has_its_games"), transaction.atomic():
        row.save(force_insert=True)


RECORD = b""" ; [Player 1 "Ann"]
 0 point match

 Game 1
 Ann : 0                          Ben : 0
  1) 31: 8/5 6/5                   64: 24/14
      Wins 1 point
"""


def problems(pen: Pen) -> set[str]:
    verdict = judge_file(RECORD, "session.mat", pen.match).verdict
    assert verdict["length"] is None
    return {problem["code"] for problem in verdict["problems"]}


def test_a_record_is_held_against_the_number_of_games():
    assert "session_not_finished" in problems(session(2))
    assert not {"session_not_finished", "match_is_over"} & problems(session(1))
    assert "session_not_finished" not in problems(session(None))
