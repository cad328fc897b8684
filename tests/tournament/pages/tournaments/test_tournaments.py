"""Setting up a tournament: lengths as a director says them, a ruleset with own changes, how results are confirmed."""

from dataclasses import fields, replace

import pytest

from rules.ruleset import PRESETS, CrawfordForm, Ruleset
from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import at
from tests.tournament.pages.tournaments.filling import fill, make
from tournament.draw.formats import Format
from tournament.drawing import draws
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.models import Tournament
from tournament.pages.tournaments.forms import TournamentForm, initial_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(owner):
    return stories.event(owner)


def test_final_11_semifinals_9_others_7(browser, event):
    browser.open("tournament-new", event.slug)
    names = {name for name in TournamentForm().fields if not name.startswith("tie_break_")}
    assert names <= browser.buttons("Create tournament")[0][0].names
    assert browser.fields("Create tournament")["others"] == "9"
    assert browser.says("Usual lengths: 10, 20, 50.")
    browser.press("Create tournament", name="Open", length_0=11, length_1=9, others=7)
    made = Tournament.objects.get()
    assert made.lengths == [11, 9, 7]
    assert browser.path == f"/e/{event.slug}/{made.slug}/entries/"


def test_a_round_left_empty_is_played_to_the_length_of_the_others(owner):
    made = make(owner, fill(length_0=11, length_3=9, others=5))
    assert made.lengths == [11, 5, 5, 9, 5]
    fields = initial_of(made)
    assert [fields[name] for name in ("length_0", "length_1", "length_3", "others")] == [11, 5, 9, 5]


def test_one_length_for_all(owner):
    assert make(owner, fill(others=3)).lengths == [3]


def test_a_length_no_match_can_have_is_refused_and_stays_in_the_form(browser, event):
    browser.open("tournament-new", event.slug).press("Create tournament", name="Open", length_0="0")
    assert browser.status == 422
    assert browser.says("Enter a number from 1 to 99.")
    fields = browser.fields("Create tournament")
    assert (fields["name"], fields["length_0"]) == ("Open", "0")
    for length in ("100", "seven"):
        assert fill(length_0=length).errors["length_0"] == ["Enter a number from 1 to 99."]


def test_a_known_sheet_can_be_chosen(owner):
    made = make(owner, fill(sheet="fundex-5730", lengths_proposed_for="fundex-5730"))
    assert Ruleset.from_json(made.ruleset) == PRESETS["fundex-5730"]
    assert make(owner, fill(sheet="fundex-5730", others=5)).lengths == [5], "chosen with the rules"


def test_own_changes_are_kept_with_the_sheet_they_change(owner):
    made = make(owner, fill(sheet="standard", crawford="off", beavers="any", jacoby="yes"))
    ruleset = Ruleset.from_json(made.ruleset)
    assert (ruleset.name, ruleset.crawford, ruleset.beavers) == ("standard", CrawfordForm.OFF, None)
    assert ruleset.jacoby
    chosen = {name: initial_of(made)[name] for name in ("sheet", "crawford", "beavers", "jacoby", "cube")}
    assert chosen == {"sheet": "standard", "crawford": "off", "beavers": "any", "jacoby": "yes", "cube": ""}


OTHER = {
    "opening": "roll_again",
    "automatic_doubles": "2",
    "dice_obligation": "all",
    "bear_off": "lower_allowed",
    "hit_checker_first": "yes",
    "cube": "no",
    "cube_timing": "any_time",
    "first_double": "after_first_throw",
    "cube_limit": "512",
    "beavers": "3",
    "crawford": "off",
    "crawford_after_penalty": "no",
    "uncubed_single": "checkers_left",
    "backgammon_counts_bar": "no",
    "jacoby": "yes",
    "suggested_lengths": "5, 7",
    "late_ladder": "no",
    "clock": "no",
    "clock_expiry": "overtime",
    "title": "House rules",
}


def test_the_form_offers_every_field_of_a_ruleset():
    assert set(OTHER) | {"name"} == {field.name for field in fields(Ruleset)}


@pytest.mark.parametrize("changed", [{"cube"}, set(OTHER) - {"cube"}], ids=["no cube", "all others"])
def test_every_field_of_a_ruleset_can_be_changed_and_changed_back(owner, changed):
    typed = {"rules_title" if field == "title" else field: OTHER[field] for field in changed}
    made = make(owner, fill(**typed))
    ruleset, usual = Ruleset.from_json(made.ruleset), PRESETS["tournament"]
    assert [field for field in changed if getattr(ruleset, field) == getattr(usual, field)] == []
    assert {name: initial_of(made)[name] for name in typed} == typed
    again = make(owner, fill(initial_of(made), name="Masters"))
    assert (again.name, again.ruleset) == ("Masters", made.ruleset)
    back = make(owner, fill(initial_of(made), **dict.fromkeys(typed, "")))
    assert Ruleset.from_json(back.ruleset) == usual


def test_every_figure_of_lateness_and_clocks_can_be_changed(owner):
    usual = PRESETS["tournament"]
    parts = {"late_ladder": usual.late_ladder, "clock": usual.clock}
    typed = {f"{part}_{figure.name}": 42 for part, figures in parts.items() for figure in fields(figures)}
    made = make(owner, fill(**typed))
    assert {*made.ruleset["late_ladder"].values(), *made.ruleset["clock"].values()} == {42}
    assert {initial_of(made)[name] for name in typed} == {42}


def test_a_figure_out_of_range_is_refused():
    errors = fill(late_ladder_lost_beyond_percent=101, suggested_lengths="0").errors
    assert set(errors) == {"late_ladder_lost_beyond_percent", "suggested_lengths"}
    assert "Enter numbers from 1 to 999" in errors["suggested_lengths"][0]


def test_values_that_a_program_chose_stay_when_the_form_is_saved(browser, owner):
    own = {"automatic_doubles": 7, "cube_limit": 2**15, "beavers": 9, "late_ladder": None}
    ruleset = replace(PRESETS["standard"], crawford_after_penalty=False, **own)
    made = stories.tournament(owner)
    made.ruleset = ruleset.as_json()
    made.save()
    browser.open("tournament-edit", *at(made)).press("Save", name="Masters")
    made.refresh_from_db()
    assert made.name == "Masters"
    assert replace(Ruleset.from_json(made.ruleset), title=ruleset.title) == ruleset


def test_a_new_tournament_does_not_compare_the_margin_unless_asked(owner):
    made = make(owner, fill(kind="swiss", rounds=3))
    assert not Format.from_json(made.format).is_by_margin


def test_other_rules_propose_their_usual_length_before_anything_is_made(browser, event):
    browser.open("tournament-new", event.slug).press("Create tournament", name="Open", sheet="fundex-5730")
    assert browser.status == 422
    assert browser.says("These rules are usually played to 10, 20, 50 points.")
    assert not Tournament.objects.exists()
    assert browser.fields("Create tournament")["others"] == "10"
    browser.press("Create tournament", others=9)
    assert Tournament.objects.get().lengths == [9], "a length kept against the proposal"


def test_what_was_chosen_last_time_is_filled_in_and_results_may_wait_for_somebody(browser, owner):
    chosen = {"length_0": 15, "others": 9, "sheet": "fundex-5730", "confirm_after": ""}
    made = make(owner, fill(**chosen))
    assert made.confirm_after is None
    fields = browser.open("tournament-new", made.event.slug).fields("Create tournament")
    assert {name: fields[name] for name in chosen} == {name: str(value) for name, value in chosen.items()}
    assert not fields["name"]
    browser.open("tournament-edit", *at(made)).press("Save", confirm_after="45")
    made.refresh_from_db()
    assert made.confirm_after == 45


def test_after_the_draw_rules_and_lengths_stay_and_the_rest_can_change(browser, owner):
    made = stories.entered(owner, 4, lengths=(5, 3))
    stale = browser.open("tournament-edit", *at(made)).fields("Save")
    draws.make(made.pk, draws.DrawPlan(), owner)
    sent = {**stale, "others": 9, "sheet": "standard", "name": "Late name"}
    browser.client.post(f"/e/{made.event.slug}/{made.slug}/setup/", sent)
    made.refresh_from_db()
    assert (made.name, made.lengths, made.ruleset["name"]) == ("Late name", [5, 3], "tournament")
    browser.open("tournament-edit", *at(made))
    assert browser.says("Rules and lengths are locked after the draw.")


def test_no_tournament_takes_the_address_of_a_page(browser, event):
    browser.open("tournament-new", event.slug).press("Create tournament", name="People")
    made = Tournament.objects.get()
    assert made.slug == "people-2"
    assert browser.open("entries", *at(made)).says("No entries yet")


def test_a_tournament_of_another_own_event_is_a_template(browser, owner):
    past = make(owner, fill(length_0=15, others=9, sheet="fundex-5730"))
    new = stories.event(owner, "Next week")
    assert not browser.open("tournament-new", new.slug).has_button("Like Open")
    registration.enter(past.pk, EntryDetails(PlayerDetails("Ana")), owner)
    browser.open("tournament-new", new.slug).press("Like Open")
    fields = browser.fields("Create tournament")
    assert (fields["length_0"], fields["others"], fields["sheet"]) == ("15", "9", "fundex-5730")
    browser.press("Create tournament", name="Open")
    assert new.tournaments.get().lengths == past.lengths
    stranger = stories.director("stranger")
    strange_event = stories.event(stranger, "Elsewhere")
    assert not Browser(stranger.user).open("tournament-new", strange_event.slug).has_button("Like Open")
