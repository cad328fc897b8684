"""Money over the API: a program sets fees, takes a payment once, takes it back, and reads the books."""

import json
import uuid

import pytest

from tests.tournament.access import database_rows
from tests.tournament.api.openapi import problem_of
from tournament.queries.money.book_check import differences_in_books

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]
FEES = {"currency": "EUR", "entry": {"price": 20_00}, "registration": {"price": 5_00}}


def test_a_program_sets_fees_takes_a_payment_and_takes_it_back(directing, hall):
    event = f"/events/{hall.tournament.event.slug}"
    assert directing.get(f"{hall.here}/fees/").json()["fees"] == {}
    assert len(directing.put(f"{hall.here}/fees/", {"fees": FEES}).json()["differences"]) == 4
    assert directing.get(f"{hall.here}/fees/").json()["fees"] == FEES
    first = directing.get(f"{event}/cash-desk/").json()[0]
    assert first["open"] == [{"minor": 25_00, "currency": "EUR"}]
    body = {"key": str(uuid.uuid4()), "player": first["player"], "minor": 25_00, "currency": "EUR"}
    paid = directing.post(f"{event}/payments/", body).json()
    assert directing.post(f"{event}/payments/", body).json() == paid
    assert problem_of(directing.post(f"{event}/payments/", {**body, "minor": 1})) == (409, "key-reused")
    balances = {row["kind"]: row["balance"]["minor"] for row in directing.get(f"{event}/accounts/").json()}
    assert (balances["cash"], balances["pot"], balances["registration"]) == (25_00, -80_00, -20_00)
    back = directing.delete(f"{event}/payments/{paid['id']}/", {"reason": "Counted twice"})
    assert back.json()["reason"] == "Counted twice"
    assert back.json()["reverses"] == paid["id"]
    assert problem_of(directing.delete(f"{event}/payments/{paid['id']}/")) == (409, "reversed-already")
    newest = directing.get(f"{event}/transactions/").json()["results"][0]
    assert newest == back.json()
    assert differences_in_books(hall.tournament.event) == []


def test_the_journal_shows_money_only_to_those_who_handle_it(directing, at_desk, hall):
    event = f"/events/{hall.tournament.event.slug}"
    player = hall.pairing.left.player_id
    body = {"key": str(uuid.uuid4()), "player": str(player), "minor": 25_00, "currency": "EUR"}
    body["above_debt"] = True
    directing.post(f"{event}/payments/", body)
    verbs = [
        {line["verb"] for line in program.get(f"{event}/journal/").json()["results"]}
        for program in (directing, at_desk)
    ]
    assert verbs[0] - verbs[1] == {"pay"}
    assert "release draw" in verbs[1]


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
    assert directing.get(here).json()["prizes"] == {}
    assert directing.put(here, {"prizes": {**structure, "added": 0}}).json()["prizes"] == structure
    assert directing.get(here).json()["prizes"] == structure
    pool = {"key": "x" * 41, "brackets": ["main"], "shares": [1]}
    for wrong in ({"currency": "XXX"}, {"parts": []}, {**structure, "pools": [pool]}):
        assert directing.put(here, {"prizes": wrong}).status_code == 400
    assert problem_of(directing.post(f"{hall.here}/awards/", {})) == (409, "nothing-to-award")
    assert directing.put(here, {"prizes": {}}).json() == directing.get(here).json()
    assert directing.get(here).json()["prizes"] == {}


def test_a_program_counts_tills_hands_cash_over_and_issues_receipts(directing, hall):
    event = f"/events/{hall.tournament.event.slug}"
    (player,) = hall.tournament.event.players.order_by("name")[:1]
    payment = {"key": uuid.uuid4(), "player": player.pk, "minor": 5_00, "currency": "EUR", "above_debt": True}
    assert problem_of(directing.post(f"{event}/payments/", {**payment, "expected": 3})) == (
        409,
        "open-amount-changed",
    )
    paid = directing.post(f"{event}/payments/", {**payment, "expected": 0}).json()["id"]
    issued = directing.put(f"{event}/payments/{paid}/receipt/", {}).json()
    assert directing.put(f"{event}/payments/{paid}/receipt/", {}).json() == issued
    assert directing.get(f"{event}/receipts/").json() == [issued]
    assert (issued["transaction"], issued["payer"]) == (paid, player.registered_name)
    (till,) = directing.get(f"{event}/tills/").json()
    assert (till["balance"], till["counted_at"]) == ({"minor": 5_00, "currency": "EUR"}, None)
    count = {
        "till": till["till"],
        "currency": "EUR",
        "counted": 4_50,
        "last_transfer": till["last_transfer"],
        "signed_by": "Ana",
        "pieces": [{"minor": 2_00, "number": 2}],
    }
    assert problem_of(directing.post(f"{event}/closings/", count)) == (409, "difference-needs-reason")
    wrong = {**count, "pieces": [{"minor": 5_00, "number": 1}]}
    assert problem_of(directing.post(f"{event}/closings/", wrong)) == (400, "invalid")
    closing = directing.post(f"{event}/closings/", {**count, "reason": "A coin fell down."}).json()
    assert (closing["expected"]["minor"], closing["difference"]["minor"]) == (5_00, -50)
    assert directing.get(f"{event}/closings/").json() == [closing]
    a_count_is_taken_back(directing, event, closing)
    handover = {
        "key": uuid.uuid4(),
        "from_till": till["till"],
        "to_till": "organizer",
        "minor": 4_00,
        "currency": "EUR",
    }
    moved = directing.post(f"{event}/handovers/", handover).json()
    assert directing.post(f"{event}/handovers/", handover).json() == moved
    too_much = {**handover, "key": uuid.uuid4()}
    assert problem_of(directing.post(f"{event}/handovers/", too_much)) == (409, "till-has-less")
    (listed,) = directing.get(f"{event}/handovers/").json()
    assert (listed["id"], listed["amount"]["minor"]) == (moved["id"], 4_00)
    assert directing.delete(f"{event}/handovers/{moved['id']}/").json()["reverses"] == moved["id"]
    assert directing.get(f"{event}/handovers/").json() == []
    own = {"key": uuid.uuid4(), "minor": 3_00, "currency": "EUR", "reason": "Change"}
    brought = directing.post(f"{event}/own-cash/", own).json()
    assert directing.post(f"{event}/own-cash/", own).json() == brought
    assert problem_of(directing.post(f"{event}/own-cash/", {**own, "minor": 4_00})) == (409, "key-reused")
    more = {**own, "key": uuid.uuid4(), "minor": -4_00}
    assert problem_of(directing.post(f"{event}/own-cash/", more)) == (409, "till-has-less")
    (listed,) = directing.get(f"{event}/own-cash/").json()
    assert (listed["id"], listed["amount"]["minor"], listed["reason"]) == (brought["id"], 3_00, "Change")
    assert directing.delete(f"{event}/own-cash/{brought['id']}/").json()["reverses"] == brought["id"]
    assert directing.get(f"{event}/own-cash/").json() == []
    assert differences_in_books(hall.tournament.event) == []


def a_count_is_taken_back(directing, event, closing):
    address = f"{event}/closings/{closing['id']}/"
    assert problem_of(directing.delete(address, {})) == (409, "count-undo-needs-reason")
    undone = directing.delete(address, {"reason": "Wrong name"}).json()
    assert (undone["undone_because"], closing["undone_because"]) == ("Wrong name", "")
    (till,) = directing.get(f"{event}/tills/").json()
    assert (till["balance"]["minor"], till["counted_at"]) == (5_00, None)


def test_a_program_sets_a_rate_and_takes_a_payment_by_it(directing, hall):
    event = f"/events/{hall.tournament.event.slug}"
    directing.put(f"{hall.here}/fees/", {"fees": FEES})
    rate = {"base": "EUR", "currency": "SEK", "rate": "11.35", "unit": 1_00}
    same = {**rate, "currency": "EUR"}
    assert problem_of(directing.put(f"{event}/rates/", same)) == (409, "rate-has-one-currency")
    (line,) = directing.get(f"{event}/cash-desk/").json()[:1]
    payment = {"player": line["player"], "minor": 284_00, "currency": "SEK", "open_currency": "EUR"}
    unknown = {**payment, "key": uuid.uuid4()}
    assert problem_of(directing.post(f"{event}/payments/", unknown)) == (409, "no-exchange-rate")
    (stored,) = directing.put(f"{event}/rates/", rate).json()
    assert (stored["rate"], stored["unit"]) == ("11.350000", 1_00)
    directing.post(f"{event}/payments/", {**payment, "key": uuid.uuid4()})
    lines = {row["player"]: row["open"] for row in directing.get(f"{event}/cash-desk/").json()}
    assert lines[line["player"]] == []
    assert directing.delete(f"{event}/rates/{stored['id']}/").status_code == 204
    assert directing.get(f"{event}/rates/").json() == []


KEYED = {"key": "00000000-0000-0000-0000-000000000001"}
PLAYER = {**KEYED, "player": KEYED["key"], "currency": "EUR"}
COUNT = {"till": "organizer", "currency": "EUR", "signed_by": "Ana"}
TERMS = {"currency": "EUR", "minimum": 1, "step": 1, "split": [100]}


NO_AMOUNTS = (None, True, "", "ten", [], 1e-7, 1e300, 10**30, float("nan"))
WITH_AN_AMOUNT = (
    ("POST", "{event}/payments/", lambda value: {**PLAYER, "minor": value}),
    ("POST", "{event}/payouts/", lambda value: {**PLAYER, "minor": value}),
    ("POST", "{event}/closings/", lambda value: {**COUNT, "last_transfer": 1, "counted": value}),
    ("POST", "{event}/closings/", lambda value: {**COUNT, "last_transfer": value, "counted": 1}),
    (
        "POST",
        "{event}/own-cash/",
        lambda value: {**KEYED, "currency": "EUR", "reason": "x", "minor": value},
    ),
    ("PUT", "{event}/rates/", lambda value: {"base": "EUR", "currency": "SEK", "rate": value}),
    (
        "PUT",
        "{event}/fees/",
        lambda value: {"fees": {"currency": "EUR", "registration": {"price": value}}},
    ),
    ("PUT", "{here}/fees/", lambda value: {"fees": {"currency": "EUR", "entry": {"price": value}}}),
    ("PUT", "{here}/fees/", lambda value: {"fees": {"currency": "EUR", "reentries": [[value, 0]]}}),
    ("PUT", "{here}/prize-structure/", lambda value: {"prizes": {"currency": "EUR", "added": value}}),
    ("PUT", "{here}/calcutta/", lambda value: {**TERMS, "minimum": value}),
)


def test_what_is_no_amount_is_refused(directing, hall):
    before = database_rows.rows()
    for verb, path, make_body in WITH_AN_AMOUNT:
        address = path.format(event=f"/events/{hall.tournament.event.slug}", here=hall.here)
        for value in NO_AMOUNTS:
            body = json.dumps(make_body(value))
            answer = directing.raw(verb, address, body, content_type="application/json")
            assert (path, value, answer.status_code) == (path, value, 400)
    assert database_rows.rows() == before
