"""The page of the next round: preview, changes by hand, release and its undo."""

from copy import deepcopy

import pytest

from tests.tournament import stories
from tests.tournament.pages.places import at
from tournament.draw.formats import Format, Kind
from tournament.drawing import round_previews, rounds
from tournament.models import PairRule, Round, RoundPreview, Tournament
from tournament.queries.next_rounds import NextRoundState, find_next_round
from tournament.results import desk

pytestmark = pytest.mark.django_db
SWISS = Format(kind=Kind.SWISS, rounds=3)


@pytest.fixture(scope="module")
def made_of_module(actor_of_module):
    made = stories.released(actor_of_module, 6, format=SWISS)
    for pairing in stories.playable(made):
        stories.play(pairing, actor_of_module)
    return made


@pytest.fixture
def made(db, made_of_module):
    return deepcopy(made_of_module)


def open_page(browser, made):
    return browser.open("next-round", *at(made))


def test_a_round_is_previewed_swapped_and_released(browser, made):
    open_page(browser, made).press("Preview round 2")
    assert browser.says("only staff sees it")
    assert find_next_round(made).state == NextRoundState.PAIRED
    (first, _), (second, _), *_ = round_previews.preview_seats(RoundPreview.objects.get())
    for entry in (first, second):
        assert browser.says(f'data-drag="{entry}"')
    browser.press("Swap the two", first=first, second=second)
    assert browser.status == 422
    assert browser.says("needs a reason")
    browser.press("Swap the two", first=first, second=second, reason="One car for both")
    assert browser.says("One car for both")
    assert browser.says("by hand")
    browser.press("Release round 2")
    assert browser.says("Round 2 of 3")
    assert browser.open("draw", *at(made)).text.count("by hand") == 2
    assert Round.objects.count() == 2
    browser.open("draw-proof", *at(made))
    assert browser.says("One car for both")


def test_pairs_are_set_and_kept_apart_with_their_conflicts(browser, made, owner):
    round_previews.preview_next_round(made.pk, owner)
    open_page(browser, made)
    met = stories.pairings(made).first()
    browser.press("Pair the two", first=met.left_id, second=met.right_id, reason="They asked for it")
    assert browser.says("1 pair breaks a rule.")
    assert browser.says("met before")
    browser.press("Keep them apart", first=met.left_id, second=met.right_id, reason="?")
    assert browser.says("Remove that pair, then keep them apart.")
    browser.press("Remove")
    assert not browser.says("met before")
    assert not PairRule.objects.exists()
    browser.press("Discard preview")
    assert not RoundPreview.objects.exists()


def test_a_pair_set_by_hand_keeps_the_swaps_that_still_fit_and_names_the_others(browser, owner):
    made = stories.released(owner, 8, format=SWISS)
    for pairing in stories.playable(made):
        stories.play(pairing, owner)
    round_previews.preview_next_round(made.pk, owner)
    open_page(browser, made)
    (first, _), (second, _), (third, fourth), _ = round_previews.preview_seats(RoundPreview.objects.get())
    browser.press("Swap the two", first=first, second=second, reason="One car for both")
    swapped = round_previews.preview_seats(RoundPreview.objects.get())
    browser.press("Pair the two", first=third, second=fourth, reason="They asked for it")
    assert browser.says("The round is paired again.")
    assert not browser.says("dropped, because")
    assert {frozenset(pair) for pair in round_previews.preview_seats(RoundPreview.objects.get())} == {
        frozenset(pair) for pair in swapped
    }
    partner = next(right for left, right in swapped if left == second)
    browser.press("Keep them apart", first=second, second=partner, reason="Father and son")
    assert browser.says("1 swap was dropped, because it does not fit the new pairs.")
    assert not browser.says("One car for both")


def test_the_public_page_of_the_draw_lists_pairs_set_by_hand_after_the_release(browser, made, owner):
    ana, bea, cem, dan, *_ = [str(pk) for pk in made.entries.values_list("pk", flat=True)]
    open_page(browser, made).press("Pair the two", first=ana, second=bea, reason="They asked for it")
    browser.press("Keep them apart", first=cem, second=dan, reason="Father and son")
    assert not browser.open("draw-proof", *at(made)).says("They asked for it")
    rounds.pair_next_round(made.pk, owner)
    browser.open("draw-proof", *at(made))
    assert browser.says("They asked for it")
    assert browser.says("Father and son")


def test_one_tap_pairs_the_round_as_the_tournament_is_set(browser, made):
    open_page(browser, made).press("Save", round_release="after_preview")
    browser.open("draw", *at(made))
    assert not browser.has_button("Pair and release")
    browser.press("Preview round 2")
    assert (Round.objects.count(), RoundPreview.objects.count()) == (1, 1)
    browser.open("draw", *at(made))
    assert browser.says("Check and release round 2")
    assert not browser.has_button("Preview round 2")
    open_page(browser, made).press("Save", round_release="at_once")
    assert Tournament.objects.get(pk=made.pk).round_release == "at_once"


def test_the_desk_says_when_a_round_is_paired_automatically_and_stops_it(browser, made, owner):
    open_page(browser, made).press("Save", round_release="automatic", release_grace="61")
    assert browser.status == 422
    for pairing in stories.pairings(made):
        desk.retract(pairing, "Played again", owner)
    browser.press("Save", round_release="automatic", release_grace="60")
    for pairing in stories.playable(made):
        stories.play(pairing, owner)
    assert browser.open("event-desk", made.event.slug).says("Round 2 is paired automatically at")
    browser.press("Stop Open")
    assert browser.says("Round 2 is not paired automatically.")
    assert browser.press("Undo").says("is paired automatically again")
    browser.open("desk", *at(made)).press("Stop")
    open_page(browser, made).press("Resume")
    assert browser.says("Round 2 is paired automatically at")


def test_an_outdated_preview_is_paired_again(browser, owner, made):
    round_previews.preview_next_round(made.pk, owner)
    entry = made.entries.first()
    entry.withdrawn_at = stories.pairings(made).first().match.opened_at
    entry.save()
    open_page(browser, made)
    assert browser.says("Pair it again before you release it.")
    assert not browser.has_button("Release round 2")
    browser.press("Pair again").press("Release round 2")
    assert Round.objects.count() == 2


def test_a_knock_out_has_no_page_of_a_next_round(browser, owner):
    assert open_page(browser, stories.released(owner, 4)).status == 404


def test_every_page_of_staff_leads_to_the_next_round(browser, made):
    for name in ("entries", "desk", "slips"):
        assert browser.open(name, *at(made)).has_button("Pair and release round 2"), name
        assert browser.has_button("Preview round 2"), name
    assert browser.open("event-overview", made.event.slug).says("Round 1 is complete.")
    browser.press("Pair and release round 2")
    assert Round.objects.count() == 2
