"""Fees over the API: prices of the event, choices of entries, refunds, withdrawals, and debts that are waived."""

import pytest

from tests.tournament.api.openapi import problem_of
from tournament.entries import registration
from tournament.ledger.balances import open_amounts
from tournament.queries.money.book_check import differences_in_books

pytestmark = pytest.mark.django_db
POOL = {"key": "1", "name": "Gold", "fee": {"price": 10_00}}
FEES = {"currency": "EUR", "entry": {"price": 20_00, "prices": {"student": 12_00}}, "pools": [POOL]}
EVENT_FEES = {"currency": "EUR", "registration": {"price": 7_00}}


@pytest.fixture
def debts(hall):
    def read():
        players = {player.pk: player.name for player in hall.tournament.event.players.all()}
        rows = open_amounts(hall.tournament.event_id, players)
        return {players[player]: amounts["EUR"] for player, amounts in rows.items()}

    return read


def test_the_fees_of_an_event_are_previewed_and_confirmed(directing, hall, debts):
    fees = f"/events/{hall.tournament.event.slug}/fees/"
    assert directing.get(fees).json()["fees"] == {}
    assert len(directing.put(fees, {"fees": EVENT_FEES}).json()["differences"]) == 4
    assert directing.get(fees).json()["fees"] == EVENT_FEES
    none = {"fees": {"currency": "EUR"}}
    assert problem_of(directing.put(fees, none)) == (409, "fees-not-confirmed")
    preview = directing.post(f"{fees}preview/", none).json()
    assert set(debts().values()) == {7_00}
    assert directing.put(fees, {**none, "digest": preview["digest"]}).json() == preview
    assert (directing.get(fees).json()["fees"], debts()) == ({}, {})
    for wrong in ({}, {"currency": "XXX"}, {"currency": "EUR", "registration": {"price": -1}}):
        assert problem_of(directing.put(fees, {"fees": wrong})) == (400, "invalid")


def test_usual_fees_are_listed_with_examples_of_what_players_pay(directing, hall):
    here = f"{hall.here}/fees"
    championship = directing.get(f"{here}/templates/?currency=JPY").json()[-1]["fees"]
    assert (championship["currency"], championship["entry"]["price"]) == ("JPY", 500)
    assert problem_of(directing.get(f"{here}/templates/?currency=XXX")) == (400, "invalid")
    examples = directing.post(f"{here}/examples/", {"fees": FEES}).json()
    assert [row["pays"]["minor"] for row in examples] == [20_00, 30_00, 12_00, 22_00]
    assert examples[1]["parts"][1] == {"name": "Gold", "amount": {"minor": 10_00, "currency": "EUR"}}


def test_examples_join_only_the_side_pools_that_are_open_to_them(directing, hall):
    pools = [
        {"key": "1", "name": "Members", "fee": {"price": 5_00}, "condition": "member"},
        {"key": "2", "name": "Platinum", "fee": {"price": 40_00}, "after": "1"},
        POOL | {"key": "3"},
    ]
    fees = {"currency": "EUR", "entry": {"price": 20_00}, "pools": pools}
    examples = directing.post(f"{hall.here}/fees/examples/", {"fees": fees}).json()
    paid = {row["name"]: row["pays"]["minor"] for row in examples}
    assert paid == {
        "Entry": 20_00,
        "Entry and all side pools": 30_00,
        "Member": 20_00,
        "Member, with all side pools": 75_00,
    }


def test_shares_above_a_fee_are_refused(directing, hall):
    share = {"target": "registration", "least": 10_01}
    for fees in (
        {**FEES, "shares": [{**share, "least": 12_00}, {"target": "federation", "percent": 50_00}]},
        {**FEES, "pools": [{**POOL, "shares": [share]}]},
    ):
        assert problem_of(directing.put(f"{hall.here}/fees/", {"fees": fees})) == (400, "invalid")
    assert directing.get(f"{hall.here}/fees/").json()["fees"] == {}


def test_choices_are_charged_and_refused_if_they_changed_meanwhile(directing, hall, debts):
    here = f"{hall.here}/fees/choices/"
    directing.put(f"{hall.here}/fees/", {"fees": FEES})
    first, second = directing.get(here).json()[:2]
    assert (first["conditions"], first["pools"]) == ([], [])
    chosen = {"entry": first["entry"], "conditions": ["student"], "pools": ["1"]}
    answer = directing.put(here, {"choices": [chosen]}).json()
    assert answer[0] == {**first, "conditions": ["student"], "pools": ["1"]}
    assert debts()[first["name"]] == 22_00
    shown = {"conditions": [], "pools": []}
    stale = [{**chosen, "conditions": [], "expected": shown}, {**chosen, "entry": second["entry"]}]
    assert problem_of(directing.put(here, {"choices": stale})) == (409, "choices-changed")
    unknown = {**chosen, "pools": ["2"]}
    assert problem_of(directing.put(here, {"choices": [unknown]})) == (409, "choice-not-possible")
    stranger = {**chosen, "entry": hall.tournament.pk}
    assert problem_of(directing.put(here, {"choices": [stranger]})) == (404, "not-found")
    assert directing.get(here).json() == answer


def test_refunds_are_given_back_once_and_a_debt_is_waived(directing, hall, debts):
    refunds, event = f"{hall.here}/fees/refunds/", f"/events/{hall.tournament.event.slug}/withdrawals/"
    tiers = {"refunds": [{"until": "2099-01-01", "percent": 5000}]}
    assert problem_of(directing.put(refunds, tiers)) == (409, "no-fees")
    directing.put(f"{hall.here}/fees/", {"fees": FEES})
    for wrong in ([{"until": "soon"}], [{"until": "2099-01-01", "percent": 10_001}], tiers["refunds"] * 2):
        assert problem_of(directing.put(refunds, {"refunds": wrong})) == (400, "invalid")
    before = directing.get(refunds).json()["revision"]
    assert directing.put(refunds, {**tiers, "revision": before}).json() == directing.get(refunds).json()
    assert problem_of(directing.put(refunds, {"refunds": [], "revision": before})) == (
        409,
        "refund-rules-changed",
    )
    registration.withdraw(hall.pairing.left, hall.owner)
    (row,) = directing.get(event).json()["refunds"]
    here = f"{event}{row['entry']}/"
    assert (row["charged"]["minor"], row["refund"]["minor"]) == (20_00, 10_00)
    assert problem_of(directing.post(f"{here}give-back/", {"minor": 9_00})) == (409, "given-back-changed")
    assert directing.post(f"{here}give-back/", {"minor": 10_00}).status_code == 204
    assert problem_of(directing.post(f"{here}give-back/", {"minor": 10_00})) == (409, "charge-has-changed")
    (kept,) = directing.get(event).json()["charges"]
    waived = {"revision": kept["revision"], "reason": "ill"}
    assert problem_of(directing.post(f"{here}take-back/", {**waived, "reason": ""})) == (400, "invalid")
    assert problem_of(directing.post(f"{here}take-back/", {**waived, "revision": "1.00 EUR"})) == (
        409,
        "given-back-changed",
    )
    assert directing.post(f"{here}take-back/", waived).status_code == 204
    assert hall.pairing.left.name not in debts()
    assert directing.get(event).json() == {"refunds": [], "charges": []}
    assert differences_in_books(hall.tournament.event) == []
