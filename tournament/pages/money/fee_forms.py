"""The form of a fee schedule. Amounts are written in the currency of the form and in the reader's language."""

from collections.abc import Collection, Iterator
from decimal import Decimal
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.fees.schedule import Condition, Fee, FeeSchedule, Reentry, Share, SidePool, Target
from tournament.fees.stored import (
    LONGEST_POOL_NAME,
    MOST_POOLS,
    MOST_REENTRIES,
    ScheduleError,
    parse_schedule,
    schedule_as_json,
)
from tournament.pages.money.amount_fields import AmountField, AmountsForm, amount_text, currency_choices
from tournament.pages.money.choice_fields import CONDITIONS
from tournament.web.sentences import refusal_sentence

PRICES: tuple[Condition, ...] = tuple(
    condition for condition in Condition if condition is not Condition.NEW_MEMBER
)
SHARES: dict[Target, Promise] = {
    Target.REGISTRATION: _("Share for the organizer"),
    Target.FEDERATION: _("Share for the federation"),
    Target.YEARLY_POT: _("Share for the yearly pot"),
}
LEAST_POOLS, REENTRIES = 2, MOST_REENTRIES
PERCENT = "%"


class ShareField(forms.CharField):
    """A percentage such as 10 %, or an amount."""

    def __init__(self, **more: Any) -> None:
        super().__init__(required=False, max_length=20, **more)
        self.widget.attrs |= {"autocomplete": "off", "placeholder": "10 %"}


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

    def __init__(
        self, *args: Any, pools: int = LEAST_POOLS, stored: FeeSchedule | None = None, **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self.schedule: FeeSchedule | None = None
        self.stored = stored or FeeSchedule("")
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
        for number in range(2, REENTRIES + 2):
            self.fields[f"again_{number}"] = AmountField(label=_("Entry fee"))
            self.fields[f"again_registration_{number}"] = AmountField(label=_("Registration"))
        for number in self.pool_numbers:
            self._add_pool(number)

    def _add_pool(self, number: int) -> None:
        self.fields |= {
            f"pool_name_{number}": forms.CharField(
                label=_("Name of the side pool"), required=False, max_length=LONGEST_POOL_NAME
            ),
            f"pool_fee_{number}": AmountField(label=_("Fee")),
            f"pool_registration_{number}": AmountField(label=_("Registration")),
            f"pool_share_{number}": ShareField(label=_("Share for the organizer")),
            f"pool_below_{number}": forms.DecimalField(
                label=_("Only ratings below"), required=False, min_value=0, max_digits=7, decimal_places=2
            ),
            f"pool_condition_{number}": forms.ChoiceField(
                label=_("Only for"),
                required=False,
                choices=[("", _("everybody")), *((name, CONDITIONS[name]) for name in PRICES)],
            ),
        }
        if number > 1:
            others = [
                (str(other), _("Side pool {number}").format(number=other)) for other in range(1, number)
            ]
            self.fields[f"pool_after_{number}"] = forms.ChoiceField(
                label=_("Only together with"), required=False, choices=[("", "–"), *others]
            )

    @property
    def share_fields(self) -> list[BoundField]:
        return [self[f"share_{target}"] for target in SHARES]

    @property
    def rounding_fields(self) -> list[tuple[Promise, BoundField, BoundField]]:
        return [(label, self[f"least_{target}"], self[f"unit_{target}"]) for target, label in SHARES.items()]

    @property
    def condition_fields(self) -> list[tuple[Promise, BoundField, BoundField]]:
        return [
            (CONDITIONS[condition], self[f"entry_{condition}"], self[f"registration_{condition}"])
            for condition in PRICES
        ]

    @property
    def reentry_fields(self) -> list[tuple[int, BoundField, BoundField]]:
        return [
            (number, self[f"again_{number}"], self[f"again_registration_{number}"])
            for number in range(2, REENTRIES + 2)
        ]

    @property
    def pool_fields(self) -> list[tuple[int, list[BoundField], list[BoundField]]]:
        """The number of each pool, its usual fields, and those about who may join."""
        usual, joining = ("name", "fee", "registration", "share"), ("below", "condition", "after")
        return [
            (
                number,
                [self[f"pool_{name}_{number}"] for name in usual],
                [self[key] for name in joining if (key := f"pool_{name}_{number}") in self.fields],
            )
            for number in self.pool_numbers
        ]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if data.get("currency"):
            self._read_shares(data)
            if not self.errors:
                self._build(data)
        return data

    def _read_shares(self, data: dict[str, Any]) -> None:
        for name, field in self.fields.items():
            text = data.get(name, "")
            if not isinstance(field, ShareField) or not text:
                continue
            is_of_pool = not name.startswith("share_")
            target = Target.REGISTRATION if is_of_pool else Target(name.removeprefix("share_"))
            if PERCENT not in text:
                self.shares[name] = Share(target, least=self.minor_units(name, text) or 0)
                continue
            percent = _percent(text)
            if percent is None:
                self.add_error(name, _("Write a percentage from 0 to 100, such as 10 %, or an amount."))
            else:
                self.shares[name] = Share(target, percent) if is_of_pool else self._rounded(target, percent)

    def _rounded(self, target: Target, percent: int) -> Share:
        least, unit = self.amounts.get(f"least_{target}"), self.amounts.get(f"unit_{target}")
        return Share(target, percent, least=least or 0, unit=unit or 1)

    def _build(self, data: dict[str, Any]) -> None:
        schedule = FeeSchedule(
            data["currency"],
            entry=self._fee("entry"),
            registration=self._fee("registration"),
            late=keep_prices(Fee(self.amounts["late"] or 0), self.stored.late),
            shares=tuple(
                share for target in SHARES if (share := self.shares.get(f"share_{target}")) is not None
            ),
            pools=tuple(self._pools(data)),
            reentries=tuple(self._reentries()),
        )
        try:
            self.schedule = parse_schedule(schedule_as_json(schedule))
        except ScheduleError as error:
            self.add_error(None, refusal_sentence(error))

    def _fee(self, name: str) -> Fee:
        prices: dict[Condition, int] = {
            condition: price
            for condition in PRICES
            if (price := self.amounts[f"{name}_{condition}"]) is not None
        }
        return keep_prices(Fee(self.amounts[name] or 0, prices), getattr(self.stored, name), PRICES)

    def _pools(self, data: dict[str, Any]) -> Iterator[SidePool]:
        stored = {pool.key: pool.fee for pool in self.stored.pools}
        for number in self.pool_numbers:
            if not data.get(f"pool_name_{number}"):
                continue
            share = self.shares.get(f"pool_share_{number}")
            condition = data.get(f"pool_condition_{number}")
            yield SidePool(
                str(number),
                data[f"pool_name_{number}"],
                keep_prices(Fee(self.amounts[f"pool_fee_{number}"] or 0), stored.get(str(number), Fee())),
                registration=self.amounts[f"pool_registration_{number}"] or 0,
                shares=(share,) if share else (),
                ratings_below=data.get(f"pool_below_{number}"),
                condition=Condition(condition) if condition else None,
                after=data.get(f"pool_after_{number}", ""),
            )

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


def keep_prices(fee: Fee, stored: Fee, offered: Collection[Condition] = ()) -> Fee:
    """The fee with the stored prices of the conditions that the form does not offer."""
    hidden = {name: price for name, price in stored.prices.items() if name not in offered}
    return Fee(fee.price, {**hidden, **fee.prices})


def _percent(text: str) -> int | None:
    """Hundredths of a percent; None if the text is no percentage from 0 to 100."""
    try:
        percent = Decimal(text.replace(PERCENT, "").strip().replace(",", "."))
        hundredths = int(percent * 100)
    except (ArithmeticError, ValueError):
        return None
    return hundredths if 0 <= percent <= 100 else None


def schedule_as_fields(schedule: FeeSchedule) -> dict[str, Any]:
    """The initial values of the form."""

    def text(minor: int) -> str:
        return amount_text(minor, schedule.currency)

    values: dict[str, Any] = {"currency": schedule.currency}
    for name in ("entry", "registration", "late"):
        fee = getattr(schedule, name)
        values[name] = text(fee.price)
        values |= {f"{name}_{condition}": text(price) or "0" for condition, price in fee.prices.items()}
    for share in schedule.shares:
        values[f"share_{share.target}"] = _share_text(share, schedule.currency)
        if share.percent:
            values[f"least_{share.target}"] = text(share.least)
            values[f"unit_{share.target}"] = text(share.unit) if share.unit > 1 else ""
    for number, prices in enumerate(schedule.reentries, 2):
        values[f"again_{number}"] = text(prices.entry)
        values[f"again_registration_{number}"] = text(prices.registration)
    for pool in schedule.pools:
        values |= {
            f"pool_name_{pool.key}": pool.name,
            f"pool_fee_{pool.key}": text(pool.fee.price),
            f"pool_registration_{pool.key}": text(pool.registration),
            f"pool_share_{pool.key}": _share_text(pool.shares[0], schedule.currency) if pool.shares else "",
            f"pool_below_{pool.key}": pool.ratings_below,
            f"pool_condition_{pool.key}": pool.condition or "",
            f"pool_after_{pool.key}": pool.after,
        }
    return values


def pools_to_offer(schedule: FeeSchedule | None) -> int:
    """One more than the schedule has."""
    keys = [int(pool.key) for pool in schedule.pools if pool.key.isdigit()] if schedule else []
    return max(keys, default=0) + 1


def _share_text(share: Share, currency: str) -> str:
    if not share.percent:
        return amount_text(share.least, currency)
    percent = Decimal(share.percent) / 100
    return f"{percent.normalize():f} {PERCENT}"
