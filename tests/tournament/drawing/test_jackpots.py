"""Jackpots: filled, drawn automatically and played to the end beside an unchanged main bracket."""

import random
import uuid
from copy import deepcopy
from decimal import Decimal

import pytest

from tests.tournament import stories
from tests.tournament.refusals import refusal
from tournament.corrections import consistency
from tournament.draw import chance
from tournament.drawing import draws, jackpots
from tournament.drawing.jackpots import JackpotPlan
from tournament.entries import registration
from tournament.fees.schedule import Fee, FeeSchedule
from tournament.models import Jackpot, JournalLine, Pairing
from tournament.money.fees import set_schedule
from tournament.runtime.errors import NotFound, Refused

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made_of_module(actor_of_module):
    return stories.released(actor_of_module, 8)


@pytest.fixture
def made(db, made_of_module):
    return deepcopy(made_of_module)


def opened(made, actor, size: int = 4, **more) -> Jackpot:
    return jackpots.open_jackpot(made.pk, JackpotPlan(size, 5, **more), actor)


def fill(jackpot: Jackpot, made, actor, entries=None) -> Jackpot:
    joined = jackpot
    for entry in entries or made.entries.all()[: jackpot.size]:
        joined = jackpots.join(jackpot.pk, entry, actor)
    return joined


@pytest.mark.parametrize("size", [4, 8])
def test_a_full_jackpot_is_drawn_automatically_and_played_to_its_length(made, actor, size):
    jackpot = fill(opened(made, actor, size), made, actor)
    rows = Pairing.objects.filter(round__bracket=jackpot.bracket)
    assert (jackpot.bracket.key, rows.count()) == ("jackpot 1", size - 1)
    first = rows.filter(round__number=1).select_related("match")
    assert {row.match.length for row in first} == {5}
    assert consistency.differences(made.event) == []


def test_jackpot_pairings_follow_from_the_seed_text_and_join_order(made, actor):
    jackpot = fill(opened(made, actor), made, actor)
    joined = list(jackpot.seats.values_list("entry_id", flat=True))
    order = chance.shuffle(joined, jackpot.seed_text)
    assert JournalLine.objects.get(verb="draw jackpot").after["order"] == [str(pk) for pk in order]
    top = Pairing.objects.get(round__bracket=jackpot.bracket, round__number=1, line=1)
    assert top.left_id == order[0]


def test_several_jackpots_are_played_beside_the_main_bracket(made, actor):
    both = [opened(made, actor), opened(made, actor)]
    for jackpot in both:
        fill(jackpot, made, actor)
    stories.play_out(made, actor, random.Random(3))
    assert not Pairing.objects.filter(settled="").exists()
    assert consistency.differences(made.event) == []
    assert made.brackets.count() == 3


def test_a_jackpot_of_three_is_not_drawn_and_players_may_leave(made, actor):
    jackpot = opened(made, actor)
    entries = list(made.entries.all()[:4])
    fill(jackpot, made, actor, entries[:3])
    jackpots.leave(jackpot.pk, entries[0], actor)
    jackpots.leave(jackpot.pk, entries[0], actor)
    jackpots.join(jackpot.pk, entries[3], actor)
    assert Jackpot.objects.get().bracket is None
    jackpots.join(jackpot.pk, entries[0], actor)
    assert Jackpot.objects.get().bracket is not None
    assert refusal(jackpots.leave, jackpot.pk, entries[0], actor) == "jackpot-started"


def test_joining_twice_changes_nothing_and_a_fifth_player_is_refused(made, actor):
    jackpot = opened(made, actor)
    entries = list(made.entries.all()[:5])
    jackpots.join(jackpot.pk, entries[0], actor)
    jackpots.join(jackpot.pk, entries[0], actor)
    assert jackpot.seats.count() == 1
    fill(jackpot, made, actor, entries[1:4])
    assert refusal(jackpots.join, jackpot.pk, entries[4], actor) == "jackpot-started"
    jackpots.join(jackpot.pk, entries[0], actor)


def test_an_idempotency_key_opens_one_jackpot_only(made, actor):
    key = uuid.uuid4()
    jackpot = opened(made, actor, key=key, price=Decimal(10))
    assert opened(made, actor, key=key, price=Decimal("10.00")) == jackpot
    another, elsewhere = (made, actor, 8), (stories.tournament(actor), actor)
    for plan in (another, elsewhere):
        assert refusal(lambda plan=plan: opened(*plan, key=key, price=Decimal(10))) == "key-reused"
    assert opened(made, actor).number == 2


def test_a_jackpot_that_does_not_fill_is_closed_to_players(made, actor):
    jackpot = opened(made, actor)
    jackpots.close(jackpot, actor, "Nobody came")
    jackpots.close(jackpot, actor)
    assert JournalLine.objects.filter(verb="close jackpot").count() == 1
    assert refusal(jackpots.join, jackpot.pk, made.entries.first(), actor) == "jackpot-closed"
    started = fill(opened(made, actor), made, actor)
    assert refusal(jackpots.close, started, actor) == "jackpot-started"


def test_a_withdrawn_player_leaves_waiting_jackpots(made, actor):
    jackpot = opened(made, actor)
    entry = made.entries.first()
    jackpots.join(jackpot.pk, entry, actor)
    registration.withdraw(entry, actor)
    assert jackpot.seats.count() == 0
    made.entries.filter(pk=entry.pk).update(number=2)
    with pytest.raises(Refused) as no:
        jackpots.join(jackpot.pk, entry, actor)
    assert no.value.code == "withdrawn"
    assert no.value.params == {"name": f"{entry.player.name} (2)"}


def test_an_unplayable_jackpot_is_not_opened(made, actor):
    for plan, code in (
        (JackpotPlan(6, 5), "size-unknown"),
        (JackpotPlan(4, 0), "length-out-of-range"),
        (JackpotPlan(4, 5, Decimal(-5)), "price-out-of-range"),
    ):
        assert refusal(jackpots.open_jackpot, made.pk, plan, actor) == code
    opened(made, actor, price=Decimal("12.50"))
    yen = FeeSchedule("JPY", Fee(3_000))
    assert refusal(set_schedule, made.pk, yen, actor) == "price-has-decimals"
    Jackpot.objects.all().delete()
    set_schedule(made.pk, yen, actor)
    plan = JackpotPlan(4, 5, Decimal("12.50"))
    assert refusal(jackpots.open_jackpot, made.pk, plan, actor) == "price-has-decimals"
    hidden = stories.drawn(actor, 4)
    assert refusal(jackpots.open_jackpot, hidden.pk, JackpotPlan(4, 5), actor) == "not-released"
    second_tournament = stories.released(actor, 4)
    with pytest.raises(NotFound):
        jackpots.join(opened(made, actor).pk, second_tournament.entries.first(), actor)


def test_a_drawn_jackpot_prevents_undoing_the_main_draw(made, actor):
    fill(opened(made, actor), made, actor)
    assert refusal(draws.undo, made.pk, actor, "Wrong seeds") == "jackpot-is-drawn"
