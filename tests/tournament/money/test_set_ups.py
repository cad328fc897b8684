"""Whole set-ups of real events, entered over the API, played, awarded and paid out, to the cent.

The data are in `set_ups.toml`.
"""

import tomllib
import uuid
from pathlib import Path

import pytest

from tests.tournament import stories
from tests.tournament.conftest import Program
from tournament.accounts import links
from tournament.draw.formats import Format
from tournament.drawing import draws, round_previews
from tournament.entries import reentry, registration
from tournament.entries.reentry import ReentryTerms
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.ledger.balances import open_amounts
from tournament.models import AccountKind, Entry
from tournament.money import payments, payouts
from tournament.queries.money.book_check import differences_in_books
from tournament.queries.next_rounds import NextRoundState, next_rounds

pytestmark = pytest.mark.django_db
SET_UPS = tomllib.loads((Path(__file__).parent / "set_ups.toml").read_text())["set_up"]


class Director:
    """Runs the set-up of a tournament. Players are named by their numbers."""

    def __init__(self, plan, actor):
        self.plan, self.actor = plan, actor
        chosen = Format.from_json(plan.get("format", {}))
        self.made = stories.tournament(actor, format=chosen)
        for number in range(1, plan["entries"] + 1):
            rating = plan.get("ratings", {}).get(str(number))
            card = PlayerDetails(f"P{number}", rating=rating)
            registration.enter(self.made.pk, EntryDetails(card, seed=number), actor)
        self.program = Program(links.make_api_token(actor.user, "director"))
        self.event = f"/events/{self.made.event.slug}"
        self.here = f"/tournaments/{self.made.pk}"
        self.upsets = {tuple(map(int, text.split(">"))) for text in plan.get("upsets", [])}

    def say(self, method, path, body=None):
        answer = self.program.send(method, path, body)
        assert answer.status_code < 300, answer.content
        return answer.json() if answer.content else None

    def entries(self):
        return Entry.objects.filter(tournament=self.made).select_related("player").order_by("entered_at")

    def entry(self, number):
        return self.entries().filter(player__name=f"P{number}").first()

    def set_up(self):
        self.say("PUT", f"{self.here}/fees/", {"fees": self.plan["fees"]})
        self.choose(self.plan.get("choices", {}))
        if "prizes" in self.plan:
            prizes = {"currency": self.plan["fees"]["currency"], **self.plan["prizes"]}
            self.say("PUT", f"{self.here}/prize-structure/", {"prizes": prizes})

    def choose(self, choices):
        rows = [
            {
                "entry": self.entry(number).pk,
                "conditions": [word for word in words.split() if not word.isdigit()],
                "pools": [word for word in words.split() if word.isdigit()],
            }
            for number, words in choices.items()
        ]
        if rows:
            self.say("PUT", f"{self.here}/fees/choices/", {"choices": rows})

    def open_jackpot(self, terms):
        body = {"size": len(terms["players"]), "length": 3, "price": terms["price"], "key": uuid.uuid4()}
        jackpot = self.say("POST", f"{self.here}/jackpots/", body)
        for number in terms["players"]:
            self.say("PUT", f"/jackpots/{jackpot['id']}/seats/{self.entry(number).pk}/")

    def draw(self):
        method = "seeded" if Format.from_json(self.made.format).has_sheet else "random"
        draws.make(self.made.pk, draws.DrawPlan(method, seed_text="a seed"), self.actor)
        draws.release(self.made.pk, self.actor)

    def play(self):
        """One match after another, because a re-entry changes who meets whom in the next round."""
        again = list(self.plan.get("again", []))
        while True:
            if playable := stories.playable(self.made):
                self.play_match(playable[0], again)
            elif next_rounds([self.made])[self.made.pk].state is NextRoundState.COMPLETE:
                round_previews.pair_and_release(self.made.pk, self.actor)
            else:
                return

    def play_match(self, pairing, again):
        left, right = (int(side.player.name[1:]) for side in (pairing.left, pairing.right))
        is_left = (left, right) in self.upsets or (left < right and (right, left) not in self.upsets)
        stories.play(pairing, self.actor, "left" if is_left else "right")
        loser = right if is_left else left
        if loser in again:
            again.remove(loser)
            reentry.re_enter(self.entries().filter(player__name=f"P{loser}").last(), self.actor)

    def charged(self):
        rows = self.say("GET", f"{self.event}/cash-desk/")
        return {int(row["name"][1:]): sum(a["minor"] for a in row["charged"]) for row in rows}

    def people(self):
        return list(self.made.event.players.values_list("pk", flat=True))

    def pay_all(self):
        debts = open_amounts(self.made.event_id, self.people())
        payments.pay_open_amounts(self.made.event, debts, AccountKind.CASH, self.actor)

    def balances(self):
        """What is in each pot and income, by its key or kind."""
        rows = self.say("GET", f"{self.event}/accounts/")
        return {
            row["name"].removeprefix("Open: ") if row["kind"] == "pot" else row["kind"]: -row["balance"][
                "minor"
            ]
            for row in rows
            if row["balance"]["minor"] and row["kind"] not in ("cash", "player")
        }

    def won(self):
        rows = self.say("GET", f"{self.event}/payouts/")
        return {int(row["name"][1:]): sum(amount["minor"] for amount in row["won"]) for row in rows}

    def pay_out(self):
        claims = open_amounts(self.made.event_id, self.people())
        payouts.pay_out_all(self.made.event, claims, AccountKind.CASH, self.actor)


@pytest.mark.parametrize("plan", SET_UPS, ids=lambda plan: plan["name"])
def test_a_set_up_comes_out_to_the_cent(plan, actor):
    director = Director(plan, actor)
    director.set_up()
    if "again" in plan:
        reentry.set_terms(director.made.pk, ReentryTerms(allowed=True, times=3), actor)
    director.draw()
    if "jackpot" in plan:
        director.open_jackpot(plan["jackpot"])
    director.play()
    charged = director.charged()
    owes = plan.get("owes", {})
    came_in = director.balances()
    director.pay_all()
    if "prizes" in plan:
        director.say("POST", f"{director.here}/awards/")
    won = director.won()
    after = director.balances()
    director.pay_out()
    assert {number: charged[int(number)] for number in owes} == owes
    assert came_in == plan["in"]
    assert {str(k): v for k, v in won.items()} == plan["won"]
    assert after == plan["left"]
    assert open_amounts(director.made.event_id, director.people()) == {}
    assert differences_in_books(director.made.event) == []
