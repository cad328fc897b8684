"""The draw page: preview, draw, release, repetition with a reason, length of each round."""

import re

import pytest

from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import at
from tournament.draw.formats import Format, Kind
from tournament.drawing import draws
from tournament.models import Draw, Pairing, Round, Tournament
from tournament.pages.director.audience import released_message

pytestmark = pytest.mark.django_db


def page(browser: Browser, made: Tournament) -> Browser:
    return browser.open("draw", *at(made))


def lengths(made: Tournament) -> list[int]:
    return list(Round.objects.filter(bracket__tournament=made).values_list("length", flat=True))


def test_byes_rounds_and_matches_are_previewed_and_counted(browser, owner):
    made = stories.entered(owner, 11, lengths=(11, 9, 7))
    page(browser, made)
    figures = [part.partition("</dd>")[0] for part in browser.text.split("<dd>")[1:5]]
    assert figures == ["11", "4", "5", "10"]
    assert browser.says('<th scope="row">Round of 16</th><td class="num">3</td><td class="num">7</td>')
    assert browser.says('<th scope="row">Final</th><td class="num">1</td><td class="num">11</td>')
    draws.make(made.pk, draws.DrawPlan(), owner)
    for address in ("draw", "rounds"):
        browser.open(address, *at(made))
        counts = re.findall(r'<small class="quiet">(\d+ match(?:es)?)</small>', browser.text)
        assert counts == ["3 matches", "4 matches", "2 matches", "1 match"]


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        (Format(Kind.SWISS, rounds=3), "1 of 2 matches so far are decided."),
        (Format(Kind.KNOCKOUT), "1 of 4 matches are decided."),
    ],
)
def test_rounds_that_are_not_paired_yet_do_not_count_as_all_matches(browser, owner, chosen, sentence):
    made = stories.released(owner, 5, format=chosen)
    stories.play(stories.playable(made)[0], owner)
    assert browser.open("desk", *at(made)).says(sentence)
    assert browser.open("event", made.event.slug).says(sentence.replace("are ", "").rstrip("."))


def test_one_entry_is_too_few_for_a_draw(browser, owner):
    page(browser, stories.entered(owner, 1))
    assert browser.says("Too few entries for a draw")
    assert not browser.has_button("Draw")


def test_a_draw_is_hidden_until_it_is_released(browser, owner, stranger):
    made = stories.entered(owner, 4)
    page(browser, made).press("Draw", method="random", seed_text="dice of Friday")
    name = Pairing.objects.filter(round__number=1).first().left.player.name
    assert browser.says("The draw is hidden. Check it, then release it.")
    assert browser.says(name)
    assert not stranger.open("bracket", *at(made)).says(name)
    browser.press("Release the draw")
    assert browser.says("released")
    assert stranger.open("bracket", *at(made)).says(name)


def test_the_release_says_who_really_sees_the_draw(browser, owner):
    made = stories.entered(owner, 2)
    page(browser, made).press("Draw")
    assert len(Draw.objects.get().seed_text) == 32
    assert browser.says(Draw.objects.get().seed_text)
    assert browser.press("Release the draw").says("can be played. Everybody sees it.")
    for visibility, audience in (
        ("link", "People with the secret address of the event see it."),
        ("private", "Only the staff and the players of the event see it."),
    ):
        made.event.visibility = visibility
        assert audience in released_message("Released.", made.event)


def test_the_seed_text_and_the_method_are_stored_with_the_tournament(browser, owner):
    made = stories.entered(owner, 4, seeded=True)
    assert page(browser, made).fields("Draw")["method"] == "seeded"
    browser.press("Draw", method="random", seed_text="dice of Friday")
    assert Draw.objects.get().seed_text == "dice of Friday"
    assert browser.says("dice of Friday")
    browser.press("Draw again", seed_text="again", method="seeded")
    hidden = Draw.objects.get(replaced_at=None)
    assert (hidden.seed_text, hidden.method, hidden.reason) == ("again", "seeded", "")
    draws.make(made.pk, draws.DrawPlan(), owner)
    draws.undo(made.pk, owner)
    assert page(browser, made).fields("Draw")["method"] == "random"


def test_a_refused_seeded_draw_keeps_the_typed_values(browser, owner):
    made = stories.entered(owner, 4)
    page(browser, made).press("Draw", method="seeded", seed_text="dice of Friday")
    assert browser.status == 422
    assert browser.says("No entry has a seed.")
    fields = browser.fields("Draw")
    assert (fields["method"], fields["seed_text"]) == ("seeded", "dice of Friday")


def test_a_released_draw_is_drawn_again_only_with_a_reason(browser, owner):
    made = stories.released(owner, 4)
    page(browser, made).press("Draw again")
    assert browser.status == 422
    assert Draw.objects.count() == 1
    browser.press("Draw again", reason="A player was missing")
    assert [draw.reason for draw in Draw.objects.order_by("number")] == ["", "A player was missing"]
    assert browser.says("A player was missing")
    assert browser.has_button("Release the draw")


def test_a_page_with_an_older_draw_does_not_release_the_current_one(browser, owner):
    made = stories.drawn(owner, 4)
    page(browser, made)
    draws.make(made.pk, draws.DrawPlan(), owner)
    browser.press("Release the draw")
    assert browser.says(f"{owner.user} made draw 2 in the meantime. Check it, then release it.")
    assert not Draw.objects.filter(released_at__isnull=False).exists()
    browser.press("Release the draw")
    assert Draw.objects.get(released_at__isnull=False).number == 2


def test_a_draw_is_taken_back_and_stays_on_record(browser, owner):
    made = stories.released(owner, 4)
    page(browser, made).press("Take it back")
    assert browser.says("This draw is already known. Write a reason for taking it back")
    browser.press("Take it back", **{"undo-reason": "Wrong division"})
    assert not Pairing.objects.exists()
    assert browser.says("The draw is taken back. The entry list is open again.")
    assert browser.says("All draws")
    assert browser.open("entries", *at(made)).has_button("Enter")


def test_the_length_of_a_round_is_changed_and_an_impossible_one_stays_in_the_form(browser, owner):
    made = stories.released(owner, 4, lengths=(5, 3))
    final = Round.objects.get(number=2)
    page(browser, made).press("Save lengths", **{f"round-{final.pk}-length": 100})
    assert browser.says("Enter a number from 1 to 99.")
    assert browser.fields("Save lengths")[f"round-{final.pk}-length"] == "100"
    assert lengths(made) == [3, 5]
    browser.press("Save lengths", **{f"round-{final.pk}-length": 9})
    assert lengths(made) == [3, 9]


def test_after_the_first_game_the_draw_and_the_length_of_the_round_are_fixed(browser, owner):
    made = stories.released(owner, 4, lengths=(5, 3))
    first = Round.objects.get(number=1)
    stale = page(browser, made).fields("Save lengths")
    stories.play(stories.playable(made)[0], owner)
    page(browser, made)
    assert browser.says("Play has begun, so the draw cannot be made again.")
    assert not browser.says("Swap seats")
    assert not browser.has_button("Draw again")
    assert f"round-{first.pk}-length" not in browser.fields("Save lengths")
    sent = {**stale, f"round-{first.pk}-length": 9, "do": "lengths"}
    assert "has begun" in browser.client.post(browser.path, sent).content.decode()
    assert lengths(made) == [3, 5]


def test_the_desk_sees_a_hidden_draw_but_cannot_change_it(hall, at_desk):
    page(at_desk, hall.tournament)
    assert at_desk.status == 200
    assert not at_desk.has_button("Draw again")
    for action in ("release", "undo", "draw", "lengths"):
        assert at_desk.client.post(at_desk.path, {"do": action}).status_code == 403
