"""Whole set-ups of real and invented events, from the fees to the prizes, computed by hand to the cent."""

from collections import Counter
from fractions import Fraction

import pytest

from tests.tournament.fees.stories import money_in
from tests.tournament.prizes.stories import amounts, out
from tournament.fees.amounts import Amount
from tournament.fees.exchange import Rate
from tournament.fees.refunds import Charged, RefundTier, refund_amounts
from tournament.fees.schedule import Condition, EntryFacts, Fee, FeeSchedule, Reentry, Share, SidePool, Target
from tournament.money.agreed_prizes import PotStakes
from tournament.money.stakes import Stakes, fair_share
from tournament.prizes.calcutta import Lot, charges_of_lot, owner_prizes
from tournament.prizes.places import Place
from tournament.prizes.structure import Part, PrizeStructure, Rest, Ties
from tournament.prizes.table import prize_table
from tournament.prizes.templates import by_place

ENTRY, MEMBER = EntryFacts(), EntryFacts(conditions=frozenset({Condition.MEMBER}))
TITLE = EntryFacts(conditions=frozenset({Condition.TITLE}))
POOL_1, BOTH_POOLS = EntryFacts(pools=frozenset("1")), EntryFacts(pools=frozenset("12"))
SECOND, THIRD = EntryFacts(number=2), EntryFacts(number=3)
REGISTRATION, YEARLY, FEDERATION = Target.REGISTRATION, Target.YEARLY_POT, Target.FEDERATION
TWO_POOLS = (
    SidePool("1", "Pool 1", Fee(40_00), registration=3_00),
    SidePool("2", "Pool 2", Fee(60_00), registration=4_00, after="1"),
)


@pytest.mark.parametrize(
    ("schedule", "entries", "pots", "others"),
    [
        # Trier: 330 + 70 apart. Berlin pairs: 50 + 5. Sweden: 75 or 45 of one price for registration.
        (FeeSchedule("EUR", Fee(330_00), Fee(70_00)), {ENTRY: 40}, {"main": 13_200_00}, {REGISTRATION: 2_800_00}),
        (FeeSchedule("EUR", Fee(50_00), Fee(5_00)), {ENTRY: 16}, {"main": 800_00}, {REGISTRATION: 80_00}),
        (
            FeeSchedule("EUR", Fee(450_00), shares=(Share(REGISTRATION, least=75_00),)),
            {ENTRY: 30},
            {"main": 11_250_00},
            {REGISTRATION: 2_250_00},
        ),
        # Südbaden: of 60, 10 registration and 5 for the year. Reykjavik: 20 % to the federation.
        (
            FeeSchedule("EUR", Fee(60_00), shares=(Share(REGISTRATION, least=10_00), Share(YEARLY, least=5_00))),
            {ENTRY: 24},
            {"main": 1_080_00},
            {REGISTRATION: 240_00, YEARLY: 120_00},
        ),
        (
            FeeSchedule("ISK", Fee(7_500), shares=(Share(FEDERATION, percent=2000),)),
            {ENTRY: 22},
            {"main": 132_000},
            {FEDERATION: 33_000},
        ),
        # Denver: $10 or 5 % rounded to $5, whichever is more.
        (
            FeeSchedule("USD", Fee(250_00), shares=(Share(REGISTRATION, percent=500, least=10_00, unit=5_00),)),
            {ENTRY: 9},
            {"main": 2_115_00},
            {REGISTRATION: 135_00},
        ),
        # Berlin: pools of 40 + 3 and 60 + 4, the second only with the first.
        (
            FeeSchedule("EUR", Fee(120_00), Fee(30_00), pools=TWO_POOLS),
            {ENTRY: 10, POOL_1: 8, BOTH_POOLS: 5},
            {"main": 2_760_00, "1": 520_00, "2": 300_00},
            {REGISTRATION: 690_00 + 13 * 3_00 + 5 * 4_00},
        ),
        # Japan: title holders pay half. Re-entries at falling prices.
        (
            FeeSchedule("JPY", Fee(20_000, {Condition.TITLE: 10_000})),
            {ENTRY: 14, TITLE: 3},
            {"main": 310_000},
            {},
        ),
        (
            FeeSchedule("EUR", Fee(270_00), Fee(30_00), reentries=(Reentry(120_00, 30_00), Reentry(70_00, 30_00))),
            {ENTRY: 20, SECOND: 7, THIRD: 4},
            {"main": 6_520_00},
            {REGISTRATION: 930_00},
        ),
        # Invented: 12.5 % of each fee for the house, rounded to 1: 13 of 100, 8 of 60, 5 of 40.
        (
            FeeSchedule(
                "EUR",
                Fee(100_00),
                Fee(20_00),
                shares=(Share(REGISTRATION, percent=1250, unit=1_00),),
                reentries=(Reentry(60_00, 10_00), Reentry(40_00)),
            ),
            {ENTRY: 32, SECOND: 9, THIRD: 3},
            {"main": 3_357_00},
            {REGISTRATION: 503_00 + 730_00},
        ),
        # Invented: 7.5 % of 37.50 is 2.8125, to the next 0.05.
        (
            FeeSchedule("EUR", Fee(37_50), shares=(Share(FEDERATION, percent=750, unit=5),)),
            {ENTRY: 23},
            {"main": 798_10},
            {FEDERATION: 64_40},
        ),
        # Invented: 3.33 % of 20,000 and of 10,000, and a member who pays less than the shares.
        (
            FeeSchedule("JPY", Fee(20_000, {Condition.TITLE: 10_000}), shares=(Share(REGISTRATION, percent=333),)),
            {ENTRY: 14, TITLE: 3},
            {"main": 299_677},
            {REGISTRATION: 10_323},
        ),
        (
            FeeSchedule(
                "GBP",
                Fee(25_00, {Condition.MEMBER: 6_00}),
                shares=(Share(FEDERATION, least=5_00), Share(YEARLY, least=3_00)),
            ),
            {ENTRY: 3, MEMBER: 2},
            {"main": 51_00},
            {FEDERATION: 25_00, YEARLY: 11_00},
        ),
    ],
)  # fmt: skip
def test_what_comes_in_goes_to_pots_and_receivers(schedule, entries, pots, others):
    totals = money_in(schedule, Counter(entries).elements())
    expected = {(Target.POT, pot): minor for pot, minor in pots.items()}
    assert totals == expected | {(target, ""): minor for target, minor in others.items()}


FIVE = by_place("main", 38, 24, 18, 12, 8)
FOUR = by_place("main", 40, 30, 20, 10)
WINS = (7, 6, 4, 4, 4, 3)
NAMES = ["Ann", "Ben", "Cem", "Dan", "Eva"]


@pytest.mark.parametrize(
    ("structure", "places", "pot", "expected"),
    [
        # 701.86, 443.28, 332.46, 221.64 and 147.76 in tens; 17 are left.
        (PrizeStructure("EUR", FIVE, unit=10_00), out(NAMES), 1_847_00, [717_00, 440_00, 330_00, 220_00, 140_00]),
        (
            PrizeStructure("EUR", FIVE, unit=10_00, rest=Rest.ORGANIZER),
            out(NAMES),
            1_847_00,
            [700_00, 440_00, 330_00, 220_00, 140_00],
        ),
        # Four players share places 3 to 6, of which two are paid.
        (
            PrizeStructure("EUR", by_place("main", 50, 25, 15, 10)),
            out(["Ann", "Ben", ["Cem", "Dan", "Eva", "Fay"]]),
            1_000_00,
            [500_00, 250_00, 62_50, 62_50, 62_50, 62_50],
        ),
        # Three are equal on places 2 to 4: half of the own prize, half of 599.97 / 3.
        (
            PrizeStructure("EUR", FOUR, ties=Ties.HALF),
            [*out(["Ann"]), *out(["Ben", "Cem", "Dan"], 2, tied_from=2, tied_to=4)],
            999_99,
            [400_02, 249_99, 199_99, 149_99],
        ),
        # Lives: three with 4 wins share 128 and 64, although the money ends before the last of them.
        (
            PrizeStructure("EUR", FOUR, bubble=True),
            [Place("ABCDEF"[place - 1], place, place, wins=won) for place, won in enumerate(WINS, 1)],
            640_00,
            [256_00, 192_00, 64_00, 64_00, 64_00],
        ),
        # A guarantee below the pot adds nothing; above what a series leaves of it, the rest.
        (PrizeStructure("EUR", by_place("main", 60, 40), guaranteed=500_00), out(NAMES[:2]), 750_00, [450_00, 300_00]),
        (
            PrizeStructure("EUR", by_place("main", 60, 40), guaranteed=1_000_00, series_share=1000),
            out(NAMES[:2]),
            1_050_00,
            [600_00, 400_00],
        ),
        # 5 % would be 15, below the least prize of 20: 60, 25 and 10 of 95 parts.
        (
            PrizeStructure("EUR", by_place("main", 60, 25, 10, 5), minimum=20_00),
            out(NAMES[:4]),
            300_00,
            [189_49, 78_94, 31_57],
        ),
        (
            PrizeStructure("JPY", by_place("main", 50, 30, 20), unit=1_000),
            out(NAMES[:3]),
            299_677,
            [151_677, 89_000, 59_000],
        ),
        # 20 lives: 40 / 30 / 20 / 10 of 20 x 25. East Kent of 1,199.99: 60, 23, 8, 8 and consolation 15, 6 of 120.
        (PrizeStructure("EUR", FOUR), out(NAMES[:4]), 500_00, [200_00, 150_00, 100_00, 50_00]),
        (
            PrizeStructure("GBP", (*by_place("main", 60, 23), Part("main", 3, 4, 8), *by_place("consolation", 15, 6))),
            out(["Ann", "Ben", ["Cem", "Dan"]]),
            1_199_99,
            [600_04, 229_99, 79_99, 79_99],
        ),
    ],
)  # fmt: skip
def test_a_pot_is_paid_out_to_the_cent(structure, places, pot, expected):
    lists = {"main": places, "consolation": []}  # the consolation is still to be played
    assert list(amounts(structure, lists, {"main": pot}).values()) == expected


def test_berlin_pairs_night_sets_fifty_aside_for_the_last_chance():
    parts = (*by_place("main", 2, 1), Part("last chance", 1, 1, minor=50_00))
    places = {"main": out(["Ann", "Ben"]), "last chance": out(["Cem", "Dan"])}
    expected = {("Ann", "main 1"): 500_00, ("Ben", "main 2"): 250_00, ("Cem", "last chance 1"): 50_00}
    assert amounts(PrizeStructure("EUR", parts), places, {"main": 16 * 50_00}) == expected
    without = PrizeStructure("EUR", parts[:2])
    assert prize_table(without, 16 * 50_00).places == {"main": {1: 533_34, 2: 266_66}}


def test_owners_of_an_auction_pay_and_win_to_the_cent():
    """Bids of 87.50, 212 and 45.25 less 10 %: 78.75 + 190.80 + 40.73 = 310.28, of which 217.20 and 93.08."""
    bids = {1: 87_50, 2: 212_00, 3: 45_25}
    charges = {number: charges_of_lot(bid, {"owner": 1}, 10_00) for number, bid in bids.items()}
    assert {number: row.rake for number, row in charges.items()} == {1: 8_75, 2: 21_20, 3: 4_52}
    pot = sum(row.pot for row in charges.values())
    assert pot == 310_28
    owners = {"C": {"x": 1}, "A": {"y": 1, "Ann": 1}, "BD": {"z": 1}}
    lots = [Lot(number, frozenset(names), shares) for number, (names, shares) in enumerate(owners.items(), 1)]
    prizes = owner_prizes("EUR", pot, (70, 30), "main", out("ABCD"), lots)
    assert {(prize.owner, prize.minor) for prize in prizes} == {("y", 108_60), ("Ann", 108_60), ("z", 93_08)}


def test_rates_refunds_and_fair_splits_come_out_to_the_cent():
    swedish, swiss = Rate("EUR", "SEK", 10_000_000), Rate("EUR", "CHF", 935_000, 5)
    assert swedish.convert(Amount(450_00, "EUR")) == Amount(4_500_00, "SEK")
    assert Rate("EUR", "DKK", 7_500_000).convert(Amount(100_00, "EUR")) == Amount(750_00, "DKK")
    owed, paid = Amount(123_45, "EUR"), Amount(115_45, "CHF")
    assert swiss.convert(owed) == paid
    assert swiss.credit(paid, owed) == (owed, Amount(123_48, "EUR"))
    lines = [Charged(minor, minor == 10_00) for minor in (50_00, 10_00, 15_00)]
    tier = RefundTier(None, 6667, kept=5_00, keeps_registration=True)
    assert refund_amounts(tier, lines) == [29_49, 0, 8_85]
    stakes = Stakes("EUR", (PotStakes("main", 333_33, 111_11),))
    assert [fair_share(stakes, Fraction(chance, 100)) for chance in (37, 63)] == [193_33, 251_11]
