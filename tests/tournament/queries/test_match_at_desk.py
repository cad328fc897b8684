"""One match at the desk: the cards side by side, their differences and the result."""

import uuid
from copy import deepcopy

import pytest

from matches.keepers import Keeper
from matches.rows import NewRow
from rules.score import Ending, Game, Side, Win
from tests.tournament import stories
from tests.tournament.queries.cards import Phone, meeting, seeded
from tournament.access.actors import STRANGER
from tournament.brackets import advancing
from tournament.entries import registration
from tournament.models import Pairing
from tournament.queries.brackets.bracket import bracket_view
from tournament.queries.desk.match import DeskMatchPage, load_desk_match
from tournament.results import desk, disputes

pytestmark = pytest.mark.django_db

LEFT, RIGHT = Keeper.LEFT, Keeper.RIGHT


@pytest.fixture(scope="module")
def pairing_of_module(actor_of_module) -> Pairing:
    return stories.playable(seeded(actor_of_module, 4, lengths=(5,)))[0]


@pytest.fixture
def pairing(db, pairing_of_module) -> Pairing:
    return deepcopy(pairing_of_module)


def desk_page(pairing: Pairing) -> DeskMatchPage:
    return load_desk_match(stories.pairings(pairing.round.bracket.tournament).get(pk=pairing.pk))


def differing(pairing: Pairing) -> list[list[bool]]:
    return [[line.differs for line in card.lines] for card in desk_page(pairing).cards]


def test_there_are_three_cards_and_each_names_its_keeper(pairing):
    cards = desk_page(pairing).cards
    assert [card.keeper for card in cards] == [LEFT, RIGHT, Keeper.DESK]
    assert [card.name for card in cards] == [pairing.left.player.name, pairing.right.player.name, ""]
    assert {card.tail for card in cards} == {pairing.match_id}


def test_only_the_line_of_a_missing_game_is_marked(pairing):
    left, right = Phone(pairing, LEFT), Phone(pairing, RIGHT)
    for winner in ("left", "right", "left"):
        left.game(winner)
    for winner in ("left", "left"):
        right.game(winner)
    assert differing(pairing) == [[False, True, False], [False, False], []]


def test_a_single_card_has_no_differences(pairing):
    Phone(pairing, LEFT).game("left")
    assert differing(pairing) == [[False], [], []]


def test_a_differing_game_is_marked_on_both_cards(pairing):
    left, right = Phone(pairing, LEFT), Phone(pairing, RIGHT)
    for pen in (left, right):
        pen.game("left", win=Win.GAMMON)
    left.game("right")
    right.game("right", cube=2)
    assert differing(pairing) == [[False, True], [False, True], []]


def test_a_game_that_only_one_card_has_is_marked(pairing):
    left, right = Phone(pairing, LEFT), Phone(pairing, RIGHT)
    left.game("left")
    right.game("left")
    left.game("right")
    assert differing(pairing) == [[False, True], [False], []]


def test_a_resigned_game_and_one_played_out_are_the_same_but_a_dropped_one_is_not(pairing):
    left, right = Phone(pairing, LEFT), Phone(pairing, RIGHT)
    left.game("left", ending=Ending.RESIGNED)
    right.game("left", ending=Ending.PLAYED)
    assert differing(pairing)[0] == [False]
    left.game("left", ending=Ending.DROPPED, cube=1)
    right.game("left", ending=Ending.PLAYED)
    assert differing(pairing)[0] == [False, True]


def test_the_state_is_the_one_that_the_bracket_shows(pairing, actor):
    def same() -> str:
        rounds = bracket_view(pairing.round.bracket.tournament).rounds
        pairing_view = next(view for part in rounds for view in part.pairings if view.id == pairing.pk)
        assert desk_page(pairing).state == pairing_view.state
        return pairing_view.state

    pen, states = Phone(pairing, LEFT), []
    states.append(same())
    pen.game("left")
    states.append(same())
    pen.undo()
    pen.final(5, 3)
    states.append(same())
    disputes.open_dispute(pairing, RIGHT, "", STRANGER)
    states.append(same())
    disputes.rule(pairing, disputes.Ruling.for_card(LEFT, "As written."), actor)
    states.append(same())
    assert states == ["ready", "playing", "reported", "disputed", "decided"]


def test_a_report_can_be_confirmed_or_ruled_on_until_it_is_posted(pairing):
    pen = Phone(pairing, RIGHT)
    pen.final(3, 5)
    before = desk_page(pairing)
    assert before.report is not None
    assert (before.report.keeper, before.report.tail, before.can_rule) == (RIGHT, pen.tail, True)
    desk.confirm(pairing, LEFT, pen.tail, STRANGER)
    after = desk_page(pairing)
    assert (after.report, after.can_rule, after.winner_name) == (None, False, pairing.right.player.name)
    assert after.result is not None


def test_a_retracted_result_is_not_shown(pairing, actor):
    stories.play(pairing, actor)
    desk.retract(pairing, "", actor)
    assert (desk_page(pairing).result, desk_page(pairing).winner_name) == (None, "")


def test_a_match_whose_players_are_not_known_has_no_cards(made):
    final = stories.pairings(made).last()
    empty = load_desk_match(final)
    assert (empty.cards, empty.is_known, empty.state, empty.names) == ((), False, "waiting", ("", ""))


def test_a_match_settled_by_a_withdrawal_has_no_cards_and_no_result(actor, made):
    row = meeting(made, 1, 4)
    registration.withdraw(row.left, actor)
    assert (desk_page(row).state, desk_page(row).cards, desk_page(row).result) == ("decided", (), None)


def test_an_open_question_is_shown_with_its_cards(pairing, actor):
    Phone(pairing, LEFT).final(5, 3)
    disputes.open_dispute(pairing, RIGHT, "3–5", STRANGER)
    assert [question.note for question in desk_page(pairing).questions] == ["3–5"]
    disputes.rule(pairing, disputes.Ruling.for_card(LEFT, "As written."), actor)
    assert desk_page(pairing).questions == ()


def test_a_row_that_counts_is_found_by_its_key_and_a_struck_one_is_not(pairing):
    pen = Phone(pairing, LEFT)
    pen.game("left")
    key = str(pen.tail)
    stored = desk_page(pairing).row(key)
    assert stored is not None
    assert (stored[0].keeper, str(stored[1].key)) == (LEFT, key)
    pen.undo()
    assert desk_page(pairing).row(key) is None
    assert desk_page(pairing).row("no key") is None


def test_struck_and_corrected_rows_are_distinguished_and_name_their_author(pairing, actor):
    pen = Phone(pairing, LEFT)
    pen.game("left")
    wrong = pen.tail
    pen.game("right", win=Win.GAMMON)
    pen.undo()
    desk.enter_at_desk(pairing, LEFT, NewRow(uuid.uuid4(), pen.tail, Game(Side.RIGHT), wrong), actor)
    card = desk_page(pairing).cards[0]
    assert [(line.row.winner, line.is_struck, line.superseded_by.written_by) for line in card.superseded] == [
        ("left", False, "desk"),
        ("right", True, "left"),
    ]
    assert [line.row.winner for line in card.lines] == ["right"]


def test_a_card_with_only_struck_rows_is_still_listed(pairing):
    pen = Phone(pairing, LEFT)
    assert not desk_page(pairing).has_lines
    pen.game("left")
    pen.undo()
    assert desk_page(pairing).has_lines
    assert desk_page(pairing).cards[0].is_empty


def test_a_walkover_names_its_winner(pairing, actor):
    desk.award(pairing, pairing.right_id, "walkover", "", actor)
    advancing.advance_waiting()
    assert (desk_page(pairing).winner_name, desk_page(pairing).state) == (
        pairing.right.player.name,
        "decided",
    )
