"""Fees, prizes, amounts and currencies from which the random desk chooses."""

from datetime import timedelta

from django.utils import timezone

from tournament.fees.exchange import RATE_UNIT
from tournament.fees.refunds import RefundTier
from tournament.fees.schedule import Condition, Fee, FeeSchedule, Reentry, Share, SidePool, Target
from tournament.prizes.structure import Part, PoolPrizes, PrizeStructure, Rest, Ties

TODAY = timezone.now().date()
TIERS = (
    RefundTier(TODAY - timedelta(5), keeps_registration=True),
    RefundTier(TODAY + timedelta(1), 3333, kept=1_00),
)
SCHEDULES = (
    FeeSchedule("EUR", Fee(20_00), Fee(5_00), late=Fee(3_00), refunds=TIERS),
    FeeSchedule(
        "EUR",
        Fee(50_00, {Condition.MEMBER: 40_00}),
        Fee(10_00),
        shares=(Share(Target.YEARLY_POT, least=5_00), Share(Target.FEDERATION, percent=1000, unit=100)),
        pools=(SidePool("1", "Pool 1", Fee(15_00), registration=1_00),),
        reentries=(Reentry(25_00, 5_00), Reentry(10_00)),
        refunds=TIERS,
    ),
    FeeSchedule(
        "EUR", pools=(SidePool("1", "Pool 1", Fee(7_77)), SidePool("2", "Pool 2", Fee(5_00), after="1"))
    ),
    FeeSchedule("JPY", Fee(10_000), Fee(1_000), shares=(Share(Target.REGISTRATION, percent=333),)),
    FeeSchedule("EUR"),
)
SPLIT = (Part("main", 1, 1, 2), Part("main", 2, 2, 1))
POOLS = (
    PoolPrizes("1", (70, 30)),
    PoolPrizes("sponsor", condition=Condition.MEMBER, added=9_99, is_open=True),
)
STRUCTURES = (
    PrizeStructure("EUR", SPLIT, added=50_00, yearly=12_34),
    PrizeStructure("EUR", SPLIT, guaranteed=400_00, series_share=10_00, unit=5_00, rest=Rest.ORGANIZER),
    PrizeStructure("EUR", (*SPLIT, Part("main", 3, 4, minor=5_01)), pools=POOLS, ties=Ties.HALF),
    PrizeStructure("EUR", SPLIT, series_minor=15_00, condition=Condition.MEMBER, bubble=True),
    PrizeStructure("JPY", SPLIT, minimum=3_000, pools=POOLS),
    None,
)
CURRENCIES = ["EUR", "EUR", "JPY", "SEK"]
SIGNED_AMOUNTS = [1, 5_00, 20_00, 25_00, 70_00, -1, -20_00]
DEBT_CURRENCIES = ["", "", "EUR", "JPY"]
RATES = [11_351_200, 163_501_234, RATE_UNIT // 7]
PAIRS = [("EUR", "SEK"), ("EUR", "JPY"), ("JPY", "SEK")]
