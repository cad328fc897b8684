"""Settlements over the API: two phones agree, or the desk records it; and auctions of players."""

import pytest

from tests.tournament import stories
from tests.tournament.api.openapi import problem_of
from tests.tournament.money.stories import with_pot
from tests.tournament.money.test_hedging import agree
from tournament.ledger.balances import open_amounts
from tournament.models import Result
from tournament.queries.money.book_check import differences_in_books

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]
TERMS = {"currency": "EUR", "minimum": 10_00, "step": 5_00, "rake": 10_00, "split": [70, 30]}


def test_one_phone_proposes_and_the_other_accepts(left, right, elsewhere, hall):
    here, winner = f"{hall.match}/settlement/", hall.pairing.left_id
    assert problem_of(elsewhere.get(here)) == (404, "not-found")
    shown = left.get(here).json()
    assert (shown["stakes"], shown["why_not"], shown["proposal"]) == (None, "no_prizes", None)
    assert shown["left"]["percent"] + shown["right"]["percent"] == 100
    proposal = left.post(here, {"winner": winner}).json()["proposal"]
    assert (proposal["by"], proposal["winner"]) == (str(winner), str(winner))
    body = {"proposal": proposal["id"]}
    assert problem_of(left.post(f"{here}accept/", body)) == (409, "own-proposal")
    assert right.post(f"{here}close/", body).status_code == 204
    assert problem_of(right.post(f"{here}accept/", body)) == (409, "no-proposal")
    again = right.post(here, {"winner": winner}).json()["proposal"]
    assert left.post(f"{here}accept/", {"proposal": again["id"]}).status_code == 204
    result = Result.objects.get(pairing=hall.pairing)
    assert (result.kind, result.winner_id) == ("settled", winner)
    assert problem_of(elsewhere.post(f"{here}undo/")) == (404, "not-found")
    assert problem_of(right.post(f"{here}undo/")) == (409, "acceptance-final")
    assert left.post(f"{here}undo/").status_code == 204
    assert Result.objects.latest("posted_at").kind == "retracted"
    assert problem_of(left.post(f"{here}undo/"))[0] == 409


def test_the_desk_settles_a_match_with_the_prizes_and_takes_it_back(directing, at_desk, left, right, hall):
    directing.put(f"{hall.here}/fees/", {"fees": {"currency": "EUR", "entry": {"price": 30_00}}})
    parts = [{"bracket": "main", "places": [1, 1], "share": 6000}]
    parts += [{"bracket": "main", "places": [place, place], "share": 2000} for place in (2, 3)]
    directing.put(f"{hall.here}/prize-structure/", {"prizes": {"currency": "EUR", "parts": parts}})
    dollars = directing.put(f"{hall.here}/prize-structure/", {"prizes": {"currency": "USD", "parts": parts}})
    assert problem_of(dollars) == (409, "prizes-in-another-currency")
    here, winner = f"/pairings/{hall.pairing.pk}/settlement/", hall.pairing.left_id
    assert problem_of(at_desk.get(here)) == (403, "denied")
    shown = directing.get(here).json()
    (pot,) = shown["stakes"]["pots"]
    assert (shown["left"]["entry"], pot["first"]["minor"], pot["second"]["minor"]) == (
        str(winner),
        24_00,
        12_00,
    )
    assert not shown["stakes"]["is_complete"]
    agreed = {"winner": winner, "left": 20_00, "right": 16_00}
    assert problem_of(directing.post(here, {"winner": winner, "left": 1})) == (400, "invalid")
    assert problem_of(directing.post(here, {"winner": winner, "left": 1, "right": 1})) == (
        409,
        "settlement-sum",
    )
    assert directing.post(here, agreed).status_code == 204
    assert problem_of(directing.post(here, agreed))[0] == 409
    result = Result.objects.get(pairing=hall.pairing)
    hedge = f"{hall.match}/settlement/hedge/"
    assert problem_of(left.post(hedge, {"left": 5_00})) == (409, "posted-already")
    body = {"reason": "a mistake", "result": result.pk}
    assert directing.post(f"/pairings/{hall.pairing.pk}/retract/", body).status_code == 204
    proposed = left.post(hedge, {"left": 5_00}).json()
    assert [proposed["hedge"]["left"]["minor"], proposed["hedge_limits"]["left"]["minor"]] == [5_00, 24_00]
    assert right.post(f"{hedge}accept/", {"proposal": proposed["hedge"]["id"]}).status_code == 204
    assert directing.get(here).json()["hedge"]["is_accepted"]
    assert directing.post(here, agreed).status_code == 204


def test_an_opponent_does_not_learn_what_a_player_promised_in_an_earlier_match(left, elsewhere, hall):
    made = with_pot(hall.tournament, hall.owner)
    agree(hall.pairing, 30_00, 0)
    stories.play(hall.pairing, hall.owner)
    stories.play(hall.second_pairing, hall.owner)
    (final,) = stories.playable(made)
    side = "left" if final.left_id == hall.pairing.left_id else "right"
    limits = [
        program.get(f"/matches/{final.match_id}/settlement/").json()["hedge_limits"][side]["minor"]
        for program in (left, elsewhere)
    ]
    assert limits == [50_00, 80_00]


def test_a_program_records_an_auction(directing, stranger, hall):
    here = f"{hall.here}/calcutta/"
    assert problem_of(directing.get(here)) == (404, "not-found")
    assert problem_of(directing.put(here, {**TERMS, "split": [70]})) == (400, "invalid")
    assert directing.put(here, TERMS).json()["terms"] == {**TERMS, "is_public": False}
    player = hall.pairing.left
    lot = directing.post(f"{here}lots/", {"entries": [player.pk]}).json()["lots"][0]
    assert problem_of(directing.post(f"{here}lots/", {"entries": [player.pk]})) == (409, "lot-not-possible")

    def change(action, **body):
        nonlocal lot
        answer = directing.post(f"{here}lots/{lot['id']}/{action}/", {"state": lot["state"], **body})
        if answer.status_code == 200 and action != "remove":
            lot = answer.json()["lots"][0]
        return answer

    assert problem_of(change("bids", minor=20_00)) == (400, "invalid")
    assert problem_of(change("bids", minor=9_00, name="Guest")) == (409, "bid-too-low")
    first_state = lot["state"]
    change("bids", minor=20_00, name="Guest")
    late = {"state": first_state, "minor": 30_00, "name": "Late"}
    assert problem_of(directing.post(f"{here}lots/{lot['id']}/bids/", late)) == (409, "lot-changed")
    change("sell")
    change("buy-back", player=player.player_id)
    assert [(row["name"], row["share"], row["amount"]["minor"]) for row in lot["owners"]] == [
        ("Guest", "1/2", 10_00),
        (player.name, "1/2", 10_00),
    ]
    public = f"{hall.here}/auction/"
    assert problem_of(stranger.get(public)) == (404, "not-found")
    directing.put(here, {**TERMS, "is_public": True})
    owners = {"entries": [str(player.pk)], "is_sold": True, "owners": ["Guest", player.name]}
    assert stranger.get(public).json() == {"lots": [{"number": 1, "is_field": False, **owners}]}
    change("shares", player=player.player_id, parts=0)
    assert open_amounts(hall.tournament.event_id, [player.player_id]) == {}
    assert directing.get(here).json()["pot"]["minor"] == 18_00
    assert problem_of(directing.post(f"{here}awards/", {})) == (409, "nothing-to-award")
    assert problem_of(directing.delete(here)) == (409, "lots-are-sold")
    for _sale_and_bid in range(2):
        change("undo")
    assert problem_of(change("steal")) == (404, "not-found")
    assert change("remove").json()["lots"] == []
    assert problem_of(directing.post(f"{here}lots/", {"each": True, "is_field": True})) == (400, "invalid")
    each = [directing.post(f"{here}lots/", {"each": True}) for _repeated in range(2)]
    assert [len(lot["entries"]) for lot in each[0].json()["lots"]] == [1] * 4
    assert problem_of(each[1]) == (409, "lot-not-possible")
    assert directing.delete(here).status_code == 204
    assert differences_in_books(hall.tournament.event) == []
