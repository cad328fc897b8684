"""The form of a fee schedule. Amounts are written in the currency of the form and in the reader's language."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.fees.other_currency import with_other_currency
from tournament.fees.schedule import (
    Combination,
    Condition,
    Fee,
    FeeSchedule,
    Reentry,
    Share,
    SidePool,
    Target,
)
from tournament.fees.stored import (
    MOST_POOLS,
    MOST_REENTRIES,
    ScheduleError,
    parse_schedule,
    refuse_shares_above_fee,
    schedule_as_json,
)
from tournament.ledger.labels import CONDITION_LABELS
from tournament.pages.money.amount_fields import (
    PERCENT,
    AmountField,
    AmountsForm,
    ShareField,
    amount_text,
    currency_choices,
    read_percent,
    share_text,
)
from tournament.pages.money.pool_fields import (
    PRICES,
    PoolFields,
    bound_fields,
    new_fields,
    pool_as_fields,
    read_pool,
)
from tournament.web.sentences import refusal_sentence

SHARES: dict[Target, Promise] = {
    Target.REGISTRATION: _("Share for the organizer"),
    Target.FEDERATION: _("Share for the federation"),
    Target.YEARLY_POT: _("Share for the yearly pot"),
}
LEAST_POOLS, REENTRIES, COMBINED = 2, MOST_REENTRIES, range(1, 4)
FEES, COMBINED_FEES = ("entry", "registration", "late"), ("entry", "registration")
TWO = 2


class FeesForm(AmountsForm):
    """The fields of a schedule. Reading them fills `schedule`.

    `pools`: how many side pools the form offers. `stored`: the present schedule; its prices that the form
    does not offer stay.
    """

    negative = _("A fee cannot be negative.")
    currency = forms.ChoiceField(label=_("Currency"))
    entry = AmountField(label=_("Entry fee"), help_text=_("Goes to the pot."))
    registration = AmountField(label=_("Registration"), help_text=_("Goes to the organizer."))
    late = AmountField(label=_("Late fee"), help_text=_("Added for entries after the draw."))
    late_after = forms.DateField(
        label=_("Late after"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_("Added for entries after this day too."),
    )
    jackpot_share = ShareField(
        label=_("Share of jackpots for the organizer"),
        help_text=_("A percentage or an amount of the price of each jackpot."),
    )

    def __init__(
        self, *args: Any, pools: int = LEAST_POOLS, stored: FeeSchedule | None = None, **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self.schedule: FeeSchedule | None = None
        self.stored = stored or FeeSchedule("")
        self.pairs = _pairs_to_offer(self.stored)
        self.shares: dict[str, Share] = {}
        self.pool_numbers = range(1, min(max(pools, LEAST_POOLS), MOST_POOLS) + 1)
        self.fields["currency"].choices = currency_choices([self.initial["currency"]])  # type: ignore[attr-defined]
        for target, label in SHARES.items():
            self.fields[f"share_{target}"] = ShareField(label=label)
            self.fields[f"least_{target}"] = AmountField(label=_("At least"))
            self.fields[f"unit_{target}"] = AmountField(label=_("Rounded to"))
        for condition in PRICES:
            self.fields[f"entry_{condition}"] = AmountField(label=_("Entry fee"))
            self.fields[f"registration_{condition}"] = AmountField(label=_("Registration"))
            self.fields[f"late_{condition}"] = AmountField(label=_("Late fee"))
        for number in COMBINED:
            for name, label in (("one", _("Condition")), ("other", _("and condition"))):
                choices = [("", "–"), *((condition, CONDITION_LABELS[condition]) for condition in PRICES)]
                self.fields[f"both_{name}_{number}"] = forms.ChoiceField(
                    label=label, required=False, choices=choices
                )
            self.fields[f"both_entry_{number}"] = AmountField(label=_("Entry fee"))
            self.fields[f"both_registration_{number}"] = AmountField(label=_("Registration"))
        for number in range(2, REENTRIES + 2):
            self.fields[f"again_{number}"] = AmountField(label=_("Entry fee"))
            self.fields[f"again_registration_{number}"] = AmountField(label=_("Registration"))
        for number in self.pool_numbers:
            self.fields |= new_fields(number)

    @property
    def share_fields(self) -> list[BoundField]:
        return [self[f"share_{target}"] for target in SHARES]

    @property
    def rounding_fields(self) -> list[tuple[Promise, BoundField, BoundField]]:
        return [(label, self[f"least_{target}"], self[f"unit_{target}"]) for target, label in SHARES.items()]

    @property
    def condition_fields(self) -> list[tuple[Promise, list[BoundField]]]:
        return [
            (CONDITION_LABELS[condition], [self[f"{name}_{condition}"] for name in FEES])
            for condition in PRICES
        ]

    @property
    def combined_fields(self) -> list[list[BoundField]]:
        names = ("one", "other", "entry", "registration")
        return [[self[f"both_{name}_{number}"] for name in names] for number in COMBINED]

    @property
    def reentry_fields(self) -> list[tuple[int, BoundField, BoundField]]:
        return [
            (number, self[f"again_{number}"], self[f"again_registration_{number}"])
            for number in range(2, REENTRIES + 2)
        ]

    @property
    def next_pool(self) -> int | None:
        """The number of a further side pool; None if there are as many as a schedule may have."""
        return self.pool_numbers.stop if self.pool_numbers.stop <= MOST_POOLS else None

    @property
    def pool_fields(self) -> list[PoolFields]:
        return [bound_fields(self, number) for number in self.pool_numbers]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if data.get("currency"):
            self.stored = with_other_currency(self.stored, data["currency"])
            self._read_shares(data)
            self._check_pairs(data)
            if not self.errors:
                self._build(data)
        return data

    def _read_shares(self, data: dict[str, Any]) -> None:
        for name, field in self.fields.items():
            text = data.get(name, "")
            if not isinstance(field, ShareField) or not text:
                continue
            is_plain = not name.startswith("share_")
            target = Target.REGISTRATION if is_plain else Target(name.removeprefix("share_"))
            if PERCENT not in text:
                self.shares[name] = Share(target, least=self.minor_units(name, text) or 0)
                continue
            percent = read_percent(text)
            if percent is None:
                self.add_error(name, _("Write a percentage from 0 to 100, such as 10 %, or an amount."))
            else:
                self.shares[name] = Share(target, percent) if is_plain else self._rounded(target, percent)

    def _check_pairs(self, data: dict[str, Any]) -> None:
        for number in COMBINED:
            has_price = any(self.amounts[f"both_{name}_{number}"] is not None for name in COMBINED_FEES)
            both = {data.get(f"both_{name}_{number}", "") for name in ("one", "other")} - {""}
            if has_price and len(both) != TWO:
                self.add_error(f"both_other_{number}", _("Choose two different conditions for this price."))

    def _rounded(self, target: Target, percent: int) -> Share:
        least, unit = self.amounts.get(f"least_{target}"), self.amounts.get(f"unit_{target}")
        return Share(target, percent, least=least or 0, unit=unit or 1)

    def _build(self, data: dict[str, Any]) -> None:
        schedule = FeeSchedule(
            data["currency"],
            entry=self._fee("entry"),
            registration=self._fee("registration"),
            late=self._fee("late"),
            shares=tuple(
                share for target in SHARES if (share := self.shares.get(f"share_{target}")) is not None
            ),
            pools=tuple(self._pools(data)),
            reentries=tuple(self._reentries()),
            late_after=data["late_after"],
            jackpot_share=self.shares.get("jackpot_share"),
        )
        try:
            refuse_shares_above_fee(schedule)
            self.schedule = parse_schedule(schedule_as_json(schedule))
        except ScheduleError as error:
            self.add_error(None, refusal_sentence(error))

    def _fee(self, name: str) -> Fee:
        prices: dict[Condition, int] = {
            condition: price
            for condition in PRICES
            if (price := self.amounts[f"{name}_{condition}"]) is not None
        }
        fee, stored = Fee(self.amounts[name] or 0, prices), getattr(self.stored, name)
        if name not in COMBINED_FEES:
            return keep_prices(fee, stored, PRICES)
        combined = {
            together: price
            for number, together in self._combinations()
            if (price := self.amounts[f"both_{name}_{number}"]) is not None
        }
        return keep_prices(replace(fee, combined=combined), stored, PRICES, self.pairs)

    def _combinations(self) -> Iterator[tuple[int, Combination]]:
        for number in COMBINED:
            both = {self.cleaned_data[f"both_{name}_{number}"] for name in ("one", "other")} - {""}
            if len(both) == TWO:
                yield number, frozenset(map(Condition, both))

    def _pools(self, data: dict[str, Any]) -> Iterator[SidePool]:
        stored = {pool.key: pool.fee for pool in self.stored.pools}
        for number in self.pool_numbers:
            pool = read_pool(number, data, self.amounts, self.shares.get(f"pool_share_{number}"))
            if pool is not None:
                yield replace(pool, fee=keep_prices(pool.fee, stored.get(pool.key, Fee()), PRICES))

    def _reentries(self) -> Iterator[Reentry]:
        """Up to the last price that is given."""
        prices = [
            (self.amounts[f"again_{number}"], self.amounts[f"again_registration_{number}"])
            for number in range(2, REENTRIES + 2)
        ]
        while prices and prices[-1] == (None, None):
            prices.pop()
        for entry, registration in prices:
            yield Reentry(entry or 0, registration or 0)


def keep_prices(
    fee: Fee, stored: Fee, offered: Collection[Condition], pairs: Collection[Combination] = ()
) -> Fee:
    """The fee with the stored prices of the conditions and combinations that the form does not offer."""
    prices = {name: price for name, price in stored.prices.items() if name not in offered}
    combined = {together: price for together, price in stored.combined.items() if together not in pairs}
    return Fee(fee.price, {**prices, **fee.prices}, {**combined, **fee.combined})


def schedule_as_fields(schedule: FeeSchedule) -> dict[str, Any]:
    """The initial values of the form."""

    def text(minor: int) -> str:
        return amount_text(minor, schedule.currency)

    values: dict[str, Any] = {"currency": schedule.currency, "late_after": schedule.late_after}
    if schedule.jackpot_share:
        values["jackpot_share"] = share_text(schedule.jackpot_share, schedule.currency)
    for name in FEES:
        fee = getattr(schedule, name)
        values[name] = text(fee.price)
        values |= {f"{name}_{condition}": text(price) or "0" for condition, price in fee.prices.items()}
    for share in schedule.shares:
        values[f"share_{share.target}"] = share_text(share, schedule.currency)
        if share.percent:
            values[f"least_{share.target}"] = text(share.least)
            values[f"unit_{share.target}"] = text(share.unit) if share.unit > 1 else ""
    for number, prices in enumerate(schedule.reentries, 2):
        values[f"again_{number}"] = text(prices.entry) or "0"
        values[f"again_registration_{number}"] = text(prices.registration)
    values |= _combined_as_fields(schedule)
    for pool in schedule.pools:
        values |= pool_as_fields(pool, schedule.currency)
    return values


def _combined_as_fields(schedule: FeeSchedule) -> dict[str, Any]:
    values: dict[str, Any] = {}
    fees = {name: getattr(schedule, name).combined for name in COMBINED_FEES}
    for number, together in zip(COMBINED, _pairs_to_offer(schedule), strict=False):
        values[f"both_one_{number}"], values[f"both_other_{number}"] = sorted(together)
        for name, prices in fees.items():
            if together in prices:
                values[f"both_{name}_{number}"] = amount_text(prices[together], schedule.currency) or "0"
    return values


def _pairs_to_offer(schedule: FeeSchedule) -> list[Combination]:
    """The pairs of conditions with prices, as far as the form has rows for them and offers both conditions."""
    combined = [together for name in COMBINED_FEES for together in getattr(schedule, name).combined]
    pairs = dict.fromkeys(
        together for together in combined if len(together) == TWO and together.issubset(PRICES)
    )
    return list(pairs)[: len(COMBINED)]


def pools_to_offer(schedule: FeeSchedule | None) -> int:
    """One more than the schedule has."""
    keys = [int(pool.key) for pool in schedule.pools if pool.key.isdigit()] if schedule else []
    return max(keys, default=0) + 1
