"""Money over the API: a program sets fees, takes a payment once, takes it back, and reads the books."""

import uuid

import pytest

from tests.tournament.api.openapi import problem_of
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
