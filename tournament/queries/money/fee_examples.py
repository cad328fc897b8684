"""Examples of what players pay by a fee schedule, and schedules to start from."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from tournament.fees.amounts import Amount
from tournament.fees.choices import offered_conditions
from tournament.fees.other_currency import with_other_currency
from tournament.fees.schedule import (
    MAIN_POT,
    Condition,
    EntryFacts,
    Fee,
    FeeSchedule,
    Reentry,
    Share,
    SidePool,
    Target,
    charges_of,
)
from tournament.ledger.labels import CONDITION_LABELS

TARGETS: dict[Target, Promise] = {
    Target.POT: gettext_lazy("Pot"),
    Target.REGISTRATION: gettext_lazy("Organizer"),
    Target.FEDERATION: gettext_lazy("Federation"),
    Target.MEMBERSHIP: gettext_lazy("Membership"),
    Target.YEARLY_POT: gettext_lazy("Yearly pot"),
}


@dataclass(frozen=True, slots=True)
class Example:
    """An example of a player's charges, and of the accounts that receive them."""

    label: str
    pays: Amount
    parts: tuple[tuple[str, Amount], ...]


def examples_of(schedule: FeeSchedule) -> list[Example]:
    return [_example(schedule, label, facts) for label, facts in _people(schedule)]


def _people(schedule: FeeSchedule) -> Iterator[tuple[str, EntryFacts]]:
    pools = open_pools(schedule)
    yield _("Entry"), EntryFacts()
    if len(pools) > 1:
        for pool in schedule.pools:
            if pool.key in pools and not pool.after:
                yield _("Entry and {pool}").format(pool=pool.name), EntryFacts(pools=frozenset({pool.key}))
    if pools:
        yield _("Entry and all side pools"), EntryFacts(pools=pools)
    for condition in offered_conditions(schedule, None):
        label, conditions = str(CONDITION_LABELS[condition]), frozenset({condition})
        yield label, EntryFacts(conditions=conditions)
        if pools := open_pools(schedule, conditions):
            with_pools = _("{condition}, with all side pools").format(condition=label)
            yield with_pools, EntryFacts(conditions=conditions, pools=pools)
    for together in dict.fromkeys([*schedule.entry.combined, *schedule.registration.combined]):
        yield (
            " + ".join(str(CONDITION_LABELS[condition]) for condition in sorted(together)),
            EntryFacts(conditions=together),
        )
    if schedule.late.price:
        yield _("Late entry"), EntryFacts(is_late=True)
    for number, _prices in enumerate(schedule.reentries, 2):
        yield _("Entry {number} of a player").format(number=number), EntryFacts(number=number)


def open_pools(schedule: FeeSchedule, conditions: frozenset[Condition] = frozenset()) -> frozenset[str]:
    """The keys of the side pools that are open to a player with these conditions, whatever the rating."""
    fulfilled = EntryFacts(conditions=conditions).price_conditions
    keys: set[str] = set()
    for pool in schedule.pools:
        if pool.condition in (None, *fulfilled) and pool.after in ("", *keys):
            keys.add(pool.key)
    return frozenset(keys)


def _example(schedule: FeeSchedule, label: str, facts: EntryFacts) -> Example:
    names = {pool.key: pool.name for pool in schedule.pools}
    parts: dict[str, int] = {}
    for charge in charges_of(schedule, facts):
        is_side_pool = charge.target is Target.POT and charge.pot != MAIN_POT
        name = names[charge.pot] if is_side_pool else str(TARGETS[charge.target])
        parts[name] = parts.get(name, 0) + charge.minor
    return Example(
        label,
        Amount(sum(parts.values()), schedule.currency),
        tuple(
            (name, Amount(minor, schedule.currency))
            for name, minor in sorted(parts.items(), key=lambda part: -part[1])
        ),
    )


@dataclass(frozen=True, slots=True)
class Template:
    """A schedule to start from, in whole units of the currency."""

    label: Promise
    schedule: FeeSchedule

    def in_currency(self, currency: str) -> FeeSchedule:
        """The schedule with its amounts in minor units of this currency."""
        return with_other_currency(self.schedule, currency)


def templates() -> dict[str, Template]:
    """The schedules to start from, by key."""
    return {
        "club": Template(pgettext_lazy("fees", "Club night"), FeeSchedule("", Fee(10))),
        "open": Template(gettext_lazy("Entry and registration"), FeeSchedule("", Fee(50), Fee(10))),
        "members": Template(
            gettext_lazy("Members pay less"),
            FeeSchedule("", Fee(50), Fee(10, {Condition.MEMBER: 5})),
        ),
        "one-price": Template(
            gettext_lazy("One price, with shares"),
            FeeSchedule(
                "", Fee(60), shares=(Share(Target.REGISTRATION, least=10), Share(Target.YEARLY_POT, least=5))
            ),
        ),
        "championship": Template(
            gettext_lazy("Championship with a side pool and buy-backs"),
            FeeSchedule(
                "",
                Fee(500),
                Fee(50),
                shares=(Share(Target.REGISTRATION, percent=1000),),
                pools=(
                    SidePool(
                        "1",
                        _("Side pool"),
                        Fee(200),
                        shares=(Share(Target.REGISTRATION, percent=500),),
                        kept=True,
                    ),
                ),
                reentries=(Reentry(250),),
            ),
        ),
    }
