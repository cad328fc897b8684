"""Whether each player keeps a card, pairs play, a running score is seen late: set up, changed while play is on."""

import pytest

from tests.tournament import stories
from tests.tournament.conftest import Program
from tests.tournament.pages.places import at
from tests.tournament.pages.tournaments.filling import fill
from tournament.accounts import links
from tournament.models import Tournament
from tournament.pages.tournaments.forms import TournamentForm, initial_of

pytestmark = pytest.mark.django_db


def test_cards_and_delay_are_set_up_and_change_after_the_draw_with_a_new_version(browser, owner):
    event = stories.event(owner)
    browser.open("tournament-new", event.slug)
    browser.press("Create tournament", name="Open", others=3, two_cards="on", doubles="on", score_delay="5")
    made = Tournament.objects.get(event=event)
    assert (made.two_cards, made.doubles, made.score_delay) == (True, True, 5)
    assert browser.open("entries", *at(made)).says("Enter a pair")
    assert browser.open("rules-page", *at(made)).says("150 seconds a point")
    drawn = stories.released(owner, 4)
    before = drawn.brackets.get().version
    browser.open("tournament-edit", *at(drawn)).press(
        "Save", score_delay="hidden", two_cards="on", doubles="on", uses_clocks="on"
    )
    drawn.refresh_from_db()
    assert (drawn.two_cards, drawn.doubles, drawn.uses_clocks, drawn.score_delay) == (True, True, True, None)
    assert drawn.brackets.get().version > before
    fields = browser.open("tournament-edit", *at(drawn)).fields("Save")
    assert (fields["two_cards"], fields["doubles"], fields["score_delay"]) == ("on", "on", "hidden")
    pairing = stories.playable(drawn)[0]
    assert browser.open("desk-match", *at(drawn), pairing.pk).says("7:30 each + 18 s a move")
    assert browser.open("event-journal", drawn.event.slug).says("Pairs play")


def test_a_delay_that_only_a_program_would_set_stays_a_choice(owner):
    initial = initial_of(stories.tournament(owner, score_delay=7))
    assert '<option value="7" selected>' in str(TournamentForm(initial=initial)["score_delay"])
    form = fill(initial)
    assert form.is_valid()
    assert form.plan().score_delay == 7


def test_a_delay_that_cannot_be_is_refused():
    for rubbish in ("-1", "soon", "1441", "٣"):
        assert fill(score_delay=rubbish).errors == {"score_delay": ["Choose how late the score may be seen."]}


def test_a_program_sets_all_three_and_leaves_them_by_saying_nothing(hall):
    directing = Program(links.make_api_token(hall.director.user, "director"))
    body = {"name": "Open", "lengths": [3]}
    settings = directing.put(
        f"{hall.here}/", {**body, "two_cards": True, "doubles": True, "score_delay": None}
    ).json()
    assert (settings["two_cards"], settings["doubles"], settings["score_delay"]) == (True, True, None)
    settings = directing.put(f"{hall.here}/", {**body, "uses_clocks": True}).json()
    assert (settings["two_cards"], settings["doubles"], settings["score_delay"]) == (True, True, None)
    assert directing.put(f"{hall.here}/", body).json()["uses_clocks"]
    for rubbish in (-1, 1441, "soon"):
        assert directing.put(f"{hall.here}/", {**body, "score_delay": rubbish}).status_code == 400
