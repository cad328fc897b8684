"""Choosing how a tournament is played: from a preset, then changed; what cannot be played is said beside its field."""

import pytest

from tests.tournament import stories
from tests.tournament.pages.places import at
from tests.tournament.pages.tournaments.filling import fill, make
from tournament.draw.formats import Format, Kind
from tournament.draw.formats.presets import FORMAT_PRESETS
from tournament.draw.standings import SITTING_OUT_IS_NOTHING, StandIn, TieBreak
from tournament.models import Tournament
from tournament.pages.tournaments.forms import TournamentForm, first_initial, initial_of, preset_initial

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(owner):
    return stories.event(owner)


def from_preset(preset: str, **typed: object) -> TournamentForm:
    """The form of a new tournament that begins with this preset."""
    return fill(preset_initial(FORMAT_PRESETS[preset]), **typed)


@pytest.mark.parametrize("key", FORMAT_PRESETS)
def test_a_preset_creates_the_described_tournament(owner, key):
    made, preset = make(owner, from_preset(key)), FORMAT_PRESETS[key]
    assert Format.from_json(made.format) == preset.format
    assert tuple(made.lengths) == preset.lengths
    assert {name: tuple(lengths) for name, lengths in made.side_lengths.items()} == preset.side_lengths
    assert (made.games, made.minutes) == (preset.games, None)


@pytest.mark.parametrize("fields", [{"games": 0}, {"played": "minutes", "minutes": 1441}])
def test_impossible_sessions_are_refused(fields):
    assert set(from_preset("stake-round-robin", **fields).errors) == {
        "games" if "games" in fields else "minutes"
    }


def test_lengths_of_lives_are_given_from_the_final_backwards_and_explained(browser, owner):
    made = make(owner, from_preset("lives", length_0=9, length_1=7, others=5))
    assert made.lengths == [9, 7, 5]
    sentence = "two play the final, three or four the semifinals"
    assert browser.open("tournament-edit", *at(made)).says(sentence)
    stories.draw_and_release(made, owner, 5)
    assert browser.open("draw", *at(made)).says(sentence)


def test_a_preset_is_changed_before_it_is_made(browser, event):
    browser.open("tournament-new", event.slug, query="?preset=weekend")
    chosen = {"last_chance": "simple", "last_chance_rounds": 2, "lengths_consolation": "5 3"}
    browser.press("Create tournament", name="Open", **chosen)
    made = Tournament.objects.get()
    stored = Format.from_json(made.format)
    assert (stored.last_chance, stored.last_chance_rounds) == ("simple", 2)
    assert made.side_lengths["consolation"] == [5, 3]


def test_fields_of_another_kind_count_for_nothing(owner):
    made = make(owner, from_preset("weekend", kind="swiss", rounds=7))
    assert Format.from_json(made.format) == Format(kind=Kind.SWISS, rounds=7)
    assert (made.lengths, made.side_lengths) == ([11], {})


def test_a_drop_notation_is_kept_as_typed(owner):
    form = from_preset("club-night", consolation="notation", consolation_notation="A.B.C.D.|.|")
    made = make(owner, form)
    assert made.format["consolation"] == "A.B.C.D.|.|"
    fields = initial_of(made)
    assert (fields["consolation"], fields["consolation_notation"]) == ("notation", "A.B.C.D.|.|")


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"kind": "swiss", "rounds": ""}, "Set the number of rounds."),
        ({"kind": "lives", "stop": "rounds", "rounds": ""}, "Set the number of rounds after which the event stops."),
        ({"consolation": "notation", "consolation_notation": "A.A"}, "can drop only once"),
        ({"consolation": "notation", "consolation_notation": ""}, "Enter the drop notation"),
        ({"consolation": "", "last_chance": "simple"}, "Choose one first."),
        ({"kind": "groups", "groups": 1}, "greater than or equal to 2"),
        ({"lengths_consolation": "9, seven"}, "Enter numbers from 1 to 99"),
        ({"kind": "swiss", "rounds": 3, "tie_break_1": "lot", "tie_break_2": "lot"}, "Name each tie-break once"),
    ],
)  # fmt: skip
def test_an_impossible_format_is_refused(typed, sentence):
    errors = from_preset("club-night", **typed).errors
    assert sentence in " ".join(error for of_field in errors.values() for error in of_field)


def test_a_wrong_notation_names_its_own_fault_alone_and_creates_nothing(browser, event):
    browser.open("tournament-new", event.slug, query="?preset=weekend")
    browser.press("Create tournament", name="Open", consolation="notation", consolation_notation="A.A")
    assert browser.status == 422
    assert browser.says("can drop only once")
    assert not browser.says("Choose one first.")
    assert not Tournament.objects.exists()


def test_tie_breaks_are_asked_in_the_order_given(owner):
    form = from_preset(
        "swiss", tie_break_1="", tie_break_2="cumulative", tie_break_3="lot", tie_break_4="",
        bye_counts="nothing", walkover_stand_in="nothing", walkover_credited="on",
    )  # fmt: skip
    made = make(owner, form)
    rules = Format.from_json(made.format).standings
    assert rules.tie_breaks == (TieBreak.CUMULATIVE, TieBreak.LOT)
    assert not rules.counting.bye.wins
    assert (rules.counting.walkover.stand_in, rules.counting.walkover.credited) == (StandIn.NOTHING, True)


def test_what_the_form_does_not_ask_for_stays_when_it_is_saved(browser, owner):
    many = ["play_off", *(each.value for each in TieBreak if each not in {TieBreak.SCORE, TieBreak.PLAY_OFF})]
    made = stories.tournament(
        owner, format=Format(Kind.GROUPS), side_lengths={"play-off": (7, 5), "group": (3,)}
    )
    made.format["standings"]["tie_breaks"] = many
    made.save()
    stored = made.format
    browser.open("tournament-edit", *at(made)).press("Save", lengths_group="5")
    made.refresh_from_db()
    assert made.format == stored
    assert made.side_lengths == {"play-off": [7, 5], "group": [5]}
    page = browser.open("tournament-new", made.event.slug, query="?preset=round-robin")
    assert 'value="play_off"' not in page.text
    assert "performance_rating" not in page.text


def test_sitting_out_of_a_round_robin_counts_nothing(owner):
    made = make(owner, from_preset("round-robin"))
    assert Format.from_json(made.format).standings.counting == SITTING_OUT_IS_NOTHING


def test_the_choices_of_the_last_tournament_are_a_beginning_too(owner):
    fields = first_initial(make(owner, from_preset("lives", lives=2)))
    assert (fields["kind"], fields["lives"], fields["others"]) == ("lives", 2, 5)


def test_after_the_draw_the_format_stays_and_the_name_can_change(browser, owner):
    made = stories.drawn(owner, 4, format=Format(kind=Kind.DOUBLE, reset=True))
    browser.open("tournament-edit", *at(made)).press("Save", name="Late name")
    made.refresh_from_db()
    assert (made.name, Format.from_json(made.format)) == ("Late name", Format(kind=Kind.DOUBLE, reset=True))


def test_a_double_round_robin_can_be_chosen(owner):
    made = make(owner, from_preset("round-robin", meetings=2))
    assert initial_of(made)["meetings"] == 2
    stories.draw_and_release(made, owner, 4)
    assert stories.pairings(made).count() == 12


def test_another_preset_keeps_what_was_typed(browser, event):
    browser.open("tournament-new", event.slug, query="?preset=weekend")
    browser.press("Swiss, 5 rounds", name="Open", prizes_main="300, 150", confirm_after="45", others="9")
    assert not Tournament.objects.exists()
    fields = browser.fields("Create tournament")
    typed = {name: fields[name] for name in ("name", "prizes_main", "confirm_after", "others", "kind")}
    assert typed == {
        "name": "Open", "prizes_main": "300, 150", "confirm_after": "45", "others": "9", "kind": "swiss",
    }  # fmt: skip
    assert not fields["length_0"]
    browser.press("Monrad, 5 rounds").press("Create tournament")
    made = Tournament.objects.get()
    assert (made.name, made.lengths, made.confirm_after) == ("Open", [9], 45)
    assert Format.from_json(made.format).kind is Kind.MONRAD


def test_another_preset_brings_its_own_format_and_what_nobody_changed(browser, event):
    browser.open("tournament-new", event.slug, query="?preset=swiss")
    browser.press("Round robin", kind="lives", final_score_allowed=None, name="<b>Open</b>")
    fields = browser.fields("Create tournament")
    assert (fields["kind"], fields["others"]) == ("round_robin", "5")
    assert fields["name"] == "<b>Open</b>"


def after_another_preset(form: TournamentForm, key: str) -> TournamentForm:
    return TournamentForm(initial={**preset_initial(FORMAT_PRESETS[key]), **form.typed_by_hand()})


def test_another_preset_brings_its_lengths_and_keeps_those_typed_by_hand():
    form = after_another_preset(from_preset("weekend", lengths_consolation="3"), "groups")
    names = ("lengths_group", "length_0", "others", "lengths_consolation")
    assert [form[name].value() for name in names] == ["5", 9, 7, "3"]
    assert not form["lengths_last_chance"].value()


def test_a_box_ticked_by_hand_stays_and_so_does_what_is_wrong():
    form = after_another_preset(fill(doubles="on", others="seven"), "swiss")
    assert (bool(form["doubles"].value()), form["others"].value()) == (True, "seven")


def test_the_first_button_of_the_form_makes_the_tournament(browser, event):
    """A browser presses it for the Enter key in a text field."""
    browser.open("tournament-new", event.slug)
    whole = browser.text
    first = whole.index('form="form"')
    assert "preset" not in whole[whole.rindex("<", 0, first) : whole.index(">", first)]
