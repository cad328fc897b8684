"""Corrections on the director's page: preview, decision and undo."""

import re
from copy import deepcopy
from dataclasses import replace

import pytest

from matches.models import Match
from rules.ruleset import PRESETS
from tests.tournament import stories
from tournament.models import Correction

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def eight_of_module(actor_of_module):
    return stories.after_one_semifinal(actor_of_module, lengths=(5, 3))


@pytest.fixture
def eight(owner, client, eight_of_module):
    client.force_login(owner.user)
    return deepcopy(eight_of_module)


def at(made, round_number, line=1):
    return stories.pairings(made).get(round__number=round_number, line=line)


def address(made, round_number=1):
    return f"/e/{made.event.slug}/{made.slug}/desk/{at(made, round_number).pk}/correct/"


def digest_in(page) -> str:
    return re.search(r'name="digest" value="([0-9a-f]{64})"', page.content.decode())[1]


OTHER = {"outcome": "played", "left": "1", "right": "3"}


def test_a_previewed_correction_is_made_and_undone(eight, client):
    before = at(eight, 2).left_id
    page = client.get(address(eight), OTHER)
    answer = client.post(address(eight), {**OTHER, "digest": digest_in(page), "reason": "Wrong side"})
    assert answer.status_code == 302
    assert at(eight, 2).left_id == at(eight, 1).right_id
    made = Correction.objects.get()
    journal = client.get(f"/e/{eight.event.slug}/journal/?action=correct+with+consequences").content.decode()
    assert "3–2 → 1–3" in journal
    client.post(f"/e/{eight.event.slug}/{eight.slug}/corrections/{made.pk}/undo/")
    assert at(eight, 2).left_id == before


def test_a_match_kept_as_played_is_marked_so_in_the_next_preview(eight, client):
    semifinal = at(eight, 2)
    page = client.get(address(eight), {**OTHER, "keep": semifinal.pk})
    assert "checked" in page.content.decode()
    client.post(
        address(eight), {**OTHER, "keep": semifinal.pk, "digest": digest_in(page), "reason": "Record only"}
    )
    assert at(eight, 2).winner_id == semifinal.winner_id
    assert at(eight, 1).winner_id == at(eight, 1).right_id


def test_the_winner_is_swapped_by_one_link_and_the_reason_is_proposed(eight, client):
    page = client.get(address(eight)).content.decode()
    assert 'name="left" value="3"' in page
    assert 'name="right" value="2"' in page
    assert "?outcome=played&amp;left=2&amp;right=3#consequences" in page
    page = client.get(address(eight), {"outcome": "played", "left": "2", "right": "3"}).content.decode()
    assert 'value="Winner and loser were swapped"' in page
    assert "Swap the winner" not in page
    page = client.get(address(eight), {"outcome": "played", "left": "3", "right": "1"}).content.decode()
    assert 'value="The score was wrong"' in page


def test_the_preview_shows_consequences_and_without_a_reason_names_the_missing_field(eight, client):
    page = client.get(address(eight), OTHER)
    text = page.content.decode()
    assert "Matches that have begun: choose for each" in text
    assert "finished" in text
    assert "match 5" in text
    assert "round 2" not in text
    answer = client.post(address(eight), {**OTHER, "digest": digest_in(page), "reason": ""})
    assert answer.status_code == 422
    assert "needs a reason" in answer.content.decode()
    assert not Correction.objects.exists()


def test_an_outdated_preview_is_refused_and_replaced(eight, client, owner):
    page = client.get(address(eight), OTHER)
    stories.play(at(eight, 2, 2), owner)
    stories.play(at(eight, 3), owner)
    answer = client.post(address(eight), {**OTHER, "digest": digest_in(page), "reason": "Wrong side"})
    assert answer.status_code == 422
    assert "The consequences have changed" in answer.content.decode()
    assert digest_in(answer) != digest_in(page)
    assert not Correction.objects.exists()


def test_a_score_without_a_winner_is_refused_on_the_form(eight, client):
    answer = client.get(address(eight), {"outcome": "played", "left": "2", "right": "2"})
    assert answer.status_code == 422
    assert "One of the two has won" in answer.content.decode()


def test_a_typed_score_beside_an_outcome_without_one_asks_which_counts(eight, client):
    typed = client.get(address(eight), {"outcome": "settled:left", "left": "1", "right": "3"})
    assert (typed.status_code, "clear the score" in typed.content.decode()) == (422, True)
    as_posted = client.get(address(eight), {"outcome": "settled:left", "left": "3", "right": "2"})
    assert as_posted.status_code == 200


def test_invalid_values_in_the_address_cause_no_server_error(eight, client):
    for query in (
        {"outcome": "x"},
        {**OTHER, "keep": ["9" * 40, "-1", "\u00b2"]},
        {**OTHER, "left": "9" * 30},
    ):
        assert client.get(address(eight), query).status_code in (200, 422)


def test_a_match_without_a_result_cannot_be_corrected(eight, client):
    answer = client.get(address(eight, 3))
    assert answer.status_code == 409


def test_a_retraction_and_the_release_of_kept_matches_are_on_one_page(eight, client):
    semifinal, taken = at(eight, 2), {"outcome": "retracted"}
    page = client.get(address(eight), {**taken, "keep": semifinal.pk})
    assert "open again" in page.content.decode()
    client.post(
        address(eight), {**taken, "keep": semifinal.pk, "digest": digest_in(page), "reason": "Never played"}
    )
    assert (at(eight, 1).settled, at(eight, 2).settled) == ("", "played")
    desk = client.get(f"/e/{eight.event.slug}/{eight.slug}/desk/{semifinal.pk}/").content.decode()
    assert "No longer keep it as played" in desk
    page = client.get(address(eight, 2), taken)
    assert "No longer kept as played" in page.content.decode()
    client.post(address(eight, 2), {**taken, "digest": digest_in(page), "reason": "Kept by mistake"})
    assert (at(eight, 2).left_id, at(eight, 2).settled) == (None, "")
    assert (
        "Undo this correction"
        in client.get(f"/e/{eight.event.slug}/{eight.slug}/desk/{at(eight, 1).pk}/").content.decode()
    )
    wrong = client.get(address(eight), {"outcome": "played", "left": "1", "right": "2"})
    assert wrong.status_code == 422


def test_a_match_lost_on_time_is_offered_where_a_clock_loses_it_and_comes_with_its_score(eight, client):
    """TIME-2: where there is no clock, the page offers no such result and takes none."""
    first = at(eight, 1)
    late, left = {"outcome": "clock:right", "left": "1", "right": "2"}, first.left.name
    page = client.get(address(eight)).content.decode()
    assert f"{left}</bdi> lost on time" in page
    assert "the points above are the score at that moment" in page
    assert client.get(address(eight), {"outcome": "clock:right"}).status_code == 422
    page = client.get(address(eight), late)
    assert f"<bdi>{left}</bdi> lost on time" in page.content.decode()
    made = client.post(address(eight), {**late, "digest": digest_in(page), "reason": "His flag fell"})
    assert made.status_code == 302
    stands = at(eight, 1).results.get(superseded_by=None)
    assert (stands.kind, stands.winner_id) == ("clock", first.right_id)
    assert (stands.left_points, stands.right_points) == (1, 2)
    page = client.get(address(eight)).content.decode()
    assert re.search(r'value="clock:right"[^>]* checked', page)
    assert 'name="left" value="1"' in page
    Match.objects.filter(pk=first.match_id).update(
        ruleset=replace(PRESETS["tournament"], clock=None).as_json()
    )
    assert f"{left}</bdi> lost on time" not in client.get(address(eight)).content.decode()
    assert client.get(address(eight), late).status_code == 422
