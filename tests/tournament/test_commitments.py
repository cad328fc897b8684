"""A draw that anyone can check: secret first, then the entries, then the dice, and nothing in another order."""

import pytest

from tests.tournament import stories
from tournament import commitments, drawing, lot, registration
from tournament.draw.recipes import Byes, OrderRules
from tournament.draw.verification import verify
from tournament.drawing import DrawPlan
from tournament.errors import Refused
from tournament.lot import Asked
from tournament.models import Commitment
from tournament.registration import EntryCard, PlayerCard
from tournament.showing.published_draw import published

pytestmark = pytest.mark.django_db
DICE = "31 52 66"


@pytest.fixture
def actor():
    return stories.director()


@pytest.fixture
def made(actor):
    return stories.entered(actor, 6)


def refusal(work):
    with pytest.raises(Refused) as refused:
        work()
    return refused.value.code


def test_a_draw_by_secret_and_dice_is_verified_from_what_is_published(made, actor):
    commitments.commit(made.pk, actor)
    commitments.close_entries(made.pk, Asked(rules=OrderRules(byes=Byes.BALANCED_LOTTERY)), actor)
    draw = drawing.make(made.pk, DrawPlan(public=f"  {DICE} "), actor)
    assert (draw.public, draw.rules["byes"]) == (DICE, "balanced_lottery")
    drawing.release(made.pk, actor)
    document = published(draw)
    assert verify(document) == []
    document["public"] = "11 11 11"
    assert verify(document)


def test_the_secret_is_made_once_and_its_hash_comes_before_the_entries_close(made, actor):
    first = commitments.commit(made.pk, actor)
    assert commitments.commit(made.pk, actor).pk == first.pk
    assert first.closed_at is None
    assert first.secret not in str(first.secret_hash)


def test_dice_are_not_taken_before_the_entries_are_closed(made, actor):
    commitments.commit(made.pk, actor)
    assert refusal(lambda: drawing.make(made.pk, DrawPlan(public=DICE), actor)) == "entries-open"


def test_no_draw_without_dice_once_there_is_a_secret(made, actor):
    commitments.commit(made.pk, actor)
    commitments.close_entries(made.pk, Asked(), actor)
    assert refusal(lambda: drawing.make(made.pk, DrawPlan(seed_text="mine"), actor)) == "no-dice"


def test_an_entry_after_closing_means_closing_again(made, actor):
    commitments.commit(made.pk, actor)
    commitments.close_entries(made.pk, Asked(), actor)
    registration.enter(made.pk, EntryCard(PlayerCard("Came late")), actor)
    assert refusal(lambda: drawing.make(made.pk, DrawPlan(public=DICE), actor)) == "entries-changed"
    commitments.close_entries(made.pk, Asked(), actor)
    assert drawing.make(made.pk, DrawPlan(public=DICE), actor).secret


def test_a_second_draw_has_a_secret_of_its_own_or_says_that_it_has_none(made, actor):
    commitments.commit(made.pk, actor)
    commitments.close_entries(made.pk, Asked(), actor)
    first = drawing.make(made.pk, DrawPlan(public=DICE), actor)
    assert refusal(lambda: drawing.make(made.pk, DrawPlan(), actor)) == "reason-needed"
    again = drawing.make(made.pk, DrawPlan(reason="A name was missing"), actor)
    assert (first.secret != "", again.secret) == (True, "")
    assert lot.open_commitment(made) is None


def test_a_secret_is_given_up_with_a_reason_that_is_kept(made, actor):
    commitments.commit(made.pk, actor)
    assert refusal(lambda: commitments.give_up(made.pk, " ", actor)) == "reason-needed"
    commitments.give_up(made.pk, "No dice at hand", actor)
    assert drawing.make(made.pk, DrawPlan(), actor).secret == ""
    assert Commitment.objects.get().given_up_at is not None


def test_rules_that_cannot_be_drawn_are_refused_before_the_dice(made, actor):
    commitments.commit(made.pk, actor)
    by_hand = Asked(rules=OrderRules(byes=Byes.BY_HAND, by_hand=("nobody",)))
    assert refusal(lambda: commitments.close_entries(made.pk, by_hand, actor)) == "cannot-be-drawn"
