"""Whether each player keeps a card, and how late a running score may be seen: set up, changed while play is on."""

import pytest

from tests.tournament import stories
from tests.tournament.conftest import Program
from tests.tournament.pages.director.places import at
from tournament import links
from tournament.models import Tournament

pytestmark = pytest.mark.django_db


def test_cards_and_delay_are_set_up_and_change_after_the_draw_with_a_new_version(browser, owner):
    event = stories.event(owner)
    browser.open("tournament-new", event.slug)
    browser.press("Make the tournament", name="Open", others=3, two_cards="on", score_delay="5")
    made = Tournament.objects.get(event=event)
    assert (made.two_cards, made.score_delay) == (True, 5)
    drawn = stories.released(owner, 4)
    before = drawn.brackets.get().version
    browser.open("tournament-edit", *at(drawn)).press("Save", score_delay="hidden", two_cards="on")
    drawn.refresh_from_db()
    assert (drawn.two_cards, drawn.score_delay) == (True, None)
    assert drawn.brackets.get().version > before
    fields = browser.open("tournament-edit", *at(drawn)).fields("Save")
    assert (fields["two_cards"], fields["score_delay"]) == ("on", "hidden")


def test_a_delay_that_only_a_program_would_set_stays_a_choice(browser, owner):
    made = stories.tournament(owner, score_delay=7)
    fields = browser.open("tournament-edit", *at(made)).fields("Save")
    assert fields["score_delay"] == "7"
    browser.press("Save", name="Masters")
    made.refresh_from_db()
    assert (made.name, made.score_delay) == ("Masters", 7)


@pytest.mark.parametrize("rubbish", ["-1", "soon", "99999", "1441", "٣"])
def test_a_delay_that_cannot_be_is_refused_with_the_form(browser, owner, rubbish):
    made = stories.tournament(owner)
    browser.open("tournament-edit", *at(made)).press("Save", score_delay=rubbish)
    assert browser.status == 422
    assert browser.says("Choose how late the score may be seen.")


def test_a_program_sets_both_and_leaves_them_by_saying_nothing(hall):
    directing = Program(links.make_api_token(hall.director.user, "director"))
    body = {"name": "Open", "lengths": [3]}
    told = directing.put(f"{hall.here}/", {**body, "two_cards": True, "score_delay": None}).json()
    assert (told["two_cards"], told["score_delay"]) == (True, None)
    told = directing.put(f"{hall.here}/", body).json()
    assert (told["two_cards"], told["score_delay"]) == (True, None)
    for rubbish in (-1, 1441, "soon"):
        assert directing.put(f"{hall.here}/", {**body, "score_delay": rubbish}).status_code == 400
