"""Payments in advance that an imported list names: each is recorded once, for the price of the tournament."""

import pytest

from tests.tournament import stories
from tests.tournament.money.stories import change_event_fees, take_in
from tests.tournament.refusals import refusal
from tournament.entries import importing, registration
from tournament.entries.lists import read_list
from tournament.entries.lists.payments import amount_reader
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.fees.amounts import Amount
from tournament.fees.schedule import EventFees, Fee, FeeSchedule, SidePool
from tournament.ledger.balances import open_amounts
from tournament.models import AccountKind, Entry, LedgerTransaction
from tournament.money import advance_payments, fees, payments, player_merging
from tournament.queries.money.book_check import differences_in_books
from tournament.queries.money.cash_desk import last_payments


@pytest.fixture
def made(actor):
    row = stories.tournament(actor)
    fees.set_schedule(row.pk, FeeSchedule("EUR", Fee(50_00), Fee(10_00)), actor)
    row.refresh_from_db()
    return row


def owed(made):
    players = {player.pk: player.name for player in made.event.players.all()}
    amounts = open_amounts(made.event_id, players)
    return {name: amounts[pk]["EUR"] for pk, name in players.items() if pk in amounts}


@pytest.mark.django_db
def test_a_list_pays_once_and_a_higher_amount_adds_the_difference(made, actor):
    text = "Name;Amount paid\nAnn;60\nBob;€25.50\nCleo;\nDora;no\nEve;yes\nFay;$60"
    assert take_in(made, actor, text) == ([60_00, 25_50], ["payments-left-out", "not-an-amount"])
    assert owed(made) == {"Bob": 34_50, "Cleo": 60_00, "Dora": 60_00, "Eve": 60_00, "Fay": 60_00}
    assert Entry.objects.get(player__name="Ann").is_paid
    assert refusal(take_in, made, actor, text) == "nothing-to-import"
    later = "Name;Paid;Club\nAnn;60;\nBob;60,00;North\nCleo;30;"
    assert take_in(made, actor, later) == ([34_50, 30_00], [])
    assert owed(made) == {"Cleo": 30_00, "Dora": 60_00, "Eve": 60_00, "Fay": 60_00}
    assert {line.method for line in last_payments(made.event)} == {"Bank transfer"}
    line = made.event.journal.filter(verb="import entries").latest("pk")
    assert "30.00" not in str(line.after), "helpers at the desk read this line"
    assert differences_in_books(made.event) == []


@pytest.mark.django_db
def test_a_list_pays_once_also_after_its_player_was_joined(made, actor):
    plan = setup.TournamentPlan("Other", stories.PRESETS["tournament"], (3,))
    elsewhere = setup.create_tournament(made.event, plan, actor)
    take_in(made, actor, "Name;Paid\nAnn;20")
    payments.undo_payment(made.event, LedgerTransaction.objects.get(deed="payment").pk, actor)
    assert take_in(made, actor, "Name;Paid\nAnn;27")[0] == [27_00]
    joined = made.entries.get().player_id
    details = EntryDetails(PlayerDetails("Ann"), is_new_person=True)
    kept = registration.enter(elsewhere.pk, details, actor).player_id
    shown = player_merging.preview_merge(made.event, kept, joined, actor)
    player_merging.merge_players(made.event, kept, joined, actor, shown.digest)
    assert refusal(take_in, made, actor, "Name;Paid\nAnn;27") == "nothing-to-import"


@pytest.mark.django_db
def test_a_list_records_what_the_desk_took_only_if_the_director_says_so(made, actor):
    registration.enter(made.pk, EntryDetails(PlayerDetails("Ann")), actor)
    ann = made.entries.get().player_id
    desk = payments.pay_open_amounts(made.event, {ann: {"EUR": 60_00}}, AccountKind.CASH, actor)
    text = "Name;Paid\nAnn;60"
    assert take_in(made, actor, "Name;Paid;Club\nAnn;60;South") == ([], ["paid-above-debt"])
    assert owed(made) == {}
    assert take_in(made, actor, text, above_debt=True) == ([60_00], [])
    (imported,) = set(LedgerTransaction.objects.filter(deed="payment")) - set(desk)
    assert take_in(made, actor, "Name;Paid;Club\nAnn;40;North") == ([], ["less-paid"])
    payments.undo_payment(made.event, imported.pk, actor)
    assert refusal(take_in, made, actor, text) == "nothing-to-import"
    payments.undo_payment(made.event, desk[0].pk, actor)
    assert take_in(made, actor, text) == ([60_00], [])
    assert owed(made) == {}


@pytest.mark.django_db
def test_a_line_that_changes_what_is_charged_pays_more_than_is_open_now(made, actor):
    schedule = FeeSchedule("EUR", Fee(50_00), Fee(10_00), pools=(SidePool("1", "Pool 1", Fee(15_00)),))
    fees.set_schedule(made.pk, schedule, actor)
    registration.enter(made.pk, EntryDetails(PlayerDetails("Ann")), actor)
    made.refresh_from_db()
    pools = importing.pool_names(made)
    listing = read_list(b"Name;Pool 1;Paid\nAnn;yes;75", pools=pools, currency="EUR")
    plan = advance_payments.preview(made, listing)
    assert plan.troubles == ()
    done = advance_payments.apply(made.pk, listing, plan.digest, actor)
    assert [amount.minor for amount in done.payments] == [75_00]
    assert owed(made) == {}


@pytest.mark.django_db
def test_a_payment_that_is_taken_back_after_the_preview_is_not_recorded_unseen(made, actor):
    plan = setup.TournamentPlan("Other", stories.PRESETS["tournament"], (3,))
    elsewhere = setup.create_tournament(made.event, plan, actor)
    head = "Name;Paid;Federation number\n"
    take_in(made, actor, f"{head}Ann;60;7")
    registration.enter(elsewhere.pk, EntryDetails(PlayerDetails("Ann", federation_id="7")), actor)
    registration.remove(made.entries.get(), actor)
    listing = read_list(f"{head}Ann;80;7".encode(), currency="EUR")
    plan = advance_payments.preview(made, listing)
    assert [item.payment for item in plan.added] == [Amount(20_00, "EUR")]
    payments.undo_payment(made.event, LedgerTransaction.objects.get(deed="payment").pk, actor)
    assert refusal(advance_payments.apply, made.pk, listing, plan.digest, actor) == "preview-is-old"
    assert take_in(made, actor, f"{head}Ann;80;7")[0] == [80_00]


@pytest.mark.django_db
def test_fees_of_the_event_name_the_currency_and_without_fees_a_list_says_yes_or_no(actor):
    made = stories.tournament(actor)
    assert take_in(made, actor, "Name;Paid\nAnn;yes\nBob;60") == ([], ["neither-yes-nor-no"])
    assert Entry.objects.get(player__name="Ann").is_paid
    change_event_fees(made.event, EventFees("CZK", Fee(100_00)), actor)
    made.refresh_from_db()
    assert take_in(made, actor, "Name;Paid\nBob;100") == ([100_00], [])


@pytest.mark.parametrize(
    ("cell", "currency", "minor"),
    [
        ("60", "EUR", 60_00),
        ("1.250,50 €", "EUR", 1250_50),
        ("12,500", "JPY", 12_500),
        ("EUR 1'250.-", "EUR", 1250_00),
        ("1.250", "KWD", 1_250),
        (62.5, "EUR", 62_50),
        ("٦٠", "EUR", 60_00),
        ("0.00", "EUR", None),
        ("–", "EUR", None),
    ],
)
def test_amounts_are_read_as_lists_write_them(cell, currency, minor):
    reading = amount_reader(currency)(cell)
    assert reading.remark is None
    assert reading.value == (None if minor is None else Amount(minor, currency))


@pytest.mark.parametrize("cell", ["-60", "60 USD", "1.2.3", "0.005", -5, 1e300, "half", "9" * 20, "nan"])
def test_other_cells_are_no_amounts_in_euros(cell):
    reading = amount_reader("EUR")(cell)
    assert reading.value is None
    assert reading.remark is not None
