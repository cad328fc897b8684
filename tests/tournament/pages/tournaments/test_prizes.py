"""Prizes are set up by the director or by a program, changed while play is on, and shown with the standings."""

from decimal import Decimal

import pytest

from rules.ruleset import Ruleset
from tests.tournament import stories
from tests.tournament.conftest import Program
from tests.tournament.pages.places import at
from tests.tournament.refusals import refusal
from tournament.accounts import links
from tournament.draw.formats import Format, Kind
from tournament.draw.prizes import Prize, Prizes
from tournament.events import setup
from tournament.models import Tournament

pytestmark = pytest.mark.django_db
BESIDE = {"jackpot 2": {"1": "Cup"}}


def test_prizes_are_set_up_and_shown_and_stay_what_a_program_said_of_other_brackets(browser, owner):
    event = stories.event(owner)
    browser.open("tournament-new", event.slug)
    browser.press("Create tournament", name="Open", others=3, prize_currency="EUR", prizes_main="300, , Cup")
    made = Tournament.objects.get(event=event)
    assert made.prizes == {"currency": "EUR", "tables": {"main": {"1": "300.00", "3": "Cup"}}}
    drawn = stories.released(owner, 4)
    Tournament.objects.filter(pk=drawn.pk).update(prizes={"currency": "EUR", "tables": BESIDE})
    browser.open("tournament-edit", *at(drawn)).press("Save", prizes_main="60, 30, 10")
    drawn.refresh_from_db()
    assert drawn.prizes["tables"] == {"main": {"1": "60.00", "2": "30.00", "3": "10.00"}, **BESIDE}
    assert browser.open("tournament-edit", *at(drawn)).fields("Save")["prizes_main"] == "60.00, 30.00, 10.00"
    for pairing in stories.playable(drawn):
        stories.play(pairing, owner)
    page = browser.open("standings", *at(drawn))
    assert page.says("€5")
    browser.open("tournament-edit", *at(drawn)).press("Save", prizes_main="a" * 50)
    assert browser.status == 422
    assert browser.says("Enter amounts such as 300")


def test_a_program_sets_prizes_keeps_omitted_ones_and_reads_shares(hall):
    directing = Program(links.make_api_token(hall.director.user, "director"))
    body = {"name": "Open", "lengths": [3]}
    prizes = {"currency": "EUR", "tables": {"main": {"1": "50", "2": "Cup"}}}
    stored = {"currency": "EUR", "tables": {"main": {"1": "50.00", "2": "Cup"}}}
    assert directing.put(f"{hall.here}/", {**body, "prizes": prizes}).json()["prizes"] == stored
    assert directing.put(f"{hall.here}/", body).json()["prizes"] == stored
    for rubbish in ({"tables": {"main": {"0": "5"}}}, {"tables": {"main": 5}}, 5, {"currency": "x" * 9}):
        assert directing.put(f"{hall.here}/", {**body, "prizes": rubbish}).status_code == 400
    assert {line["prize"] for line in directing.get(f"{hall.here}/standings/").json()} == {None}
    for pairing in stories.playable(hall.tournament):
        stories.play(pairing, hall.owner)
    semifinals = {"currency": "EUR", "tables": {"main": {"3": "100.01", "4": "Cup"}}}
    directing.put(f"{hall.here}/", {**body, "prizes": semifinals})
    shares = [line["prize"] for line in directing.get(f"{hall.here}/standings/").json() if line["prize"]]
    share = {"amount": "50.00", "labels": ["Cup"], "among": 2, "currency": "EUR", "besides": []}
    assert shares == [share] * 2
    assert directing.put(f"{hall.here}/", {**body, "prizes": {}}).json()["prizes"] == {}


def test_prizes_need_a_bracket_with_places_and_are_removed_with_it(browser, owner):
    event = stories.event(owner)
    program = Program(links.make_api_token(owner.user, "owner"))
    body = {"name": "Open", "lengths": [3], "format": {"kind": "double_elimination"}}
    changed = {**body, "prizes": {"tables": {"final": {"1": "50"}}}}
    refused = program.post(f"/events/{event.slug}/tournaments/", changed)
    assert (refused.status_code, refused.json()["code"]) == (409, "no-such-places")
    assert "final" in refused.json()["detail"]
    for astray in ("lower", "third place", "consolation", "last chance", "play-off", "jackpot"):
        prizes = Prizes("EUR", {astray: (Prize(1, Decimal(50)),)})
        plan = setup.TournamentPlan("Open", Ruleset(), format=Format(Kind.DOUBLE), prizes=prizes)
        assert refusal(lambda plan=plan: setup.create_tournament(event, plan, owner)) == "no-such-places"
    changed = {"tables": {"main": {"1": "50"}, "jackpot 1": {"1": "Cup"}}}
    made = program.post(f"/events/{event.slug}/tournaments/", {**body, "prizes": changed}).json()
    page = browser.open("tournament-edit", event.slug, made["slug"])
    page.press("Save", kind="knockout", prizes_consolation="20")
    assert page.status == 422
    assert page.says("“consolation” has no list of places")
    page.press("Save", kind="knockout", consolation="simple", prizes_consolation="20")
    stored = Tournament.objects.get(event=event)
    assert set(stored.prizes["tables"]) == {"main", "jackpot 1", "consolation"}
    browser.open("tournament-edit", event.slug, made["slug"]).press("Save", kind="groups", prizes_main="")
    stored.refresh_from_db()
    assert set(stored.prizes["tables"]) == {"jackpot 1"}
