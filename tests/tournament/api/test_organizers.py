"""The organizer over the API: bank data and another organizer; files of the books; what players are worth."""

import json
import uuid

import pytest

from tests.tournament.api.openapi import problem_of
from tests.tournament.conftest import Program
from tournament.accounts import links
from tournament.accounts.links import TokenPlan
from tournament.models import Organizer
from tournament.money.worth import compute_and_cache

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]
DETAILS = {
    "name": "Backgammon Club", "account_holder": "Club", "iban": "DE89 3704 0044 0532 0130 00",
    "payment_link": "https://example.com/{amount}", "tax_text": "No tax is due.",
}  # fmt: skip


def test_the_owner_changes_and_chooses_the_organizer_once(owning, directing, hall):
    here = f"/events/{hall.tournament.event.slug}/organizer/"
    assert problem_of(directing.get(here)) == (403, "denied")
    before = Organizer.objects.count()
    saved = owning.put(here, DETAILS).json()
    assert owning.get(here).json() == saved
    assert (saved["iban"], saved["town"], saved["is_own"]) == ("DE89370400440532013000", "", True)
    for field, value, code in (
        ("iban", "DE00370400440532013000", "iban-is-wrong"),
        ("bic", "X", "bic-is-wrong"),
        ("country", "9Z", "country-is-wrong"),
        ("payment_link", "http://example.com/{amount}", "payment-link-is-wrong"),
    ):
        assert problem_of(owning.put(here, {**DETAILS, field: value})) == (409, code)
    choice = {"organizer": str(uuid.uuid4()), "is_new": True}
    chosen = owning.put(f"{here}choice/", choice).json()
    assert owning.put(f"{here}choice/", choice).json() == chosen
    assert (chosen["id"], chosen["iban"], Organizer.objects.count()) == (choice["organizer"], "", before + 1)
    assert problem_of(owning.put(f"{here}choice/", {"organizer": str(uuid.uuid4())})) == (404, "not-found")
    assert owning.put(f"{here}choice/", {"organizer": saved["id"]}).json()["iban"] == saved["iban"]


def test_an_organizer_of_another_user_shows_no_more_than_name_and_iban(owning, hall):
    here, event = f"/events/{hall.tournament.event.slug}/organizer/", hall.tournament.event
    owning.put(here, DETAILS)
    Organizer.objects.filter(events=event).update(owner=hall.director.user)
    shown = owning.get(here).json()
    assert (shown["is_own"], shown["iban"][-2:], shown["account_holder"], shown["tax_text"]) == (
        False,
        "00",
        "",
        "",
    )
    assert problem_of(owning.put(here, DETAILS)) == (409, "organizer-of-another")
    theirs = {"organizer": shown["id"], "is_new": True}
    assert problem_of(owning.put(f"{here}choice/", theirs)) == (404, "not-found")
    assert problem_of(owning.get(f"/events/{event.slug}/money-files/year/csv/")) == (404, "not-found")


def test_a_token_of_one_event_sees_no_other_organizer_and_chooses_none(hall):
    event = hall.tournament.event
    other = Organizer.objects.create(name="Other club", owner=hall.owner.user)
    program = Program(links.make_api_token(hall.owner.user, "one event", TokenPlan("full", 30, event)))
    here = f"/events/{event.slug}/organizer/"
    assert program.get(here).json()["others"] == []
    assert problem_of(program.put(f"{here}choice/", {"organizer": str(other.pk)})) == (403, "denied")
    assert problem_of(program.put(here, DETAILS)) == (403, "denied")


def test_a_program_downloads_the_books_as_files(directing, owning, hall):
    directing.put(f"{hall.here}/fees/", {"fees": {"currency": "EUR", "entry": {"price": 20_00}}})
    here = f"/events/{hall.tournament.event.slug}/money-files"
    rows = json.loads(directing.get(f"{here}/players/json/").content)
    assert [row["open"] for row in rows] == ["20.00"] * 4
    csv = directing.get(f"{here}/players/csv/", headers={"Accept": "text/csv"})
    assert csv["Content-Type"].startswith("text/csv")
    assert csv.content.decode("utf-8-sig").count("20.00") == 8
    assert directing.get(f"{here}/transfers/xlsx/").content[:2] == b"PK"
    assert owning.get(f"{here}/year/csv/").status_code == 200
    for wrong in ("players/pdf", "secrets/csv"):
        assert problem_of(directing.get(f"{here}/{wrong}/")) == (404, "not-found")


def test_a_program_reads_what_players_are_worth_once_a_worker_computed_it(directing, hall):
    here = f"{hall.here}/worth/"
    assert directing.get(here).json() == {
        "state": "computing", "trials": 0, "error": None, "lines": [], "draws": []
    }  # fmt: skip
    directing.put(f"{hall.here}/fees/", {"fees": {"currency": "EUR", "entry": {"price": 30_00}}})
    parts = [{"bracket": "main", "places": [1, 1], "share": 1}]
    directing.put(f"{hall.here}/prize-structure/", {"prizes": {"currency": "EUR", "parts": parts}})
    compute_and_cache(hall.tournament.pk)
    worth = directing.get(here).json()
    assert (worth["state"], worth["trials"]) == ("ready", 0)
    assert sum(line["amount"]["minor"] for line in worth["lines"]) == 120_00
