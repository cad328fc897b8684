"""A weekend over the API: two tournaments, three pots and an auction, three currencies, a withdrawal, a correction.

Amounts are computed by hand, in minor units:
The Open takes 50, of which 10 percent are for the federation, and 10 of registration. P8 withdraws and gets
80 % of 50 less 5 = 35 back: 31.50 out of the pot. Pot 7 x 45 + 13.50 = 328.50; federation 7 x 5 + 1.50 = 36.50.
It is split in 8 parts of 41.0625. The Blitz has 4 x 10, which P4 wins without having paid. Lots of 100 and 60 dollars
less 10 % are 144 dollars: 100.80 and 43.20. P1 bought half of the first lot back; the rest is the field.
"""

import uuid

import pytest

from rules.ruleset import PRESETS
from tests.tournament import stories
from tests.tournament.conftest import Program
from tournament.accounts import links
from tournament.drawing import draws
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.models import Entry
from tournament.queries.money.book_check import differences_in_books

pytestmark = pytest.mark.django_db
OPEN = {
    "currency": "EUR",
    "entry": {"price": 50_00},
    "registration": {"price": 10_00},
    "shares": [{"target": "federation", "percent": 1000}],
    "pools": [{"key": "1", "name": "Silver", "fee": {"price": 20_00}}],
}
BLITZ = {"currency": "EUR", "entry": {"price": 10_00}}
REFUNDS = [{"until": "2099-01-01", "percent": 8000, "kept": 5_00, "keeps_registration": True}]
EIGHTHS = [("main", 1, 1, 4), ("main", 2, 2, 2), ("main", 3, 4, 1)]
AUCTION = {"currency": "USD", "minimum": 10_00, "step": 5_00, "rake": 10_00, "split": [70, 30]}


def prizes(*parts, **more):
    rows = [{"bracket": key, "places": [first, last], "share": share} for key, first, last, share in parts]
    return {"prizes": {"currency": "EUR", "parts": rows, **more}}


class Weekend:
    def __init__(self, actor):
        self.actor = actor
        self.open = stories.tournament(actor)
        plan = setup.TournamentPlan("Blitz", PRESETS["tournament"], (1,))
        self.blitz = setup.create_tournament(self.open.event, plan, actor)
        self.event = f"/events/{self.open.event.slug}"
        self.program = Program(links.make_api_token(actor.user, "director"))

    def say(self, method, path, body=None):
        answer = self.program.send(method, path, body)
        assert answer.status_code < 300, answer.content
        return answer.json() if answer.content else None

    def enter(self, made, numbers):
        for number in numbers:
            card = PlayerDetails(f"P{number}", federation_id=f"N{number}")
            registration.enter(made.pk, EntryDetails(card, seed=number), self.actor)

    def entry(self, made, number):
        return Entry.objects.get(tournament=made, player__name=f"P{number}")

    def play(self, made, winner=1):
        """The player with the lower number wins, `winner` against everybody."""
        draws.make(made.pk, draws.DrawPlan("seeded"), self.actor)
        draws.release(made.pk, self.actor)
        while waiting := stories.playable(made):
            for pairing in waiting:
                left, right = (pairing.left.player.name, pairing.right.player.name)
                is_left = f"P{winner}" == left or (f"P{winner}" != right and left < right)
                stories.play(pairing, self.actor, "left" if is_left else "right")

    def sell(self, entries, name, minor, back=None):
        here = f"/tournaments/{self.open.pk}/calcutta/lots/"
        body = {"entries": entries} if entries else {"is_field": True}
        lot = self.say("POST", here, body)["lots"][-1]
        steps = [("bids", {"minor": minor, "name": name}), ("sell", {})]
        for action, more in [*steps, *([("buy-back", {"player": back})] if back else [])]:
            state = {"state": lot["state"], **more}
            lot = self.say("POST", f"{here}{lot['id']}/{action}/", state)["lots"][-1]

    def open_amounts(self):
        """What each person owes, in all currencies; with a minus what may be claimed."""
        rows = self.say("GET", f"{self.event}/cash-desk/")
        return {
            row["name"]: {amount["currency"]: amount["minor"] for amount in row["open"] if amount["minor"]}
            for row in rows
            if any(amount["minor"] for amount in row["open"])
        }

    def move(self, kind, name, minor, currency, **more):
        rows = self.say("GET", f"{self.event}/cash-desk/")
        (player,) = (row["player"] for row in rows if row["name"] == name)
        body = {"key": uuid.uuid4(), "player": player, "minor": minor, "currency": currency, **more}
        self.say("POST", f"{self.event}/{kind}/", body)

    def balances(self):
        totals = {}
        for row in self.say("GET", f"{self.event}/accounts/"):
            key = row["kind"], row["balance"]["currency"]
            totals[key] = totals.get(key, 0) + row["balance"]["minor"]
        return {key: minor for key, minor in totals.items() if minor and key[0] != "player"}


@pytest.fixture
def weekend(actor):
    """Everything is set up, played, awarded and paid, except the fee of P4 for the Blitz."""
    made = Weekend(actor)
    for row, numbers, fees in ((made.open, range(1, 9), OPEN), (made.blitz, range(1, 5), BLITZ)):
        made.enter(row, numbers)
        made.say("PUT", f"/tournaments/{row.pk}/fees/", {"fees": fees})
    here = f"/tournaments/{made.open.pk}"
    choices = [{"entry": made.entry(made.open, n).pk, "conditions": [], "pools": ["1"]} for n in (2, 5)]
    made.say("PUT", f"{here}/fees/choices/", {"choices": choices})
    made.say("PUT", f"{here}/fees/refunds/", {"refunds": REFUNDS})
    pool = {"key": "1", "shares": [100], "brackets": ["main"]}
    made.say("PUT", f"{here}/prize-structure/", prizes(*EIGHTHS, pools=[pool]))
    made.say("PUT", f"/tournaments/{made.blitz.pk}/prize-structure/", prizes(("main", 1, 1, 1)))
    made.say("PUT", f"{here}/calcutta/", AUCTION)
    rate = {"base": "EUR", "currency": "SEK", "rate": "11.35", "unit": 1_00}
    made.say("PUT", f"{made.event}/rates/", rate)
    registration.withdraw(made.entry(made.open, 8), actor)
    (withdrawal,) = made.say("GET", f"{made.event}/withdrawals/")["refunds"]
    made.say(
        "POST",
        f"{made.event}/withdrawals/{withdrawal['entry']}/give-back/",
        {"minor": withdrawal["refund"]["minor"]},
    )
    first = made.entry(made.open, 1)
    made.sell([first.pk], "G1", 100_00, first.player_id)
    made.sell([], "G2", 60_00)
    return made


def pay_and_play(weekend):
    for name, amounts in weekend.open_amounts().items():
        for currency, minor in amounts.items():
            if name == "P3":
                weekend.move("payments", name, 795_00, "SEK", open_currency="EUR")
            else:
                weekend.move("payments", name, 60_00 if name == "P4" else minor, currency)
    weekend.play(weekend.open)
    weekend.play(weekend.blitz, winner=4)
    for row in (weekend.open, weekend.blitz):
        weekend.say("POST", f"/tournaments/{row.pk}/awards/")
    weekend.say("POST", f"/tournaments/{weekend.open.pk}/calcutta/awards/")


def test_a_weekend_comes_out_to_the_cent_also_after_a_correction(weekend):
    assert weekend.open_amounts() == {
        "P1": {"EUR": 70_00, "USD": 50_00},
        "P2": {"EUR": 90_00},
        "P3": {"EUR": 70_00},
        "P4": {"EUR": 70_00},
        "P5": {"EUR": 80_00},
        "P6": {"EUR": 60_00},
        "P7": {"EUR": 60_00},
        "P8": {"EUR": 25_00},
        "G1": {"USD": 50_00},
        "G2": {"USD": 60_00},
    }
    pay_and_play(weekend)
    claims = {
        "P1": {"EUR": -164_26, "USD": -50_40},
        "P2": {"EUR": -82_12 - 40_00},
        "P3": {"EUR": -41_06},
        "P4": {"EUR": -41_06 - 40_00 + 10_00},
        "G1": {"USD": -50_40},
        "G2": {"USD": -43_20},
    }
    assert weekend.open_amounts() == claims
    for name, amounts in claims.items():
        for currency, minor in amounts.items():
            weekend.move("payouts", name, -minor, currency)
    assert weekend.open_amounts() == {}
    assert weekend.balances() == {
        ("cash", "EUR"): 445_00 - 398_50,
        ("cash", "USD"): 16_00,
        ("cash", "SEK"): 795_00,
        ("exchange", "SEK"): -795_00,
        ("exchange", "EUR"): 70_04,
        ("rounding", "EUR"): -4,
        ("registration", "EUR"): -80_00,
        ("registration", "USD"): -16_00,
        ("federation", "EUR"): -36_50,
    }
    for till in weekend.say("GET", f"{weekend.event}/tills/"):
        count = {"till": till["till"], "last_transfer": till["last_transfer"], "signed_by": "Ana"}
        balance = till["balance"]
        count |= {"currency": balance["currency"], "counted": balance["minor"]}
        assert weekend.say("POST", f"{weekend.event}/closings/", count)["difference"]["minor"] == 0
    final = stories.pairings(weekend.open).last()
    loser = final.left if final.winner_id == final.right_id else final.right
    points = {"left": 3, "right": 1} if loser == final.left else {"left": 1, "right": 3}
    here = f"/pairings/{final.pk}/corrections/"
    change = {"kind": "played", "winner": loser.pk, **points}
    digest = weekend.say("POST", f"{here}preview/", change)["digest"]
    weekend.say("POST", here, {**change, "digest": digest, "reason": "The sheet was misread."})
    assert weekend.open_amounts() == {
        "P1": {"EUR": 82_14, "USD": 28_80},
        "P2": {"EUR": -82_14},
        "G1": {"USD": 28_80},
        "G2": {"USD": -57_60},
    }
    assert differences_in_books(weekend.open.event) == []
