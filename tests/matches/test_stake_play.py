"""Cards of stake play: a number of games or a time, always a winner, and a stop that is a row."""

import uuid

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from matches import desk_card, miscounts, scorecard
from matches.card_refusals import KeyReused, NoSuchRow
from matches.card_totals import card_totals, stored_card_totals
from matches.keepers import Keeper
from matches.locking import lock_match
from matches.models import Card, CardRow, Match, MatchState, RowKind
from matches.rows import FinalScore, NewRow, Stop, build_row
from matches.scorecard import Opening
from matches.verdicts import judge_file
from rules.problem import RuleBroken
from rules.ruleset import PRESETS
from rules.score import Game, Penalty, Side, Win
from tests.matches.conftest import RULES, CardWriter

LEFT, RIGHT, DESK = Keeper.LEFT, Keeper.RIGHT, Keeper.DESK

pytestmark = pytest.mark.django_db


def session(games: int | None, rules=RULES) -> CardWriter:
    opening = Opening(uuid.uuid4(), uuid.uuid4(), None, rules, games)
    return CardWriter(scorecard.open_matches([opening])[0])


@pytest.fixture
def three_games() -> CardWriter:
    return session(3)


@pytest.fixture
def timed_session() -> CardWriter:
    return session(None)


def refusal(writer: CardWriter, what) -> str:
    with pytest.raises(RuleBroken) as broken:
        writer.write(LEFT, what)
    return broken.value.problem.code


def test_the_last_agreed_game_reports_the_session(three_games):
    three_games.game(LEFT, "left", cube=2)
    three_games.game(LEFT, "right")
    assert three_games.reread().state == MatchState.OPEN
    three_games.game(LEFT, "right", cube=4, win=Win.GAMMON)
    match = three_games.reread()
    assert (match.state, match.winner, match.reported_by) == (MatchState.REPORTED, "right", "left")
    assert (match.left_points, match.right_points) == (2, 9)


def test_a_level_session_continues_one_game_at_a_time(three_games):
    three_games.game(LEFT, "left")
    three_games.game(LEFT, "right")
    three_games.write(LEFT, Penalty(Side.LEFT, 1, "late"), by=DESK)
    three_games.game(LEFT, "left")
    assert three_games.reread().winner == ""
    three_games.game(LEFT, "right", cube=2)
    assert three_games.reread().winner == "right"


def test_a_game_after_its_end_is_refused(three_games):
    for _ in range(3):
        three_games.game(LEFT, "left")
    with pytest.raises(RuleBroken) as broken:
        three_games.game(LEFT, "left")
    assert broken.value.problem.code == "match_is_over"


def test_undoing_the_deciding_game_reopens_the_session(three_games):
    for _ in range(3):
        three_games.game(LEFT, "left")
    three_games.undo(LEFT, three_games.keys[-1])
    assert (three_games.reread().state, three_games.match.winner) == (MatchState.OPEN, "")


@pytest.mark.parametrize("games", [3, None])
def test_a_final_score_of_a_session_must_not_be_level(games):
    writer = session(games)
    assert refusal(writer, FinalScore(4, 4)) == "final_score_level"
    writer.final(LEFT, 0, 17)
    assert (writer.reread().winner, writer.match.right_points) == ("right", 17)


def test_the_desk_rewrites_a_session_to_another_score(three_games):
    three_games.game(DESK, "left")
    with transaction.atomic():
        card = desk_card.set_final_score(lock_match(three_games.match.pk), FinalScore(2, 8))
    assert (card.winner, card.left_points, card.right_points) == ("right", 2, 8)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_session_is_played_under_every_ruleset(preset):
    writer = session(2, PRESETS[preset])
    needed = 5 if PRESETS[preset].uncubed_single == "checkers_left" else None
    for winner in ("left", "left"):
        writer.write(LEFT, scored(winner, needed))
    card = Card.objects.get(match=writer.match)
    assert (card.winner, card.left_points) == ("left", 2 * (needed or 1))


def scored(winner: str, checkers_left: int | None):
    return Game(Side(winner), checkers_left=checkers_left)


class TestStop:
    def test_a_stop_ends_a_session_with_the_games_counted(self, timed_session):
        timed_session.game(LEFT, "left")
        timed_session.game(LEFT, "right", cube=2)
        assert timed_session.reread().winner == ""
        written = timed_session.write(LEFT, Stop())
        assert (written.row.kind, written.row.games, written.row.points) == (RowKind.STOP, 2, 0)
        assert (timed_session.reread().state, timed_session.match.winner) == (MatchState.REPORTED, "right")

    def test_a_level_session_gets_one_more_game(self, timed_session):
        timed_session.game(LEFT, "left")
        timed_session.game(LEFT, "right")
        timed_session.write(LEFT, Stop())
        assert timed_session.reread().winner == ""
        timed_session.game(LEFT, "right")
        assert timed_session.reread().winner == "right"
        with pytest.raises(RuleBroken):
            timed_session.game(LEFT, "right")

    def test_a_stop_needs_at_least_one_game(self, timed_session):
        assert timed_session.write(LEFT, Stop()).row.games == 1
        timed_session.game(LEFT, "left")
        assert timed_session.reread().winner == "left"

    def test_penalty_points_before_a_stop_count(self, timed_session):
        timed_session.game(LEFT, "left")
        timed_session.write(LEFT, Penalty(Side.LEFT, 2, "late"), by=DESK)
        timed_session.write(LEFT, Stop())
        assert (timed_session.reread().winner, timed_session.match.right_points) == ("right", 2)

    def test_a_stop_can_be_undone_and_written_again(self, timed_session):
        timed_session.game(LEFT, "left")
        stop = timed_session.write(LEFT, Stop()).row.key
        timed_session.undo(LEFT, stop)
        assert (timed_session.reread().state, timed_session.match.winner) == (MatchState.OPEN, "")
        timed_session.game(LEFT, "left")
        assert timed_session.write(LEFT, Stop()).row.games == 2
        with pytest.raises(NoSuchRow):
            timed_session.undo(LEFT, stop)

    def test_a_stop_keeps_its_games_when_an_earlier_one_is_struck(self, timed_session):
        for winner in ("left", "right", "left"):
            timed_session.game(LEFT, winner)
        timed_session.write(LEFT, Stop())
        timed_session.undo(LEFT, timed_session.keys[0])
        assert timed_session.reread().winner == ""
        timed_session.game(LEFT, "left", cube=2)
        assert (timed_session.reread().winner, timed_session.match.left_points) == ("left", 3)

    def test_the_preview_of_a_stop_shows_the_counted_games(self, timed_session):
        card = timed_session.game(LEFT, "left").card
        timed_session.game(LEFT, "right", cube=2)
        rows = list(card.rows.all())
        row = build_row(card, NewRow(uuid.uuid4(), timed_session.keys[-1], Stop()), LEFT)
        before = card_totals(timed_session.match, [*rows, row])
        assert (before.agreed, before.winner) == (2, "right")

    def test_a_corrected_game_counts_once_in_a_stop(self, timed_session):
        timed_session.game(LEFT, "left")
        timed_session.write(LEFT, Game(Side.RIGHT), supersedes=timed_session.keys[0])
        timed_session.game(LEFT, "right")
        assert timed_session.write(LEFT, Stop()).row.games == 2
        assert timed_session.reread().winner == "right"

    def test_a_second_stop_is_refused(self, timed_session):
        timed_session.game(LEFT, "left")
        timed_session.game(LEFT, "right")
        timed_session.write(LEFT, Stop())
        assert refusal(timed_session, Stop()) == "stop_written_twice"

    def test_a_stop_sent_twice_is_one_row(self, timed_session):
        timed_session.game(LEFT, "left")
        new_row = NewRow(uuid.uuid4(), timed_session.keys[-1], Stop())
        timed_session.hand_in(LEFT, new_row)
        assert timed_session.hand_in(LEFT, new_row).is_repeat
        with pytest.raises(KeyReused):
            timed_session.hand_in(LEFT, NewRow(new_row.key, new_row.predecessor, Stop(4)))

    def test_a_stop_is_refused_where_length_or_games_end_the_match(self, writer, three_games):
        assert refusal(three_games, Stop()) == "stop_in_agreed_games"
        assert refusal(writer, Stop()) == "stop_in_match"

    def test_a_stop_is_not_a_line_of_the_card(self, timed_session):
        timed_session.game(LEFT, "left")
        timed_session.write(LEFT, Stop())
        totals = stored_card_totals(Card.objects.get(match=timed_session.match), timed_session.match)
        assert (len(totals.rows), len(totals.lines), totals.agreed) == (1, 1, 1)
        assert totals.stop is not None

    def test_a_final_score_beside_a_stop_counts(self, timed_session):
        timed_session.game(LEFT, "left")
        timed_session.game(LEFT, "right")
        timed_session.write(LEFT, Stop())
        timed_session.final(LEFT, 5, 2)
        assert (timed_session.reread().winner, timed_session.match.left_points) == ("left", 5)


def test_correct_totals_have_no_miscounts(three_games, timed_session):
    three_games.game(LEFT, "left")
    timed_session.game(RIGHT, "right")
    timed_session.write(RIGHT, Stop())
    assert miscounts.miscounts([three_games.match.pk, timed_session.match.pk]) == []
    Card.objects.filter(match=timed_session.match).update(winner="left")
    assert [miscount.field for miscount in miscounts.miscounts([timed_session.match.pk])] == [
        "winner",
        "score",
    ]
    miscounts.correct_miscounts([timed_session.match.pk])
    assert miscounts.miscounts([timed_session.match.pk]) == []


def test_matches_become_sessions_and_matches_again(writer):
    scorecard.change_length([writer.match], None, 5)
    assert (writer.reread().length, writer.match.games) == (None, 5)
    scorecard.change_length([writer.match], 9)
    assert (writer.reread().length, writer.match.games) == (9, None)


@pytest.mark.parametrize(("length", "games"), [(None, 0), (None, 100), (7, 3)])
def test_the_database_refuses_impossible_numbers_of_games(length, games):
    fields = {"left": uuid.uuid4(), "right": uuid.uuid4(), "ruleset": RULES.as_json()}
    with pytest.raises(IntegrityError, match="games_of_a_session_in_range"), transaction.atomic():
        Match.objects.create(length=length, games=games, opened_at=timezone.now(), **fields)


@pytest.mark.parametrize(("kind", "games"), [("stop", None), ("stop", 0), ("final", 2)])
def test_the_database_refuses_a_stop_without_games_and_games_without_a_stop(timed_session, kind, games):
    card = timed_session.game(LEFT).card
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


def problems(writer: CardWriter) -> set[str]:
    verdict = judge_file(RECORD, "session.mat", writer.match).verdict
    assert verdict["length"] is None
    return {problem["code"] for problem in verdict["problems"]}


def test_a_record_is_compared_with_the_number_of_games():
    assert "session_not_finished" in problems(session(2))
    assert not {"session_not_finished", "match_is_over"} & problems(session(1))
    assert "session_not_finished" not in problems(session(None))
