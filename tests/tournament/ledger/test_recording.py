"""The ledger: what it records, what it refuses to change, and what an entry is charged."""

from copy import deepcopy
from dataclasses import replace

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from tests.tournament import stories
from tests.tournament.refusals import refusal
from tournament.events import recycle_bin
from tournament.fees.amounts import Amount
from tournament.fees.schedule import MAIN_POT, Fee, FeeSchedule, Share, SidePool, Target
from tournament.fees.stored import schedule_as_json
from tournament.ledger.accounts import AccountName, player_account
from tournament.ledger.balances import balances_of, open_amounts
from tournament.ledger.charging import charge_players
from tournament.ledger.recording import NewDeed, TransferLine, lock_book, record, reverse
from tournament.live.journal import JournalEntry
from tournament.models import AccountKind, Deed, JournalLine, LedgerAccount, LedgerTransaction, Transfer

pytestmark = pytest.mark.django_db
SCHEDULE = FeeSchedule(
    "EUR",
    Fee(60_00),
    Fee(10_00),
    shares=(Share(Target.FEDERATION, percent=2000),),
    pools=(SidePool("1", "Side pool 1", Fee(15_00)),),
)
CASH, REGISTRATION = AccountName(AccountKind.CASH, "EUR"), AccountName(AccountKind.REGISTRATION, "EUR")
PAID = JournalEntry("pay", "player")


def deed(key, *lines):
    return NewDeed(Deed.PAYMENT, key, [TransferLine(str(n), *line) for n, line in enumerate(lines)])


@pytest.fixture(scope="module")
def charged_of_module(actor_of_module):
    """A tournament of two players with fees that are charged."""
    made = stories.entered(actor_of_module, 2)
    made.fees = schedule_as_json(SCHEDULE)
    made.save()
    charge(made, actor_of_module)
    return made


@pytest.fixture
def charged(db, charged_of_module):
    return deepcopy(charged_of_module)


def charge(made, actor):
    """Charges all players of the tournament."""
    return charge_players(made.event_id, [entry.player_id for entry in entries_of(made)], actor)


def entries_of(made):
    return list(made.entries.select_related("player").order_by("entered_at"))


def balances(event):
    found = balances_of(LedgerAccount.objects.filter(event=event))
    assert sum(found.values()) == 0
    return {pk.split(":", 2)[2]: minor for pk, minor in found.items() if minor}


def test_entries_owe_their_fees_and_pots_and_incomes_have_them(charged):
    first, second = entries_of(charged)
    assert balances(charged.event) == {
        f"player:{first.player_id.hex}": 70_00,
        f"player:{second.player_id.hex}": 70_00,
        f"pot:{charged.pk.hex}:{MAIN_POT}": -96_00,
        "federation": -24_00,
        "registration": -20_00,
    }


def test_charging_again_changes_nothing_and_a_side_pool_posts_the_difference(charged, actor):
    first, _ = entries_of(charged)
    assert charge(charged, actor) == []
    charged.entries.filter(pk=first.pk).update(pools=["1"])
    (difference,) = charge(charged, actor)
    assert difference.amounts == [Amount(15_00, "EUR")]
    charged.entries.filter(pk=first.pk).update(pools=[])
    charge(charged, actor)
    assert open_amounts(charged.event_id, [first.player_id]) == {first.player_id: {"EUR": 70_00}}


def test_another_currency_takes_back_what_was_charged_in_the_first(charged, actor):
    first, _ = entries_of(charged)
    charged.fees = schedule_as_json(FeeSchedule("SEK", Fee(700_00)))
    charged.save()
    charge(charged, actor)
    assert open_amounts(charged.event_id, [first.player_id]) == {first.player_id: {"SEK": 700_00}}


def test_a_deed_is_recorded_once_with_its_journal_line(charged, actor):
    first, _ = entries_of(charged)
    payment = deed("payment 1", (player_account(first.player_id, "EUR"), CASH, 70_00))
    with lock_book(charged.event_id) as book:
        (row,) = record(book, [payment], PAID, actor)
        assert record(book, [payment], PAID, actor) == [row]
    assert row.journal_line.verb == "pay"
    assert JournalLine.objects.filter(verb="pay").count() == 1
    assert open_amounts(charged.event_id, [first.player_id]) == {}


def test_a_transaction_is_reversed_once(charged, actor):
    first, _ = entries_of(charged)
    with lock_book(charged.event_id) as book:
        (row,) = record(book, [deed("p", (player_account(first.player_id, "EUR"), CASH, 70_00))], PAID, actor)
        reverse(book, [row.pk], PAID, actor)
        assert refusal(reverse, book, [row.pk], PAID, actor) == "reversed-already"
    assert "cash" not in balances(charged.event)


@pytest.mark.parametrize(
    ("lines", "constraint"),
    [
        ([(CASH, REGISTRATION, -5)], "transfer_moves_a_positive_amount"),
        ([(CASH, CASH, 5)], "transfer_has_two_accounts"),
        ([(CASH, AccountName(AccountKind.REGISTRATION, "SEK"), 5)], "transfer_stays_in_its_book"),
        ([(CASH, replace(REGISTRATION, name="x"), 5)], "only_a_till_or_a_pot_has_a_name"),
    ],
)
def test_the_database_refuses_wrong_transfers_and_accounts(charged, actor, lines, constraint):
    with lock_book(charged.event_id) as book, pytest.raises(IntegrityError, match=constraint):
        record(book, [deed("p", *lines)], PAID, actor)


@pytest.mark.parametrize(
    ("model", "change"), [(Transfer, {"amount": 1}), (LedgerTransaction, {"key": "other"})]
)
def test_the_database_refuses_to_change_the_ledger(charged, model, change):
    with pytest.raises(DatabaseError, match="ledger_is_never_changed"), transaction.atomic():
        model.objects.update(**change)


def test_the_ledger_goes_with_its_event(charged, actor):
    recycle_bin.delete_event(charged.event, actor, with_money=True)
    recycle_bin.remove_event(charged.event)
    assert not Transfer.objects.exists()
    assert not LedgerAccount.objects.exists()
