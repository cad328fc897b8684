"""Lists say who is a member and who plays in a side pool, by headings and by the names of the pools."""

from decimal import Decimal

import pytest
from django.urls import reverse

from rules.ruleset import PRESETS
from tests.tournament import stories
from tests.tournament.money.stories import owed
from tournament.entries import importing
from tournament.entries.lists import read_list
from tournament.events import setup
from tournament.fees.schedule import Condition, Fee, FeeSchedule, SidePool
from tournament.models import Entry
from tournament.money.fees import set_schedule
from tournament.queries.money.book_check import differences_in_books

pytestmark = pytest.mark.django_db
POOLS = (SidePool("1", "Gold", Fee(10_00)), SidePool("2", "Silver", Fee(5_00), ratings_below=Decimal(1600)))
FEES = FeeSchedule("EUR", Fee(20_00, {Condition.MEMBER: 15_00}), pools=POOLS)
LIST = "\n".join(
    [
        "Name;Rating;Mitglied;Title;Pool 1;SILVER;Pool 3",
        "Ann;1500;ja;;x;1;yes",
        "Bob;1700;no;GM;x;x;",
        "Cleo;;maybe;;yes;;",
    ]
)


@pytest.fixture
def made(actor):
    row = stories.tournament(actor)
    set_schedule(row.pk, FEES, actor)
    row.refresh_from_db()
    return row


def chosen(made):
    rows = Entry.objects.filter(tournament=made).select_related("player")
    return {entry.name: (entry.player.conditions, entry.pools) for entry in rows}


def take_in(made, actor, text):
    listing = read_list(text.encode(), pools=importing.pool_names(made))
    preview = importing.preview(made, listing)
    importing.apply(made.pk, listing, preview.digest, actor)
    return [(trouble.line, trouble.code) for trouble in preview.troubles]


def test_a_list_enters_players_with_their_prices_and_side_pools(made, actor, client):
    client.force_login(actor.user)
    address = reverse("entries-import", args=[made.event.slug, made.slug])
    page = client.post(address, {"text": LIST}).content.decode()
    assert '<option value="pool_2" selected>Silver</option>' in page
    assert "1500 · Member · Gold · Silver" in page
    assert take_in(made, actor, LIST) == [
        (None, "column-left-out"),
        (3, "pool-not-possible"),
        (4, "neither-yes-nor-no"),
    ]
    assert chosen(made) == {
        "Ann": (["member"], ["1", "2"]),
        "Bob": (["title"], ["1"]),
        "Cleo": ([], ["1"]),
    }
    assert owed(made) == {"Ann": 30_00, "Bob": 30_00, "Cleo": 30_00}


def test_a_second_list_changes_what_it_names_and_charges_the_difference(made, actor, client):
    take_in(made, actor, LIST)
    second = "Name;Member;Gold\nAnn;;no\nBob;1;yes\nCleo;;"
    client.force_login(actor.user)
    address = reverse("entries-import", args=[made.event.slug, made.slug])
    page = client.post(address, {"text": second}).content.decode()
    assert "2 changed" in page
    assert "Gold" in page
    assert take_in(made, actor, second) == []
    assert chosen(made) == {
        "Ann": (["member"], ["2"]),
        "Bob": (["member", "title"], ["1"]),
        "Cleo": ([], ["1"]),
    }
    assert owed(made) == {"Ann": 20_00, "Bob": 25_00, "Cleo": 30_00}
    line = made.event.journal.filter(verb="import entries").latest("pk")
    assert {"pool_1": False} in line.after["entries"].values()


def test_a_list_for_a_tournament_without_fees_changes_the_price_of_the_other_one(made, actor):
    take_in(made, actor, "Name\nAnn")
    plan = setup.TournamentPlan("Side", PRESETS["tournament"], (3,))
    other = setup.create_tournament(made.event, plan, actor)
    take_in(other, actor, "Name;Member\nAnn;yes")
    assert owed(made) == {"Ann": 15_00}
    assert differences_in_books(made.event) == []
    assert (None, "column-left-out") in take_in(other, actor, "Name;Title\nAnn;Mrs\nDora;Dr.")
    titles = take_in(other, actor, "Name;Title;Member\nAnn;BMAB G2;no\nDora;Dr.;")
    assert titles == [(3, "neither-yes-nor-no")]
    assert chosen(other) == {"Ann": (["title"], []), "Dora": ([], [])}
