"""Money over the API: a program sets fees, takes a payment once, takes it back, and reads the books."""

import uuid

import pytest

from tests.tournament.api.openapi import problem_of
from tournament.money import receipts
from tournament.money.books import differences_in_books

pytestmark = pytest.mark.django_db
FEES = {"currency": "EUR", "entry": {"price": 20_00}, "registration": {"price": 5_00}}


def test_a_program_sets_fees_takes_a_payment_and_takes_it_back(directing, hall):
    event = f"/events/{hall.tournament.event.slug}"
    assert directing.get(f"{hall.here}/fees/").json() == {"fees": {}}
    assert len(directing.put(f"{hall.here}/fees/", {"fees": FEES}).json()["differences"]) == 4
    assert directing.get(f"{hall.here}/fees/").json() == {"fees": FEES}
    first = directing.get(f"{event}/cash-desk/").json()[0]
    assert first["open"] == [{"minor": 25_00, "currency": "EUR"}]
    body = {"key": str(uuid.uuid4()), "player": first["player"], "minor": 25_00, "currency": "EUR"}
    paid = directing.post(f"{event}/payments/", body).json()
    assert directing.post(f"{event}/payments/", body).json() == paid
    assert problem_of(directing.post(f"{event}/payments/", {**body, "minor": 1})) == (409, "key-reused")
    balances = {row["kind"]: row["balance"]["minor"] for row in directing.get(f"{event}/accounts/").json()}
    assert (balances["cash"], balances["pot"], balances["registration"]) == (25_00, -80_00, -20_00)
    back = directing.delete(f"{event}/payments/{paid['id']}/")
    assert back.json()["reverses"] == paid["id"]
    assert problem_of(directing.delete(f"{event}/payments/{paid['id']}/")) == (409, "reversed-already")
    newest = directing.get(f"{event}/transactions/").json()["results"][0]
    assert newest == back.json()
    assert differences_in_books(hall.tournament.event) == []


def test_other_fees_need_the_digest_of_their_preview(directing, hall):
    directing.put(f"{hall.here}/fees/", {"fees": FEES})
    cheaper = {"fees": {"currency": "EUR", "entry": {"price": 15_00}}}
    assert problem_of(directing.put(f"{hall.here}/fees/", cheaper)) == (409, "fees-not-confirmed")
    preview = directing.post(f"{hall.here}/fees/preview/", cheaper).json()
    assert preview["differences"][0]["amounts"] == [{"minor": -10_00, "currency": "EUR"}]
    assert directing.put(f"{hall.here}/fees/", {**cheaper, "digest": preview["digest"]}).json() == preview
    wrong = {"fees": {"currency": "EUR", "entry": {"price": "20"}}}
    assert directing.put(f"{hall.here}/fees/", wrong).status_code == 400


def test_a_program_sets_and_removes_the_prize_structure(directing, hall):
    structure = {"currency": "EUR", "parts": [{"bracket": "main", "places": [1, 2], "share": 5000}]}
    here = f"{hall.here}/prize-structure/"
    assert directing.get(here).json() == {"prizes": {}}
    assert directing.put(here, {"prizes": {**structure, "added": 0}}).json() == {"prizes": structure}
    assert directing.get(here).json() == {"prizes": structure}
    pool = {"key": "x" * 41, "brackets": ["main"], "shares": [1]}
    for wrong in ({"currency": "XXX"}, {"parts": []}, {**structure, "pools": [pool]}):
        assert directing.put(here, {"prizes": wrong}).status_code == 400
    assert problem_of(directing.post(f"{hall.here}/awards/", {})) == (409, "nothing-to-award")
    assert directing.put(here, {"prizes": {}}).json() == directing.get(here).json() == {"prizes": {}}


def test_a_program_reads_tills_and_receipts(directing, hall):
    row = hall.tournament.event
    player = directing.get(f"/events/{row.slug}/cash-desk/").json()[0]
    payment = {"key": str(uuid.uuid4()), "player": player["player"], "minor": 5_00, "currency": "EUR"}
    paid = directing.post(f"/events/{row.slug}/payments/", payment).json()["id"]
    issued = receipts.issue_receipt(row, paid, hall.owner)
    (till,) = directing.get(f"/events/{row.slug}/tills/").json()
    (receipt,) = directing.get(f"/events/{row.slug}/receipts/").json()
    assert (till["balance"], till["counted_at"]) == ({"minor": 5_00, "currency": "EUR"}, None)
    assert (receipt["id"], receipt["transaction"], receipt["payer"]) == (
        str(issued.pk),
        paid,
        player["name"],
    )
