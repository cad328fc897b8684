"""Exported money: amounts as numbers, sums that balance, no formula, and a year of the organizer for its owner only."""

import csv
import io
from decimal import Decimal

import openpyxl
import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.money.stories import pay
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.exports.money_tables import accounts_table, players_table, transfers_table
from tournament.exports.player_statements import statements_table
from tournament.exports.table_writers import as_csv, as_xlsx
from tournament.fees.amounts import Amount
from tournament.fees.exchange import RATE_UNIT, Rate
from tournament.fees.schedule import Fee, FeeSchedule, Share, Target
from tournament.money import fees, payments, rates
from tournament.queries.money.organizers import YearlyPot, events_of_year, yearly_pots

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(actor):
    """Two players who are charged 25.50 EUR, one of them with a name like a formula, who paid 20 and took it back."""
    made = stories.tournament(actor)
    entries = [
        registration.enter(made.pk, EntryDetails(PlayerDetails(name)), actor) for name in ("=1+1", "Zoë")
    ]
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(20_00), Fee(5_50)), actor)
    for entry in entries:
        row = pay(made.event, entry.player_id, 20_00, actor)
    payments.undo_payment(made.event, row.pk, actor, "Wrong player")
    return made


def read(table):
    return list(csv.DictReader(io.StringIO(as_csv(table).decode("utf-8-sig"))))


def test_transfers_are_listed_with_both_accounts_and_no_formula(made):
    rows = read(transfers_table(made.event))
    assert len(rows) == 2 * 2 + 3
    assert rows[-1]["Type"] == "Reversal"
    assert (rows[-1]["Amount"], rows[-1]["Currency"], rows[-1]["Reason"]) == ("20.00", "EUR", "Wrong player")
    assert {row["Line"] for row in rows} == {"Entry fee", "Registration", "Cash"}
    assert "'=1+1" in {row["Debited account"] for row in rows}
    sheet = openpyxl.load_workbook(io.BytesIO(as_xlsx(transfers_table(made.event)))).active
    assert {
        cell.data_type for row in sheet.iter_rows(min_row=2) for cell in row if "=" in str(cell.value)
    } == {"s"}
    assert sheet["G2"].value == 20


def test_balances_of_accounts_sum_to_zero_and_players_show_what_is_open(made):
    accounts = read(accounts_table(made.event))
    assert sum(Decimal(row["Balance"]) for row in accounts) == 0
    players = {row["Player"]: row for row in read(players_table(made.event))}
    assert (players["Zoë"]["Charged"], players["Zoë"]["Paid"], players["Zoë"]["Open"]) == (
        "25.50", "0.00", "25.50",
    )  # fmt: skip
    assert players["'=1+1"]["Open"] == "5.50"
    statement = [row for row in read(statements_table(made.event)) if row["Player"] == "Zoë"]
    assert [(row["Type"], row["Line"], row["Amount"], row["Open"]) for row in statement] == [
        ("Charge", "Entry fee", "20.00", "20.00"),
        ("Charge", "Registration", "5.50", "25.50"),
        ("Payment", "Cash", "-20.00", "5.50"),
        ("Reversal", "Cash", "20.00", "25.50"),
    ]


def test_a_statement_shows_the_cash_that_was_handed_over_in_another_currency(made, actor):
    rates.set_rate(made.event, Rate("EUR", "SEK", 10 * RATE_UNIT), actor)
    entry = made.entries.get(player__name="Zoë")
    row = pay(made.event, entry.player_id, 100_00, actor, currency="SEK", open_currency="EUR")
    payments.undo_payment(made.event, row.pk, actor, "Wrong notes")
    *_, paid, undone = (row for row in read(statements_table(made.event)) if row["Player"] == "Zoë")
    columns = ("Amount", "Currency", "Handed over", "Currency handed over")
    assert [paid[column] for column in columns] == ["-10.00", "EUR", "-100.00", "SEK"]
    assert [undone[column] for column in columns] == ["10.00", "EUR", "100.00", "SEK"]


def test_the_year_of_the_organizer_lists_all_its_events_for_its_owner(
    made, actor, django_assert_max_num_queries
):
    plan = setup.EventPlan("Saturday", made.event.starts_on)
    other = setup.create_event(plan, actor)
    assert other.organizer == made.event.organizer
    second = setup.create_tournament(
        other, stories.setup.TournamentPlan("Open", stories.PRESETS["tournament"], (3,)), actor
    )
    registration.enter(second.pk, EntryDetails(PlayerDetails("Bo")), actor)
    shares = (Share(Target.YEARLY_POT, percent=500),)
    fees.set_schedule(second.pk, FeeSchedule("SEK", Fee(100_00), shares=shares), actor)
    year = YearlyPot(made.event.starts_on.year, (Amount(5_00, "SEK"),), 1)
    assert yearly_pots(made.event, actor) == [year]
    with django_assert_max_num_queries(2):  # however many events there are
        assert set(events_of_year(made.event, year.year, actor)) == {made.event, other}
    director = stories.helper(made.event, "director", actor)
    assert yearly_pots(made.event, director) == []
    address = reverse("money-year-file", args=[made.event.slug, "csv"])
    answers = {}
    for user in (actor.user, director.user):
        client = Client()
        client.force_login(user)
        answers[user.username] = client.get(address)
    assert answers["director"].status_code in (403, 404)
    text = answers[actor.user.username].content.decode()
    assert "Friday night" in text
    assert "Saturday" in text
    assert "SEK" in text
    other.memberships.all().delete()
    client.force_login(actor.user)
    assert "Saturday" not in client.get(address).content.decode()
