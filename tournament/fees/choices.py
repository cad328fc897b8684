"""Checks of the side pools that a player joins. Pure."""

from decimal import Decimal

from rules.translation import gettext_noop
from tournament.draw.sentence_error import SentenceError
from tournament.fees.schedule import Condition, EntryFacts, EventFees, FeeChoices, FeeSchedule, SidePool


class ChoiceError(SentenceError):
    """These choices are impossible. The message says why."""


def check_choices(schedule: FeeSchedule, choices: FeeChoices, rating: Decimal | None) -> None:
    """Raises ChoiceError for a pool that does not exist or that this player may not join.

    A player without a rating may join pools for lower ratings.
    """
    pools = {pool.key: pool for pool in schedule.pools}
    for key in sorted(choices.pools):
        if key not in pools:
            raise ChoiceError(gettext_noop("This side pool does not exist any more. Reload the page."))
        _check_pool(pools[key], choices, rating)
        after = pools[key].after
        if after and after not in choices.pools:
            raise ChoiceError(
                gettext_noop("{pool} is open only with {other}. Choose both."),
                pool=pools[key].name,
                other=pools[after].name,
            )


def _check_pool(pool: SidePool, choices: FeeChoices, rating: Decimal | None) -> None:
    if pool.ratings_below is not None and rating is not None and rating >= pool.ratings_below:
        raise ChoiceError(
            gettext_noop("{pool} is for ratings below {rating}."), pool=pool.name, rating=pool.ratings_below
        )
    facts = EntryFacts(conditions=choices.conditions)
    if pool.condition is not None and pool.condition not in facts.price_conditions:
        raise ChoiceError(
            gettext_noop(
                "{pool} is not open to everybody. Tick the condition that applies to the player too."
            ),
            pool=pool.name,
        )


def offered_conditions(schedule: FeeSchedule | None, event_fees: EventFees | None) -> tuple[Condition, ...]:
    """The conditions that change a price or open a pool, in their usual order."""
    fees = [event_fees.registration, event_fees.membership] if event_fees else []
    conditions: set[Condition | None] = set()
    if event_fees and (event_fees.membership.price or event_fees.membership.prices):
        conditions.add(Condition.NEW_MEMBER)
    if schedule:
        fees += [schedule.entry, schedule.registration, schedule.late, *(pool.fee for pool in schedule.pools)]
        conditions.update(pool.condition for pool in schedule.pools)
    for fee in fees:
        conditions.update(fee.prices, *fee.combined)
    return tuple(condition for condition in Condition if condition in conditions)
