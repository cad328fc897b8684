"""A player who does not appear: posted, withdrawn in the same step, and undone."""

import uuid
from copy import deepcopy

import pytest

from rules.score import Side
from tests.tournament import stories
from tournament.access.actors import Actor
from tournament.draw.formats import Format
from tournament.entries import registration
from tournament.models import Pairing, Result, ResultKind, Tournament
from tournament.results import absence
from tournament.results.awards import ExpectedResult
from tournament.runtime.errors import NotFound, Refused

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def field_of_module(actor_of_module) -> Tournament:
    """Eight players; losers drop to a consolation."""
    return stories.released(actor_of_module, 8, format=Format(consolation="simple"))


@pytest.fixture
def field(db, field_of_module) -> Tournament:
    return deepcopy(field_of_module)


@pytest.fixture
def director(actor) -> Actor:
    return actor


@pytest.fixture
def pairing(field) -> Pairing:
    return stories.playable(field)[0]


def fresh(pairing: Pairing) -> Pairing:
    return stories.pairings(pairing.round.bracket.tournament).get(pk=pairing.pk)


def in_consolation(pairing: Pairing) -> Pairing:
    rows = stories.pairings(pairing.round.bracket.tournament).exclude(round__bracket__key="main")
    return rows.filter(left=pairing.right).first() or rows.get(right=pairing.right)


def test_an_absent_player_who_withdraws_gives_the_next_opponent_a_walkover(field, pairing, director):
    absence.post_no_show(pairing, Side.RIGHT, director, withdraws=True)
    assert fresh(pairing).winner_id == pairing.left_id
    assert Result.objects.get().kind == ResultKind.NO_SHOW
    assert fresh(pairing).right.is_withdrawn
    neighbor = next(candidate for candidate in stories.playable(field) if candidate.line == pairing.line + 1)
    stories.play(neighbor, director)
    assert in_consolation(pairing).winner_id == neighbor.right_id


def test_without_withdrawal_the_player_stays_in_the_consolation(pairing, director):
    absence.post_no_show(pairing, Side.RIGHT, director, withdraws=False)
    assert not fresh(pairing).right.is_withdrawn


def test_undo_brings_the_player_back_and_opens_the_match(pairing, director):
    result = absence.post_no_show(pairing, Side.LEFT, director, withdraws=True)
    absence.undo_no_show(pairing, result, director)
    again = fresh(pairing)
    assert (again.settled, again.match.state, again.left.is_withdrawn) == ("", "open", False)


def test_a_result_that_is_not_current_is_not_undone(pairing, director):
    result = absence.post_no_show(pairing, Side.LEFT, director, withdraws=True)
    absence.undo_no_show(pairing, result, director)
    with pytest.raises(Refused):
        absence.undo_no_show(pairing, result, director)
    with pytest.raises(NotFound):
        absence.undo_no_show(pairing, uuid.uuid4(), director)


def test_a_match_with_a_result_is_not_lost_by_a_stale_form(pairing, director):
    stories.play(pairing, director)
    with pytest.raises(Refused, match="posted by"):
        absence.post_no_show(
            pairing, Side.LEFT, director, withdraws=True, expected=ExpectedResult(uuid.uuid4())
        )
    assert not fresh(pairing).left.is_withdrawn


def test_undo_leaves_a_player_withdrawn_whom_the_no_show_did_not_withdraw(pairing, director):
    result = absence.post_no_show(pairing, Side.LEFT, director, withdraws=False)
    registration.withdraw(pairing.left, director, "Went home")
    absence.undo_no_show(pairing, result, director)
    assert fresh(pairing).left.is_withdrawn


def test_undo_leaves_a_player_withdrawn_whom_somebody_withdrew_again(pairing, director):
    result = absence.post_no_show(pairing, Side.LEFT, director, withdraws=True)
    registration.unwithdraw(pairing.left, director)
    registration.withdraw(pairing.left, director, "Went home")
    absence.undo_no_show(pairing, result, director)
    assert fresh(pairing).left.is_withdrawn
