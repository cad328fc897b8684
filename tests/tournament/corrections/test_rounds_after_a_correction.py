"""Corrections of results from which a later round was paired: the preview for the director, and no failures."""

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from tests.tournament import stories
from tournament import corrections
from tournament.corrections import Change, consistency
from tournament.draw.formats import Format, Kind
from tournament.drawing import rounds
from tournament.models import ResultKind
from tournament.queries.corrections.preview import load_correction_page
from tournament.results import desk
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db
TAKEN_BACK = Change(ResultKind.RETRACTED, None)


def with_round_2_paired(actor, entries, chosen):
    """The first match of round 1, after all of round 1 was played and round 2 was paired."""
    made = stories.released(actor, entries, format=chosen)
    for pairing in stories.playable(made):
        stories.play(pairing, actor)
    rounds.pair_next_round(made.pk, actor)
    return made, stories.pairings(made).first()


def correct(pairing, change, actor):
    preview = corrections.preview(pairing.pk, change)
    corrections.correct(preview, preview.digest, "Wrong side", actor)


def test_flow_and_free_players_are_correct_with_more_open_matches_than_tables(actor):
    made, first = with_round_2_paired(actor, 4, Format(Kind.LIVES, lives=3))
    correct(first, TAKEN_BACK, actor)
    browser = Client()
    browser.force_login(actor.user)
    assert browser.get(reverse("forecast", args=[made.event.slug])).status_code == 200
    assert browser.get(f"/api/v1/events/{made.event.slug}/forecast/").status_code == 200
    with pytest.raises(Refused) as refused:
        rounds.pair_free_players(made.pk, actor)
    assert refused.value.code == "nobody-to-pair"


def test_free_players_are_paired_while_others_have_two_open_matches(actor):
    made = stories.released(actor, 8, format=Format(Kind.LIVES, lives=3))
    first, second, third, fourth = stories.playable(made)
    stories.play(first, actor)
    stories.play(second, actor)
    rounds.pair_free_players(made.pk, actor)
    correct(first, TAKEN_BACK, actor)
    stories.play(third, actor)
    stories.play(fourth, actor)
    paired = rounds.pair_free_players(made.pk, actor)
    seated = {seat for row in paired.pairings.all() for seat in (row.left_id, row.right_id)}
    assert seated == {third.left_id, third.right_id, fourth.left_id, fourth.right_id}
    assert consistency.differences(made.event) == []


@pytest.mark.parametrize("kind", [Kind.SWISS, Kind.LIVES])
def test_the_desk_cannot_open_a_match_beside_a_later_one_of_its_players(actor, kind):
    made, first = with_round_2_paired(actor, 4, Format(kind, rounds=3))
    with pytest.raises(Refused) as refused:
        desk.retract(first, "Not played", actor)
    assert refused.value.code == "next-round-paired"
    rounds.take_back_round(made.pk, "A result was wrong", actor)
    desk.retract(first, "Not played", actor)


def test_preview_and_rebuild_report_players_with_two_open_matches(actor, capsys):
    made, first = with_round_2_paired(actor, 4, Format(Kind.SWISS, rounds=3))
    report = load_correction_page(corrections.preview(first.pk, TAKEN_BACK)).rounds_after
    assert set(report.twice) == {first.left.name, first.right.name}
    assert (report.first, report.last, report.can_be_taken_back) == (2, 2, True)
    correct(first, TAKEN_BACK, actor)
    call_command("rebuild", made.event.slug, "--check")
    output = capsys.readouterr().out
    assert f"{first.left.name} has two open matches: main, round 1, line 1 and main, round 2, line" in output
    assert "Nothing differs." in output


def test_the_preview_and_its_page_list_players_without_lives_and_offer_to_undo_the_round(actor):
    made, first = with_round_2_paired(actor, 8, Format(Kind.LIVES, lives=1))
    change = Change(ResultKind.PLAYED, first.right_id, 1, 3)
    report = load_correction_page(corrections.preview(first.pk, change)).rounds_after
    assert report.out == (first.left.name,)
    assert report.missing == (first.right.name,)
    assert report.twice == ()
    browser = Client()
    browser.force_login(actor.user)
    address = reverse("desk-correct", args=[made.event.slug, made.slug, first.pk])
    page = browser.get(address, {"outcome": "played", "left": 1, "right": 3}).content.decode()
    assert "Round 2 is paired already" in page
    assert "has no life left, but has a match to play" in page
    assert "Take round 2 back" in page


def test_a_round_paired_after_the_preview_makes_it_stale(actor):
    made = stories.released(actor, 4, format=Format(Kind.SWISS, rounds=3))
    for pairing in stories.playable(made):
        stories.play(pairing, actor)
    first = stories.pairings(made).first()
    preview = corrections.preview(first.pk, Change(ResultKind.PLAYED, first.right_id, 1, 3))
    rounds.pair_next_round(made.pk, actor)
    with pytest.raises(corrections.PreviewChanged):
        corrections.correct(preview, preview.digest, "Wrong side", actor)


def test_a_round_robin_correction_does_not_mention_pairing_by_records(actor):
    made = stories.released(actor, 4, format=Format(Kind.ROUND_ROBIN))
    first = stories.playable(made)[0]
    stories.play(first, actor)
    page = load_correction_page(corrections.preview(first.pk, TAKEN_BACK))
    assert (page.rounds_after, page.stays) == (None, ())
