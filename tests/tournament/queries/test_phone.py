"""A match on a player's phone: both cards from the player's side, and the possible next rows."""

import uuid
from copy import deepcopy
from datetime import timedelta

import pytest

from matches.keepers import Keeper
from matches.models import Match
from matches.rows import FinalScore, NewRow
from rules.problem import RuleBroken
from rules.score import Game, Side, Win
from tests.tournament import stories
from tests.tournament.queries.cards import Phone, seeded
from tournament.access.actors import STRANGER
from tournament.models import Pairing
from tournament.queries.cards.card import PhoneMatch, load_phone_match, phone_stamp, preview_row
from tournament.queries.cards.two_cards import compare_cards
from tournament.results import desk

pytestmark = pytest.mark.django_db

LEFT, RIGHT = Keeper.LEFT, Keeper.RIGHT


@pytest.fixture(scope="module")
def pairing_of_module(actor_of_module) -> Pairing:
    made = seeded(actor_of_module, 4, lengths=(5,), confirm_after=10)
    return stories.playable(made)[0]


@pytest.fixture
def pairing(db, pairing_of_module) -> Pairing:
    return deepcopy(pairing_of_module)


def fresh(pairing: Pairing) -> Pairing:
    return stories.pairings(pairing.round.bracket.tournament).get(pk=pairing.pk)


def phone_match(pairing: Pairing, keeper: Keeper) -> PhoneMatch:
    return load_phone_match(fresh(pairing), keeper)


def test_a_new_match_has_two_empty_cards_that_begin_with_the_match(pairing):
    phone = phone_match(pairing, RIGHT)
    assert (phone.me, phone.other) == (pairing.right, pairing.left)
    assert (phone.own.is_empty, phone.others.is_empty, phone.own.tail) == (True, True, pairing.match_id)
    assert (phone.next_game, phone.takes_rows, phone.shows_other) == (1, True, False)


def test_each_line_shows_the_score_after_it(pairing):
    pen = Phone(pairing, LEFT)
    pen.game("left", win=Win.GAMMON)
    pen.game("right")
    pen.game("left", win=Win.GAMMON)
    lines = phone_match(pairing, LEFT).own.lines
    assert [(line.number, line.is_mine, line.credited, line.mine, line.theirs) for line in lines] == [
        (1, True, 2, 2, 0),
        (2, False, 1, 2, 1),
        (3, True, 2, 4, 1),
    ]
    assert [line.is_crawford for line in lines] == [False, False, False]
    assert (phone_match(pairing, LEFT).is_crawford, phone_match(pairing, LEFT).next_game) == (True, 4)


def test_the_crawford_game_is_marked_on_the_card(pairing):
    pen = Phone(pairing, LEFT)
    for winner in ("left", "left", "right", "right"):
        pen.game(winner, win=Win.GAMMON)
    own = phone_match(pairing, LEFT).own
    assert [line.is_crawford for line in own.lines] == [False, False, True, False]
    assert not phone_match(pairing, LEFT).is_crawford


def test_the_opponent_sees_the_card_from_their_side(pairing):
    Phone(pairing, LEFT).game("left", win=Win.GAMMON)
    phone = phone_match(pairing, RIGHT)
    assert (phone.shows_other, phone.visible_card.mine, phone.visible_card.theirs) == (True, 0, 2)
    assert [line.is_mine for line in phone.visible_card.lines] == [False]


def test_the_possible_next_rows_follow_from_the_own_card(pairing):
    assert phone_match(pairing, LEFT).choices.wins
    pen = Phone(pairing, LEFT)
    pen.game("left", win=Win.GAMMON)
    pen.game("left", win=Win.GAMMON)
    assert phone_match(pairing, LEFT).choices.is_crawford
    assert not phone_match(pairing, RIGHT).choices.is_crawford


def test_a_struck_game_disappears_and_the_previous_game_can_be_struck(pairing):
    pen = Phone(pairing, LEFT)
    pen.game("left")
    first = pen.tail
    pen.game("right")
    pen.undo()
    own = phone_match(pairing, LEFT).own
    assert (own.mine, own.theirs, len(own.lines), own.tail) == (1, 0, 1, pen.tail)
    assert own.last is not None
    assert own.last.key == first


def test_two_cards_of_the_same_length_with_different_games_differ(pairing):
    Phone(pairing, LEFT).game("left")
    assert not compare_cards(phone_match(pairing, LEFT)).lines
    Phone(pairing, RIGHT).game("left", win=Win.GAMMON)
    for keeper in (LEFT, RIGHT):
        assert [line.differs for line in compare_cards(phone_match(pairing, keeper)).lines] == [("kind",)]


def test_a_final_score_is_one_line_without_a_game(pairing):
    Phone(pairing, RIGHT).final(2, 5)
    own = phone_match(pairing, RIGHT).own
    assert own.is_final_only
    assert [(line.mine, line.theirs, line.game, line.number) for line in own.lines] == [(5, 2, None, None)]
    assert (own.is_complete, own.is_won) == (True, True)


def test_a_report_names_its_author_and_when_it_counts_automatically(pairing):
    Phone(pairing, LEFT).final(5, 1)
    mine, theirs = phone_match(pairing, LEFT), phone_match(pairing, RIGHT)
    assert (mine.is_reported_by_me, mine.is_reported_by_other, mine.takes_rows) == (True, False, False)
    assert (theirs.is_reported_by_me, theirs.is_reported_by_other, theirs.takes_rows) == (False, True, True)
    reported_at = Match.objects.get(pk=pairing.match_id).reported_at
    assert reported_at is not None
    assert mine.confirmed_at == reported_at + timedelta(minutes=10)


def test_a_posted_match_takes_no_more_rows(pairing):
    pen = Phone(pairing, LEFT)
    pen.final(5, 1)
    desk.confirm(pairing, RIGHT, pen.tail, STRANGER)
    assert not phone_match(pairing, RIGHT).takes_rows


def test_the_stamp_is_new_after_every_row_and_after_posting(pairing):
    stamps = [phone_stamp(fresh(pairing))]
    pen = Phone(pairing, LEFT)
    for action in (
        lambda: pen.game("left"),
        pen.undo,
        lambda: pen.final(5, 0),
        lambda: desk.confirm(pairing, RIGHT, pen.tail, STRANGER),
    ):
        action()
        stamps.append(phone_stamp(fresh(pairing)))
    assert len(set(stamps)) == 5
    assert phone_match(pairing, LEFT).stamp == stamps[-1]


def test_a_preview_shows_the_card_after_a_row_and_writes_nothing(pairing):
    pen = Phone(pairing, LEFT)
    pen.game("left", win=Win.GAMMON)
    match = fresh(pairing).match
    preview = preview_row(
        match, Side.LEFT, NewRow(uuid.uuid4(), pen.tail, Game(Side.LEFT, Win.GAMMON, cube=2))
    )
    assert (preview.is_mine, preview.credited, preview.mine, preview.theirs, preview.ends_match) == (
        True,
        3,
        5,
        0,
        True,
    )
    assert len(phone_match(pairing, LEFT).own.lines) == 1


def test_a_preview_refuses_impossible_rows(pairing):
    writing = NewRow(uuid.uuid4(), pairing.match_id, FinalScore(4, 4))
    with pytest.raises(RuleBroken):
        preview_row(fresh(pairing).match, Side.LEFT, writing)


def test_only_a_player_has_a_match_on_the_phone(pairing):
    with pytest.raises(ValueError, match="only a player"):
        load_phone_match(fresh(pairing), Keeper.DESK)


def test_a_match_on_the_phone_takes_five_statements(pairing, django_assert_num_queries):
    Phone(pairing, LEFT).game("left")
    loaded = fresh(pairing)
    with django_assert_num_queries(5):
        load_phone_match(loaded, RIGHT)
