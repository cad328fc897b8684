"""Deeds at the same moment: both are right, or one is refused. None ends in a deadlock."""

import random
import uuid
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import pytest
from django.db import transaction

from rules.ruleset import PRESETS
from tests import servers
from tests.tournament import stories
from tests.tournament.money.stories import (
    TERMS,
    change_fees,
    claims,
    expected_lot,
    final_of,
    pay,
    sums_to_zero,
    turn_final,
    with_pot,
)
from tests.tournament.races import outcomes_at_once, race, refusals, wait_for_blocked_transaction
from tests.tournament.room.halls import with_tables
from tournament.drawing import draws
from tournament.entries import copying, registration
from tournament.entries.choices import set_choices
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import recycle_bin, setup
from tournament.fees.amounts import Amount
from tournament.fees.bank_statement import IncomingPayment
from tournament.fees.schedule import Condition, Fee, FeeChoices, FeeSchedule
from tournament.ledger.balances import open_amounts
from tournament.ledger.recording import lock_book
from tournament.ledger.tills import till_of
from tournament.models import (
    AccountKind,
    CalcuttaLot,
    Entry,
    LedgerAccount,
    LedgerTransaction,
    Player,
    TableOccupancy,
)
from tournament.money import bank_statement, calcutta, payouts, settling, tills
from tournament.money.awards import award_prizes
from tournament.money.calcutta import Buyer
from tournament.money.payouts import NewPayout
from tournament.money.player_merging import merge_players, preview_merge, split_off_entry
from tournament.money.settling import Agreement
from tournament.money.tills import Count
from tournament.occupancy.locking import lock_room
from tournament.results.awards import ExpectedResult
from tournament.room import calls
from tournament.runtime.errors import NotFound, Refused

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def made():
    """Four players who paid 30 EUR each. The final is played and its prizes of 80 and 40 are awarded."""
    actor = stories.director()
    row = with_pot(stories.released(actor, 4), actor)
    stories.play_out(row, actor, random.Random(1))
    award_prizes(row.pk, actor)
    row.owner = actor
    return row


def test_money_that_moves_at_the_same_moment_is_right_or_refused(made):
    actor, final, event = made.owner, final_of(made), made.event
    winner = final.winner.player_id
    helper = stories.helper(event, "cash", actor)

    payout = NewPayout(uuid.uuid4(), Amount(80_00, "EUR"), AccountKind.BANK, expected=80_00)
    outcomes = outcomes_at_once(
        lambda: payouts.pay_out(event, winner, payout, actor), lambda: turn_final(made, actor)
    )
    assert outcomes in (["done", "done"], ["no-such-claim", "done"])
    assert sorted(claims(made).values()) == ([-40_00, 80_00] if outcomes[0] == "done" else [40_00, 80_00])

    new_fees = FeeSchedule("EUR", Fee(50_00))
    outcomes_at_once(lambda: change_fees(made, new_fees, actor), lambda: pay(event, winner, 5_00, helper))
    assert sums_to_zero(made)

    loser = next(
        entry.player_id for entry in made.entries.all() if entry.pk not in (final.left_id, final.right_id)
    )
    takings = [
        lambda actor=actor: pay(event, loser, 20_00, actor, expected=20_00) for actor in (actor, helper)
    ]
    assert sorted(outcomes_at_once(*takings)) == ["done", "open-amount-changed"]
    assert open_amounts(event.pk, [loser]) == {}

    till = LedgerAccount.objects.get(event=event, kind=AccountKind.CASH, name=till_of(helper))
    held = sum(row.amount for row in till.debits.all())
    count = Count(held, tills.last_transfer_of(till), "Ana")
    close = lambda: tills.close_till(event, till.name, "EUR", count, helper)  # noqa: E731
    assert outcomes_at_once(close, lambda: pay(event, loser, 1_00, helper))[1] == "done"
    assert sums_to_zero(made)


def test_prizes_follow_a_price_that_another_tournament_changes_meanwhile(made):
    """Membership belongs to the player: with an entry elsewhere it lowers the price, and so the pot, here."""
    actor, winner = made.owner, final_of(made).winner
    change_fees(made, FeeSchedule("EUR", Fee(50_00, {Condition.MEMBER: 20_00})), actor)
    plan = setup.TournamentPlan("Doubling", PRESETS["tournament"], (3,))
    other = setup.create_tournament(made.event, plan, actor)
    entry = registration.enter(other.pk, registration.details_of(winner), actor)
    Entry.objects.filter(pk=entry.pk).update(player=winner.player)

    @contextmanager
    def membership():
        with transaction.atomic():
            choices = FeeChoices(frozenset({Condition.MEMBER}), frozenset())
            set_choices(other.pk, {entry.pk: choices}, actor)
            yield

    race(membership(), lambda: award_prizes(made.pk, actor), row=str(made.event_id))
    assert claims(made)[winner.name] == 113_34 + 10_00
    assert sums_to_zero(made)


def test_prizes_and_auctions_that_change_at_the_same_moment_are_right_or_refused(made):
    actor, final = made.owner, final_of(made)
    agreement = Agreement(final.winner_id, (70_00, 50_00))
    expected = ExpectedResult(final.results.get(superseded_by=None).pk)
    settle = lambda: settling.settle_at_desk(final, agreement, "Agreed", actor, expected=expected)  # noqa: E731
    assert outcomes_at_once(settle, lambda: award_prizes(made.pk, actor)) == ["done", "done"]
    assert sorted(claims(made).values()) == [50_00, 70_00]

    calcutta.set_terms(made.pk, TERMS, actor)
    calcutta.add_lots(made.pk, [[final.winner_id]], actor)
    lot = CalcuttaLot.objects.get()
    state, guest = expected_lot(lot), Buyer(None, "Guest")
    outcomes = outcomes_at_once(
        lambda: calcutta.bid(made.pk, state, guest, 10_00, actor),
        lambda: calcutta.remove_lot(made.pk, state, actor),
    )
    assert outcomes in (["done", "lot-changed"], ["gone", "done"])
    assert CalcuttaLot.objects.count() == (outcomes[0] == "done")
    assert sums_to_zero(made)


def test_one_person_is_entered_at_two_desks_and_split_off_twice_at_once():
    actor = stories.director()
    main = stories.tournament(actor)
    plan = setup.TournamentPlan("Side", PRESETS["tournament"], (3,))
    side = setup.create_tournament(main.event, plan, actor)

    def enter(tournament):
        return registration.enter(tournament.pk, EntryDetails(PlayerDetails("Ann Berg")), actor)

    @contextmanager
    def entered():
        with transaction.atomic():
            enter(main)
            yield

    race(entered(), lambda: enter(side), row=str(main.event_id))
    assert Player.objects.filter(event=main.event).count() == 1
    entry = side.entries.get().pk
    rows = [Entry.objects.select_related("tournament").get(pk=entry) for _ in range(2)]
    outcomes = outcomes_at_once(*[partial(split_off_entry, row, actor) for row in rows])
    assert sorted(outcomes) == ["done", "not-two-people"]
    assert Player.objects.filter(event=main.event).count() == 2


def test_a_player_who_is_entered_elsewhere_meanwhile_is_not_merged():
    """The prizes of that tournament would not follow: its lock is not taken. SQLite locks all before it reads."""
    actor = stories.director()
    main = stories.tournament(actor)
    sides = [
        setup.create_tournament(main.event, setup.TournamentPlan(name, PRESETS["tournament"], (3,)), actor)
        for name in ("Side", "Third")
    ]
    ann = EntryDetails(PlayerDetails("Ann Berg"))
    kept = registration.enter(main.pk, ann, actor).player_id
    other = registration.enter(sides[0].pk, replace(ann, is_new_person=True), actor).player_id
    shown = preview_merge(main.event, kept, other, actor)

    @contextmanager
    def entered():
        with transaction.atomic():
            registration.enter(sides[1].pk, replace(ann, player_id=other), actor)
            yield

    codes: list[str] = []
    merge = partial(merge_players, main.event, kept, other, actor, shown.digest)
    race(entered(), lambda: refusals(merge, codes), row=str(main.event_id))
    assert codes == ([] if servers.uses_sqlite() else ["merge-changed"])
    assert Player.objects.filter(pk=other).exists() == bool(codes)


@pytest.mark.parametrize("deed", ["pays", "bids", "is copied"])
def test_a_player_whose_entry_is_removed_meanwhile_is_gone(deed):
    actor = stories.director()
    main = stories.tournament(actor)
    plan = setup.TournamentPlan("Side", PRESETS["tournament"], (3,))
    side = setup.create_tournament(main.event, plan, actor)
    change_fees(main, FeeSchedule("EUR", Fee(20_00)), actor)
    entry, seated = (
        registration.enter(row.pk, EntryDetails(PlayerDetails(name)), actor)
        for row, name in ((main, "Ann Berg"), (side, "Bo Lind"))
    )
    calcutta.set_terms(side.pk, TERMS, actor)
    calcutta.add_lots(side.pk, [[seated.pk]], actor)
    state, buyer = expected_lot(CalcuttaLot.objects.get()), Buyer(entry.player_id)

    @contextmanager
    def removed():
        with transaction.atomic():
            registration.remove(entry, actor)
            yield

    deeds = {
        "pays": lambda: pay(main.event, entry.player_id, 20_00, actor),
        "bids": lambda: calcutta.bid(side.pk, state, buyer, 10_00, actor),
        "is copied": lambda: copying.copy_entries(side.pk, main, [entry.pk], actor),
    }

    def work():
        with pytest.raises((NotFound, Refused)):
            deeds[deed]()

    race(removed(), work, row=str(main.event_id))
    assert not LedgerTransaction.objects.filter(deed="payment").exists()


def test_a_new_draw_and_a_merge_take_the_locks_of_event_and_room_in_one_order():
    actor = stories.director()
    made = stories.released(actor, 4)
    change_fees(made, FeeSchedule("EUR", Fee(20_00)), actor)
    calls.call(stories.playable(made)[0].pk, with_tables(made)[0].pk, actor)

    @contextmanager
    def merging():
        with lock_book(made.event_id):
            yield
            wait_for_blocked_transaction()
            with lock_room(made.event_id):
                pass

    plan = draws.DrawPlan(reason="A player is missing")
    race(merging(), lambda: draws.make(made.pk, plan, actor), row=str(made.event_id))
    assert made.draws.count() == 2


def of_one_person(actor):
    """Two players of one person: one who waits for a call, and one of another tournament."""
    main = stories.released(actor, 4)
    (waiting, *_), (table, *_) = stories.playable(main), with_tables(main)
    side = setup.create_tournament(
        main.event, setup.TournamentPlan("Side", PRESETS["tournament"], (3,)), actor
    )
    details = EntryDetails(PlayerDetails(waiting.left.player.name), is_new_person=True)
    kept = registration.enter(side.pk, details, actor).player_id
    shown = preview_merge(main.event, kept, waiting.left.player_id, actor)
    merge = partial(merge_players, main.event, kept, waiting.left.player_id, actor, shown.digest)
    return kept, waiting, merge, partial(calls.call, waiting.pk, table.pk, actor)


@pytest.mark.parametrize("is_called_first", [True, False])
def test_a_player_who_is_called_during_a_merge_sits_at_the_table(is_called_first):
    kept, waiting, merge, call = of_one_person(stories.director())

    @contextmanager
    def done(work):
        with transaction.atomic():
            work()
            yield
            wait_for_blocked_transaction()

    if is_called_first:
        race(done(call), merge)
    else:
        race(done(merge), call)
    seated = TableOccupancy.objects.filter(left_at__isnull=True, call__ended_at__isnull=True)
    assert set(seated.values_list("player", flat=True)) == {kept, waiting.right.player_id}


def test_two_events_of_an_organizer_record_a_line_of_a_statement_once():
    actor = stories.director()
    first, second = (stories.entered(actor, 1).event for _ in range(2))
    assert first.organizer_id == second.organizer_id
    lines = [IncomingPayment(2, "2026-11-28", Amount(20_00, "EUR"), "", "Ann", "line 2")]

    def record(event):
        player = event.players.get().pk
        (proposal,) = bank_statement.propose(event, lines)
        return partial(bank_statement.record_payments, event, lines, {proposal.key: player}, actor)

    work, again = record(first), record(second)

    @contextmanager
    def recorded():
        with transaction.atomic():
            assert len(work()) == 1
            yield

    race(recorded(), again, row=str(first.organizer_id))
    assert LedgerTransaction.objects.filter(deed="payment").count() == 1


def test_a_player_who_pays_while_the_bin_is_emptied_stays():
    actor = stories.director()
    made = stories.entered(actor, 1)
    player = made.entries.get().player
    recycle_bin.delete_tournament(made, actor)

    @contextmanager
    def paying():
        with transaction.atomic():
            pay(made.event, player.pk, 20_00, actor, above_debt=True)
            yield

    race(paying(), lambda: recycle_bin.remove_tournament(made), row=str(made.event_id))
    assert open_amounts(made.event_id, [player.pk]) == {player.pk: {"EUR": -20_00}}
