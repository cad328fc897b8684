"""Results of unfinished matches and the clock of a match, at the desk and on a phone."""

from dataclasses import replace

import pytest
from django.test import Client

from matches.models import CardRow, Match
from rules.ruleset import PRESETS, ClockExpiry
from tests.tournament import stories
from tests.tournament.pages.places import at, match
from tournament.brackets.clocks import RoundClock
from tournament.drawing import rounds
from tournament.models import Result, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


def test_a_loss_by_penalty_points_is_posted_with_its_score(at_desk, hall):
    at_desk.open("desk-match", *match(hall.pairing))
    at_desk.press("Post result", outcome="penalty:right", reason="45 minutes late")
    assert at_desk.status == 422
    assert at_desk.says("The score is missing.")
    at_desk.press("Post result", outcome="penalty:right", left_points=1, right_points=3)
    assert at_desk.says("lost by penalty points")
    result = Result.objects.get()
    assert (result.kind, result.winner_id, result.left_points, result.right_points) == (
        "penalty", hall.pairing.right_id, 1, 3,
    )  # fmt: skip


def test_the_director_names_the_winner_of_an_abandoned_match(at_desk, hall):
    at_desk.open("desk-match", *match(hall.pairing))
    at_desk.press("Post result", outcome="walkover:left", left_points=3, right_points=0)
    assert at_desk.says("A match without play has no score.")
    at_desk.press("Post result", outcome="unfinished:left", left_points=3, right_points=2)
    assert at_desk.says("This score is impossible in a match to 3.")
    at_desk.press("Post result", outcome="unfinished:left", left_points=1, right_points=2)
    assert at_desk.says("abandoned")
    assert Result.objects.get().winner_id == hall.pairing.left_id


def test_clock_settings_are_shown_at_the_desk_and_on_the_phone(at_desk, hall):
    phone = Client()
    phone.cookies["link"] = hall.left
    card = f"/me/{hall.pairing.match_id}/"
    assert "s a move" not in phone.get(card).content.decode()
    Tournament.objects.filter(pk=hall.tournament.pk).update(uses_clocks=True)
    assert "6:00 each + 12 s a move" in phone.get("/me/").content.decode()
    Tournament.objects.filter(pk=hall.tournament.pk).update(uses_clocks=False)
    clock = RoundClock(100, 8)
    rounds.change_round_clock(hall.pairing.round_id, hall.tournament.pk, clock, hall.owner)
    at_desk.open("desk-match", *match(hall.pairing))
    assert at_desk.says("5:00 each + 8 s a move")
    assert "5:00 each + 8 s a move" in phone.get(card).content.decode()
    none = RoundClock(0, 0)
    rounds.change_round_clock(hall.pairing.round_id, hall.tournament.pk, none, hall.owner)
    assert "s a move" not in phone.get(card).content.decode()


def test_a_clock_that_is_introduced_late_is_set_by_the_points_scored_so_far(at_desk, hall):
    at_desk.open("desk-match", *match(hall.pairing))
    assert not at_desk.says("Introduce clocks now")
    stories.begin(hall.pairing)
    at_desk.open("desk-match", *match(hall.pairing))
    assert at_desk.says("Set both clocks to")
    assert at_desk.says("5:00 each + 12 s a move")


def test_a_match_lost_on_time_keeps_its_score_and_is_offered_where_the_rules_know_it(at_desk, hall):
    at_desk.open("desk-match", *match(hall.pairing))
    assert at_desk.says(f"{hall.pairing.left.player.name}</bdi> lost on time")
    at_desk.press("Post result", outcome="clock:left", left_points=1, right_points=2)
    assert at_desk.says("lost on time")
    assert Result.objects.get().winner_id == hall.pairing.left_id
    rules = replace(PRESETS["tournament"], clock_expiry=ClockExpiry.OVERTIME)
    Match.objects.filter(pk=hall.second_pairing.match_id).update(ruleset=rules.as_json())
    at_desk.open("desk-match", *match(hall.second_pairing))
    assert not at_desk.says(f"{hall.second_pairing.left.player.name}</bdi> lost on time")


def test_a_penalty_says_what_it_was_given_for(at_desk, hall):
    at_desk.open("desk-match", *match(hall.pairing), query="?kind=penalty&card=left")
    at_desk.press("Save penalty", against="left", points=1, penalty_kind="late")
    assert CardRow.objects.get().penalty_kind == "late"
    assert at_desk.says("late")


def test_the_journal_describes_changes_by_hand_in_words(directing, hall):
    rounds.change_round_clock(hall.pairing.round_id, hall.tournament.pk, RoundClock(60, 8), hall.owner)
    directing.open("jackpots", *at(hall.tournament)).press("Open it")
    directing.open("reentry-terms", *at(hall.tournament)).press("Save", allowed="on")
    directing.open("event-journal", hall.tournament.event.slug)
    for words in ("changed a round", "opened a jackpot", "set the terms of re-entry", "Seconds a point"):
        assert directing.says(words)
