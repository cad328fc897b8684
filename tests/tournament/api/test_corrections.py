"""Corrections over the API: preview, permission, retraction as previewed, and undo."""

import pytest

from tests.tournament import stories
from tests.tournament.access import database_rows
from tournament.brackets import advancing
from tournament.draw.formats import Format, Kind
from tournament.drawing import rounds
from tournament.entries import reentry
from tournament.entries.reentry import ReentryTerms
from tournament.models import Correction, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]
TAKEN_BACK = {"kind": "retracted"}
TOLD = {"currency": "EUR", "tables": {"main": {"1": "300", "2": "Trophy", "3": "45", "4": "45"}}}


@pytest.fixture
def played(hall):
    """Two semifinals are played, and the final waits to be."""
    Tournament.objects.filter(pk=hall.tournament.pk).update(prizes=TOLD)
    stories.play(hall.pairing, hall.owner)
    stories.play(hall.second_pairing, hall.owner)
    return hall


def final_of(hall):
    return stories.pairings(hall.tournament).get(round__number=2)


def seats(hall):
    columns = "pk", "left", "right", "winner", "settled", "match", "match__state"
    return list(stories.pairings(hall.tournament).order_by("pk").values_list(*columns))


def is_refused(answer, code: str) -> bool:
    return (answer.status_code, answer.json()["code"]) == (409, code)


def test_a_result_is_taken_back_as_it_was_shown_and_given_back_when_that_is_undone(
    played, directing, at_desk, left, stranger
):
    here = f"/pairings/{played.pairing.pk}/corrections"
    early = directing.post(f"{here}/preview/", TAKEN_BACK).json()
    assert [match["stage"] for match in early["affected"]] == ["not_started"]
    assert [prize["before"] for prize in early["prizes"]] == [
        {"amount": "45.00", "labels": [], "among": 2, "currency": "EUR", "besides": []}
    ]
    final = final_of(played)
    stories.play(final, played.owner)
    sent, before, rows = {**TAKEN_BACK, "reason": "Never played"}, seats(played), database_rows.rows()
    for program, status in ((at_desk, 403), (left, 403), (stranger, 401)):
        for address, body in (
            (f"{here}/preview/", TAKEN_BACK),
            (f"{here}/", {**sent, "digest": early["digest"]}),
        ):
            assert program.post(address, body).status_code == status
    stale = directing.post(f"{here}/", {**sent, "digest": early["digest"]})
    assert is_refused(stale, "preview-changed")
    preview = stale.json()["preview"]
    assert (preview["affected"][0]["pairing"], preview["affected"][0]["treatment"]) == (final.pk, "cancel")
    champion = next(prize for prize in preview["prizes"] if prize["entry_id"] == str(final.left_id))
    assert (champion["bracket"], champion["before"]["amount"], champion["after"]) == ("main", "300.00", None)
    for wrong in ({"winner": final.left_id}, {"left": 1, "right": 0}):
        assert is_refused(directing.post(f"{here}/preview/", {**TAKEN_BACK, **wrong}), "nothing-decided")
    without_reason = {**TAKEN_BACK, "digest": preview["digest"], "reason": " "}
    assert directing.post(f"{here}/", without_reason).status_code == 400
    assert database_rows.rows() == rows
    made = directing.post(f"{here}/", {**sent, "digest": preview["digest"]})
    assert (made.status_code, made.json()["pairing"]) == (201, played.pairing.pk)
    assert final_of(played).match is None
    results = stranger.get(f"{played.here}/results/").json()["results"]
    assert [result["pairing"] for result in results] == [played.second_pairing.pk]
    assert stranger.get(f"{played.match}/").json()["state"] == "open"
    assert is_refused(directing.post(f"{here}/preview/", TAKEN_BACK), "nothing-posted")
    undo = f"/corrections/{made.json()['id']}/undo/"
    assert [program.post(undo).status_code for program in (stranger, left, at_desk)] == [401, 403, 403]
    assert [directing.post(undo).status_code for _ in "12"] == [204, 204]
    assert seats(played) == before


def test_the_winner_follows_from_the_score(played, directing):
    here = f"/pairings/{played.pairing.pk}/corrections"
    sides = {"left": played.pairing.left_id, "right": played.pairing.right_id}
    digests = {
        side: directing.post(f"{here}/preview/", {"kind": "played", **score}).json()["digest"]
        for side, score in (("left", {"left": 3, "right": 1}), ("right", {"left": 1, "right": 3}))
    }
    for side, winner in sides.items():
        correction = {"kind": "played", "winner": winner, "left": 1, "right": 1, side: 3}
        assert directing.post(f"{here}/preview/", correction).json()["digest"] == digests[side]
    tied = directing.post(f"{here}/preview/", {"kind": "played", "left": 1, "right": 1})
    assert tied.status_code in (409, 422)


def test_a_retraction_names_the_kept_matches_it_releases(played, directing):
    final = final_of(played)
    stories.play(final, played.owner)
    for pairing, keep, lifted in ((played.pairing, [final.pk], []), (final, [], [(final.pk, "left")])):
        here = f"/pairings/{pairing.pk}/corrections"
        body = {**TAKEN_BACK, "keep": keep}
        preview = directing.post(f"{here}/preview/", body).json()
        assert [(seat_row["pairing"], seat_row["seat"]) for seat_row in preview["lifted"]] == lifted
        made = directing.post(f"{here}/", {**body, "digest": preview["digest"], "reason": "Never played"})
        assert made.status_code == 201
        assert (final_of(played).winner_id is not None) == bool(keep)
    assert final_of(played).left_id is None
    advancing.advance_waiting()
    assert Correction.objects.filter(undone_at=None).count() == 2


def test_the_preview_names_the_effects_on_paired_rounds(owning, played):
    made = stories.released(played.owner, 8, format=Format(Kind.LIVES, lives=1))
    for pairing in stories.playable(made):
        stories.play(pairing, played.owner)
    rounds.pair_next_round(made.pk, played.owner)
    first = stories.pairings(made).filter(round__number=1, right__isnull=False)[0]
    body = {"kind": "walkover", "winner": str(first.right_id)}
    preview = owning.post(f"/pairings/{first.pk}/corrections/preview/", body).json()
    assert preview["rounds_after"] == {
        "first": 2,
        "last": 2,
        "out": [str(first.left_id)],
        "missing": [str(first.right_id)],
        "twice": [],
        "can_be_taken_back": True,
    }
    assert preview["in_twice"] == []


def test_the_preview_names_a_second_entry_whose_first_would_be_in_again(owning, played):
    made = stories.released(played.owner, 7)
    reentry.set_terms(made.pk, ReentryTerms(allowed=True), played.owner)
    row = stories.playable(made)[0]
    stories.play(row, played.owner)
    again = reentry.re_enter(row.right, played.owner)
    body = {"kind": "walkover", "winner": str(row.right_id)}
    preview = owning.post(f"/pairings/{row.pk}/corrections/preview/", body).json()
    assert (preview["in_twice"], preview["rounds_after"]) == ([str(again.pk)], None)
