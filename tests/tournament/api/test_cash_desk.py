"""The cash desk over the API: payments of many players, statements, receipts, prizes and signed payouts."""

import random
import uuid

import pytest
from django.test import Client

from tests.tournament import stories
from tests.tournament.api.openapi import problem_of
from tournament.ledger.balances import open_amounts
from tournament.models import PayoutSignature
from tournament.queries.money.book_check import differences_in_books

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]
FEES = {"currency": "EUR", "entry": {"price": 20_00}}
SPLIT = {"currency": "EUR", "parts": [{"bracket": "main", "places": [1, 1], "share": 1}]}


@pytest.fixture
def event(directing, hall) -> str:
    """The address of the event, once its players are charged."""
    directing.put(f"{hall.here}/fees/", {"fees": FEES})
    return f"/events/{hall.tournament.event.slug}"


def shown(lines):
    return [{"player": line["player"], "open": line["open"]} for line in lines]


def test_a_payment_moves_to_another_player_and_two_players_become_one(directing, event, hall):
    first, second, *_ = directing.get(f"{event}/cash-desk/").json()
    directing.post(f"{event}/payments/selected/", {"players": shown([first])})
    (payment,) = directing.get(f"{event}/payments/").json()
    address, nobody = f"{event}/payments/{payment['id']}/player/", {"player": str(uuid.uuid4())}
    assert problem_of(directing.put(address, nobody)) == (404, "not-found")
    moved = directing.put(address, {"player": second["player"], "reason": "Wrong line"})
    assert (moved.status_code, moved.json()["deed"]) == (201, "payment")
    (payment,) = directing.get(f"{event}/payments/").json()
    assert payment["player"] == second["player"]
    address, other = f"{event}/players/{first['player']}/merge/", {"other": second["player"]}
    assert problem_of(directing.post(address, other)) == (409, "both-entered")
    assert problem_of(directing.post(address, nobody)) == (400, "invalid")


def test_payments_of_many_players_are_recorded_and_taken_back_together(directing, event, hall):
    first, second, *_ = lines = directing.get(f"{event}/cash-desk/").json()
    stale = [*shown([first]), {"player": second["player"], "open": []}]
    assert problem_of(directing.post(f"{event}/payments/selected/", {"players": stale})) == (
        409,
        "open-amount-changed",
    )
    twice = {"players": shown([first, first])}
    assert problem_of(directing.post(f"{event}/payments/selected/", twice)) == (400, "invalid")
    many = {"players": shown(lines), "method": "card"}
    paid = directing.post(f"{event}/payments/selected/", many).json()
    assert problem_of(directing.post(f"{event}/payments/selected/", many)) == (409, "open-amount-changed")
    listed = directing.get(f"{event}/payments/").json()
    assert {row["player"] for row in listed} == {line["player"] for line in lines}
    ids = sorted(row["id"] for row in listed)
    assert ids == [row["id"] for row in paid]
    assert problem_of(directing.post(f"{event}/payments/undo/", {"ids": [*ids, 10**18]})) == (
        404,
        "not-found",
    )
    for deeds in ("payments", "payouts", "own-cash", "handovers"):
        assert problem_of(directing.delete(f"{event}/{deeds}/{10**30}/")) == (404, "not-found")
    back = directing.post(f"{event}/payments/undo/", {"ids": ids}).json()
    assert [row["reverses"] for row in back] == ids
    assert problem_of(directing.post(f"{event}/payments/undo/", {"ids": ids})) == (409, "reversed-already")
    assert directing.get(f"{event}/cash-desk/").json() == lines
    assert differences_in_books(hall.tournament.event) == []


def test_a_player_sees_the_own_money_and_the_desk_that_of_each(directing, owning, left, event, hall):
    bank = {"name": "Club", "account_holder": "Club", "iban": "DE89370400440532013000"}
    owning.put(f"{event}/organizer/", bank)
    (own,) = left.get("/me/money/").json()
    player = hall.pairing.left.player_id
    assert (own["player"], own["open"]) == (str(player), [{"minor": 20_00, "currency": "EUR"}])
    (way,) = own["ways"]
    assert (way["iban"], way["qr_code"][:22]) == (bank["iban"], "data:image/png;base64,")
    assert directing.get(f"{event}/players/{player}/money/").json() == own
    assert problem_of(left.get(f"{event}/players/{player}/money/"))[0] == 403
    assert problem_of(directing.get(f"{event}/players/{uuid.uuid4()}/money/")) == (404, "not-found")
    key = {"key": str(uuid.uuid4()), "player": str(player), "currency": "EUR"}
    for unusual, code in (
        ({"minor": 30_00}, "payment-above-debt"),
        ({"minor": 20_00, "currency": "JPY"}, "payment-without-rate"),
    ):
        answer = directing.post(f"{event}/payments/", {**key, **unusual})
        assert problem_of(answer) == (409, code)
    paid = directing.post(f"{event}/payments/", {**key, "minor": 20_00}).json()["id"]
    receipt = directing.put(f"{event}/payments/{paid}/receipt/", {}).json()
    printed = directing.get(f"{event}/receipts/{receipt['id']}/").json()
    assert (printed["organizer"], printed["lines"][0]["amount"]["minor"]) == ("Club", 20_00)
    assert Client().get(printed["path"]).status_code == 200
    refund = {**key, "key": str(uuid.uuid4()), "minor": -30_00, "above_claim": True, "above_till": False}
    assert problem_of(directing.post(f"{event}/payments/", refund)) == (409, "till-too-low")
    assert left.get("/me/money/").json()[0]["open"] == []


def test_prizes_are_previewed_awarded_and_paid_with_a_signature(directing, owning, event, hall):
    here = f"{hall.here}/prize-structure/"
    templates = directing.get(f"{hall.here}/prize-templates/").json()
    assert sum(row["is_suggested"] for row in templates) == 1
    own = {"name": "House", "parts": SPLIT["parts"]}
    assert problem_of(directing.put(f"{hall.here}/prize-templates/", own)) == (403, "denied")
    assert owning.put(f"{hall.here}/prize-templates/", own).status_code == 204
    assert directing.get(f"{hall.here}/prize-templates/").json()[-1]["parts"] == SPLIT["parts"]
    first = SPLIT["parts"][0]
    for wrong in ([{"places": 5}], [{**first, "places": [1, 10**9]}], [{**first, "bracket": ["main"]}]):
        assert owning.put(f"{hall.here}/prize-templates/", {**own, "parts": wrong}).status_code == 400
    assert owning.delete(f"{hall.here}/prize-templates/", {"name": "House"}).status_code == 204
    assert problem_of(owning.delete(f"{hall.here}/prize-templates/", {"name": "House"})) == (404, "not-found")
    assert directing.post(f"{here}preview/", {"prizes": SPLIT}).json()["total"]["minor"] == 80_00
    directing.put(here, {"prizes": SPLIT})
    stories.play_out(hall.tournament, hall.owner, random.Random(1))
    (step,) = directing.get(f"{event}/prize-steps/").json()
    assert (step["action"], step["unpaid"][0]["amount"]["minor"]) == ("award", 80_00)
    assert directing.post(f"{hall.here}/awards/", {}).json() == {"changed": 1}
    assert directing.get(f"{event}/prize-steps/").json() == []
    line = directing.get(f"{event}/payouts/").json()[0]
    assert (line["claims"], line["taken_out"]) == (
        [{"minor": 60_00, "currency": "EUR"}],
        [{"minor": 20_00, "currency": "EUR"}],
    )
    payout = {"key": str(uuid.uuid4()), "player": line["player"], "minor": 60_00, "currency": "EUR"}
    for field, value, code in (
        ("signature", "M1 1L20 30<script>", "signature-unreadable"),
        ("expected", 1, "no-such-claim"),
        ("above_till", False, "till-too-low"),
    ):
        assert problem_of(directing.post(f"{event}/payouts/", {**payout, field: value})) == (409, code)
    assert not PayoutSignature.objects.exists()
    signed = {**payout, "signature": "M1 1L20 30", "expected": 60_00}
    paid = directing.post(f"{event}/payouts/", signed).json()
    assert directing.post(f"{event}/payouts/", signed).json() == paid
    (listed,) = directing.get(f"{event}/payouts/").json()[0]["paid"]
    assert (listed["id"], listed["signature"]) == (paid["id"], "M1 1L20 30")
    (books,) = directing.get(f"{event}/books/").json()
    assert books["boxes"][0]["amount"]["minor"] == -60_00
    assert (books["debts"]["minor"], books["claims"]["minor"]) == (60_00, 0)
    ids = {"ids": [paid["id"]]}
    assert directing.post(f"{event}/payouts/undo/", ids).json()[0]["reverses"] == paid["id"]
    selected = {"players": [{"player": line["player"], "open": [{"minor": -60_00, "currency": "EUR"}]}]}
    assert len(directing.post(f"{event}/payouts/selected/", selected).json()) == 1
    assert problem_of(directing.post(f"{event}/payouts/selected/", selected)) == (409, "open-amount-changed")
    assert line["player"] not in map(str, open_amounts(hall.tournament.event_id, [line["player"]]))
    assert differences_in_books(hall.tournament.event) == []


@pytest.mark.usefixtures("event")
def test_a_template_is_listed_in_the_currency_of_the_tournament(directing, owning, hall):
    here, own = f"{hall.here}/prize-templates/", {"name": "House", "parts": SPLIT["parts"]}
    fixed = {"bracket": "main", "places": [1, 1], "minor": 50}
    for currency, minor in (("JPY", 50_00), ("", 50), ("EUR", 50)):
        body = {**own, "parts": [fixed], "currency": currency}
        assert owning.put(here, body).status_code == 204
        listed = directing.get(here).json()[-1]["parts"]
        assert listed == [{**fixed, "minor": minor}]
    wrong = {**own, "currency": "XXX"}
    assert problem_of(owning.put(here, wrong)) == (400, "invalid")
