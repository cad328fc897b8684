"""The list of what needs the desk now: every kind, its order, and what settles it."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from matches.keepers import Keeper
from rules.ruleset import PRESETS
from tests.tournament import stories
from tests.tournament.queries.cards import Phone
from tournament.access.actors import STRANGER, Actor
from tournament.accounts import links
from tournament.draw.formats import Format, Kind
from tournament.drawing import round_previews
from tournament.events import setup
from tournament.fees.amounts import Amount
from tournament.models import AccountKind, Draw, Event, Pairing, ResultKind, Tournament
from tournament.money import awards, payouts
from tournament.prizes.stored import structure_as_json
from tournament.prizes.structure import Part, PrizeStructure
from tournament.queries.desk.urgent import UrgentAction, UrgentKind, load_urgent
from tournament.queries.room.room import room_page
from tournament.results import desk, disputes
from tournament.room import calls, tables

pytestmark = pytest.mark.django_db


def another(event: Event, name: str, actor: Actor, entries: int, **plan) -> Tournament:
    """A released tournament of the same event."""
    made = setup.create_tournament(
        event, setup.TournamentPlan(name, PRESETS["tournament"], (3,), **plan), actor
    )
    stories.draw_and_release(made, actor, entries)
    return made


def played(made: Tournament, actor: Actor) -> None:
    for pairing in stories.playable(made):
        stories.play(pairing, actor)


def everything_waits(actor: Actor) -> tuple[Event, list[Pairing]]:
    made = stories.released(actor, 8)
    event, waiting = made.event, stories.playable(made)
    swiss = another(event, "Swiss", actor, 4, format=Format(Kind.SWISS, rounds=2))
    played(swiss, actor)
    hidden = another(event, "Hidden", actor, 4)
    Draw.objects.filter(tournament=hidden).update(released_at=None)
    disputes.open_dispute(waiting[0], Keeper.LEFT, "It was 3–2.", STRANGER)
    stories.play(waiting[1], actor)
    Phone(waiting[1], Keeper.RIGHT).final(0, 3)
    links.request_link(waiting[2].left)
    Phone(waiting[2], Keeper.LEFT).final(3, 0)
    call = calls.call(waiting[3].pk, None, actor)
    type(call).objects.filter(pk=call.pk).update(called_at=timezone.now() - timedelta(minutes=9))
    tables.add(event.pk, "1-2", actor)
    over = another(event, "Over", actor, 2)
    played(over, actor)
    structure = PrizeStructure("EUR", (Part("main", 1, 1, 1),), added=50_00)
    Tournament.objects.filter(pk=over.pk).update(prize_structure=structure_as_json(structure))
    return event, waiting


def test_every_kind_is_listed_once_the_most_urgent_first(actor):
    event, waiting = everything_waits(actor)
    items = load_urgent(event, with_money=True)
    assert [item.kind for item in items] == list(UrgentKind)
    assert load_urgent(event) == items[:-1]
    assert len({item.key for item in items}) == len(items)
    by_kind = {item.kind: item for item in items}
    assert (by_kind[UrgentKind.ROUND].tournament.name, by_kind[UrgentKind.ROUND].number) == ("Swiss", 2)
    assert by_kind[UrgentKind.DRAW].tournament.name == "Hidden"
    pairings = {kind: item.pairing for kind, item in by_kind.items() if item.pairing}
    assert pairings == {
        UrgentKind.DISPUTE: waiting[0].pk,
        UrgentKind.QUESTION: waiting[1].pk,
        UrgentKind.REPORT: waiting[2].pk,
        UrgentKind.LATE: waiting[3].pk,
    }
    assert by_kind[UrgentKind.PRIZE].tournament.name == "Over"
    assert by_kind[UrgentKind.TABLE].number == room_page(event).waiting_in_all == 2


def test_the_longest_wait_of_a_kind_comes_first(actor):
    made = stories.released(actor, 8)
    first, second = stories.playable(made)[:2]
    for pairing in (second, first):
        links.request_link(pairing.left)
    assert [item.name for item in load_urgent(made.event)] == [second.left.name, first.left.name]


def test_a_second_call_is_followed_by_a_decision_and_play_ends_both(actor):
    made = stories.released(actor, 4)
    call = calls.call(stories.playable(made)[0].pk, None, actor)
    assert load_urgent(made.event) == []
    later = timezone.now() + timedelta(minutes=6)
    assert [item.action for item in load_urgent(made.event, later)] == [UrgentAction.CALL_AGAIN]
    calls.call_again(call.pk, actor)
    assert load_urgent(made.event) == []
    assert [item.action for item in load_urgent(made.event, later)] == [UrgentAction.PENALIZE]
    calls.mark_playing(call.pk, actor)
    assert load_urgent(made.event, later) == []


def test_a_round_of_each_format_that_is_paired_round_by_round_announces_its_end(actor):
    for played_as in (
        Format(Kind.SWISS, rounds=2),
        Format(Kind.LIVES, lives=2),
    ):
        made = stories.released(actor, 4, format=played_as)
        waiting = stories.playable(made)
        stories.play(waiting[0], actor)
        assert load_urgent(made.event) == []
        stories.play(waiting[1], actor)
        assert [item.action for item in load_urgent(made.event)] == [UrgentAction.PAIR]
        round_previews.preview_next_round(made.pk, actor)
        assert [item.action for item in load_urgent(made.event)] == [UrgentAction.RELEASE_ROUND]
        round_previews.pair_and_release(made.pk, actor)
        assert load_urgent(made.event) == []


def test_prizes_are_awarded_posted_again_after_a_new_result_and_paid(actor):
    made = stories.released(actor, 2)
    structure = PrizeStructure("EUR", (Part("main", 1, 1, 1),), added=50_00)
    Tournament.objects.filter(pk=made.pk).update(prize_structure=structure_as_json(structure))

    def actions():
        return [item.action for item in load_urgent(made.event, with_money=True)]

    played(made, actor)
    assert actions() == [UrgentAction.AWARD]
    (winner,) = awards.award_prizes(made.pk, actor)
    assert actions() == [UrgentAction.PAY_OUT]
    amount = Amount(50_00, "EUR")
    payout = payouts.NewPayout(uuid.uuid4(), amount, AccountKind.CASH)
    payouts.pay_out(made.event, winner.entry.player_id, payout, actor)
    assert actions() == []
    (pairing,) = stories.pairings(made)
    desk.award(pairing, pairing.right_id, ResultKind.WALKOVER, "He left.", actor)
    assert actions() == [UrgentAction.POST_PRIZES]
    awards.award_prizes(made.pk, actor)
    assert actions() == [UrgentAction.PAY_OUT]
