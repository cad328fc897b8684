"""What entries are charged, in the set-ups of real events."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from tests.tournament.fees.stories import money_in
from tournament.fees.choices import ChoiceError, check_choices, offered_conditions
from tournament.fees.other_currency import with_other_currency
from tournament.fees.refunds import RefundTier
from tournament.fees.schedule import (
    MAIN_POT,
    Condition,
    EntryFacts,
    EventFees,
    Fee,
    FeeChoices,
    FeeSchedule,
    Reentry,
    Share,
    SidePool,
    Target,
    charges_of,
    event_charges,
)

HOUSE = Share(Target.REGISTRATION, percent=1000)
JAMAICA = FeeSchedule(
    "USD",
    entry=Fee(500_00),
    registration=Fee(50_00),
    shares=(HOUSE,),
    pools=(SidePool("1", "Side pool 1", Fee(200_00), shares=(Share(Target.REGISTRATION, percent=500),)),),
    reentries=(Reentry(250_00),),
)


def test_twenty_entries_six_buy_backs_and_a_side_pool_make_the_pots_of_the_championship():
    entries = [EntryFacts(pools=frozenset({"1"} if number < 14 else ())) for number in range(20)]
    buy_backs = [EntryFacts(number=2) for _ in range(6)]
    totals = money_in(JAMAICA, entries + buy_backs)
    assert totals == {
        (Target.POT, MAIN_POT): 10_350_00,
        (Target.POT, "1"): 2_660_00,
        (Target.REGISTRATION, ""): 1_000_00 + 1_150_00 + 140_00,
    }
    assert totals.total() == 15_300_00


MEMBER, STUDENT, EARLY = Condition.MEMBER, Condition.STUDENT, Condition.EARLY
FEE = Fee(70_00, {MEMBER: 60_00, STUDENT: 30_00, Condition.TITLE: 80_00}, {frozenset({MEMBER, EARLY}): 65_00})


@pytest.mark.parametrize(
    ("conditions", "price"),
    [
        ((), 70_00),
        ((MEMBER, STUDENT), 30_00),
        ((Condition.TITLE,), 80_00),
        ((EARLY,), 70_00),
        ((MEMBER, EARLY), 65_00),
        ((MEMBER, EARLY, STUDENT), 30_00),
    ],
)
def test_a_player_pays_the_lowest_price_that_applies_and_for_two_conditions_their_own(conditions, price):
    assert FEE.price_for(conditions) == price


@pytest.mark.parametrize(
    ("share", "price", "part"),
    [
        (Share(Target.FEDERATION, percent=2000), 25_01, 5_00),
        (Share(Target.FEDERATION, least=10_00), 60_00, 10_00),
        (Share(Target.REGISTRATION, percent=500, least=10_00, unit=5_00), 300_00, 15_00),
        (Share(Target.REGISTRATION, percent=500, least=10_00, unit=5_00), 100_00, 10_00),
        (Share(Target.REGISTRATION, percent=1, unit=1), 50_00, 1),
        (Share(Target.FEDERATION, least=10_00), 4_00, 4_00),
    ],
)
def test_a_share_is_rounded_to_its_unit_and_never_more_than_the_fee(share, price, part):
    assert share.of(price) == part


def test_shares_together_take_no_more_than_the_fee():
    schedule = FeeSchedule(
        "EUR",
        Fee(15_00),
        shares=(Share(Target.FEDERATION, least=10_00), Share(Target.YEARLY_POT, least=10_00)),
    )
    assert [(charge.target, charge.minor) for charge in charges_of(schedule, EntryFacts())] == [
        (Target.FEDERATION, 10_00),
        (Target.YEARLY_POT, 5_00),
    ]


def test_a_late_new_member_pays_as_a_member_and_each_line_once():
    member = {Condition.MEMBER: 40_00}
    schedule = FeeSchedule("CHF", Fee(50_00, member), late=Fee(10_00))
    event_fees = EventFees("CHF", Fee(5_00), membership=Fee(60_00))
    facts = EntryFacts(conditions=frozenset({Condition.NEW_MEMBER}), is_late=True)
    charges = (*charges_of(schedule, facts), *event_charges(event_fees, facts))
    assert {charge.line: charge.minor for charge in charges} == {
        "entry": 40_00,
        "late": 10_00,
        "event registration": 5_00,
        "membership": 60_00,
    }


def test_a_re_entry_after_the_draw_pays_no_late_fee():
    charges = charges_of(FeeSchedule("EUR", Fee(50_00), late=Fee(10_00)), EntryFacts(number=2, is_late=True))
    assert [charge.line for charge in charges] == ["entry"]


POOLS = FeeSchedule(
    "GBP",
    pools=(
        SidePool("1", "Silver", Fee(10_00), ratings_below=Decimal(1600)),
        SidePool("2", "Gold", Fee(10_00), after="1"),
        SidePool("3", "Club", Fee(5_00, {Condition.STUDENT: 0}), condition=Condition.MEMBER),
    ),
)


@pytest.mark.parametrize(
    ("pools", "rating", "words"),
    [
        ("1", 1600, "Silver is for ratings below 1600."),
        ("2", 1500, "Gold is open only with Silver. Choose both."),
        ("3", None, "Club is not open to everybody. Tick the condition that applies to the player too."),
        ("9", None, "This side pool does not exist any more. Reload the page."),
    ],
)
def test_a_side_pool_refuses_whom_it_is_not_for(pools, rating, words):
    with pytest.raises(ChoiceError) as refused:
        check_choices(POOLS, FeeChoices(pools=frozenset(pools)), None if rating is None else Decimal(rating))
    assert str(refused.value) == words


@pytest.mark.parametrize(
    ("pools", "rating", "conditions"),
    [("1", 1599, ()), ("1", None, ()), ("12", 1500, ()), ("3", None, (Condition.NEW_MEMBER,))],
)
def test_a_side_pool_takes_whom_it_is_for(pools, rating, conditions):
    chosen = FeeChoices(frozenset(conditions), frozenset(pools))
    check_choices(POOLS, chosen, None if rating is None else Decimal(rating))


def test_only_conditions_that_matter_are_offered():
    assert offered_conditions(POOLS, EventFees("GBP", membership=Fee(20_00))) == (
        Condition.MEMBER,
        Condition.NEW_MEMBER,
        Condition.STUDENT,
    )
    assert offered_conditions(None, None) == ()


def test_a_change_of_the_currency_keeps_the_numbers():
    euros = FeeSchedule(
        "EUR",
        entry=Fee(50_00, {MEMBER: 40_50}, {frozenset({MEMBER, EARLY}): 35_00}),
        late=Fee(10_00, {MEMBER: 5_00}),
        shares=(
            Share(Target.REGISTRATION, percent=1000, least=5_00, unit=1_00),
            Share(Target.FEDERATION, percent=500),
        ),
        pools=(
            SidePool(
                "1",
                "Side pool",
                Fee(20_00),
                registration=2_00,
                shares=(Share(Target.REGISTRATION, least=1_00),),
            ),
        ),
        reentries=(Reentry(25_00, 3_00),),
        refunds=(RefundTier(date(2026, 11, 20), kept=5_00),),
        jackpot_share=Share(Target.REGISTRATION, least=2_00),
    )
    yen = FeeSchedule(
        "JPY",
        entry=Fee(50, {MEMBER: 41}, {frozenset({MEMBER, EARLY}): 35}),
        late=Fee(10, {MEMBER: 5}),
        shares=(Share(Target.REGISTRATION, percent=1000, least=5), Share(Target.FEDERATION, percent=500)),
        pools=(
            SidePool(
                "1", "Side pool", Fee(20), registration=2, shares=(Share(Target.REGISTRATION, least=1),)
            ),
        ),
        reentries=(Reentry(25, 3),),
        refunds=(RefundTier(date(2026, 11, 20), kept=5),),
        jackpot_share=Share(Target.REGISTRATION, least=2),
    )
    assert with_other_currency(euros, "JPY") == yen
    assert with_other_currency(yen, "EUR").late == euros.late
    assert with_other_currency(euros, "USD") == replace(euros, currency="USD")
