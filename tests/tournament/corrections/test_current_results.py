"""After a correction to a result without play every page shows the current result, and the card stays readable."""

import pytest

from matches.keepers import Keeper
from tests.tournament import stories
from tournament import corrections
from tournament.api.match_serializers import match_json
from tournament.corrections import Change, consistency
from tournament.models import ResultKind
from tournament.queries.cards.card import load_phone_match
from tournament.queries.desk.match import load_desk_match
from tournament.queries.matches.match import load_public_match
from tournament.results import desk

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(actor):
    """Four players; the left one won the first match 3-2 by the desk's card."""
    made = stories.released(actor, 4, lengths=(3,))
    stories.play(stories.playable(made)[0], actor)
    return made


def first(made):
    return stories.pairings(made).filter(results__isnull=False).distinct().get()


def score_shown(pairing) -> list[tuple[object, object]]:
    """The match row, the public page, both phones and the API, the left player's points first."""
    document, sides = match_json(pairing.match), load_public_match(pairing, pairing.match).sides
    left, right = load_phone_match(pairing, Keeper.LEFT), load_phone_match(pairing, Keeper.RIGHT)
    return [
        (document["left"], document["right"]),
        (sides[0].points, sides[1].points),
        left.points,
        right.points[::-1],
    ]


def test_an_undone_walkover_showed_its_winner_without_a_score(made, actor):
    pairing = first(made)
    preview = corrections.preview(pairing.pk, Change(ResultKind.WALKOVER, pairing.right_id))
    correction = corrections.correct(preview, preview.digest, "Never played", actor)
    corrected = first(made)
    assert score_shown(corrected) == [(0, 0), (None, None), (None, None), (None, None)]
    assert (corrected.match.winner, load_phone_match(corrected, Keeper.LEFT).how) == ("right", "walkover")
    assert load_public_match(corrected, corrected.match).sides[1].is_winner
    old = load_desk_match(corrected).cards[2]
    assert (old.left, old.right, len(old.lines)) == (3, 2, 1)
    assert consistency.differences(made.event) == []
    corrections.undo(correction.pk, actor)
    assert score_shown(first(made)) == [(3, 2)] * 4
    assert consistency.differences(made.event) == []


def test_the_desk_awards_a_match_with_its_score_and_undoes_it(made, actor):
    pairing = first(made)
    desk.award(pairing, pairing.right_id, "unfinished", "The hall closed", actor, (1, 2))
    assert score_shown(first(made)) == [(1, 2)] * 4
    assert first(made).match.winner == "right"
    desk.retract(pairing, "They play on", actor)
    again = first(made).match
    assert (again.left_points, again.right_points, again.winner) == (3, 2, "left")
    assert consistency.differences(made.event) == []
