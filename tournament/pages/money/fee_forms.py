"""The form of a fee schedule. Amounts are written in the currency of the form and in the reader's language."""

from collections.abc import Iterator
from typing import Any

from babel import Locale
from django import forms
from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from tournament.draw.sentence_error import SentenceError
from tournament.fees.amounts import Amount, current_currencies, format_amount, parse_amount
from tournament.fees.schedule import (
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
from tournament.web.sentences import refusal_sentence

CONDITIONS: dict[Condition, Promise] = {
    Condition.MEMBER: _("Members"),
    Condition.STUDENT: _("Students"),
    Condition.TITLE: _("Holders of a title"),
    Condition.FIRST_VISIT: _("First visit"),
    Condition.EARLY: _("Early payment"),
}
SHARES: dict[Target, Promise] = {
    Target.REGISTRATION: _("Share for the organizer, percent"),
    Target.FEDERATION: _("Share for the federation, percent"),
    Target.YEARLY_POT: _("Share for the yearly pot, percent"),
}
POOLS, REENTRIES = 3, 3


class AmountField(forms.CharField):
    """An amount as text; the form reads it in its currency. Empty means 0."""

    def __init__(self, **more: Any) -> None:
        super().__init__(required=False, max_length=20, **more)
        self.widget.attrs |= {"inputmode": "decimal", "autocomplete": "off"}


class FeesForm(forms.Form):
    """The fields of a schedule. Reading them fills `schedule`."""

    currency = forms.ChoiceField(label=_("Currency"))
    entry = AmountField(label=_("Entry fee"), help_text=_("Goes to the pot."))
    registration = AmountField(label=_("Registration"), help_text=_("Goes to the organizer."))
    late = AmountField(
        label=_("Late fee"), help_text=_("Charged beside the rest to whoever enters after the draw.")
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.schedule: FeeSchedule | None = None
        self.fields["currency"].choices = currency_choices()  # type: ignore[attr-defined]
        for target, label in SHARES.items():
            self.fields[f"share_{target}"] = forms.DecimalField(
                label=str(label), required=False, min_value=0, max_value=100, decimal_places=2
            )
        for condition in CONDITIONS:
            self.fields[f"entry_{condition}"] = AmountField(label=_("Entry fee"))
            self.fields[f"registration_{condition}"] = AmountField(label=_("Registration"))
        for number in range(2, REENTRIES + 2):
            self.fields[f"again_{number}"] = AmountField(label=_("Entry fee"))
            self.fields[f"again_registration_{number}"] = AmountField(label=_("Registration"))
        for number in range(1, POOLS + 1):
            self.fields[f"pool_name_{number}"] = forms.CharField(
                label=_("Name of the side pool"), required=False, max_length=40
            )
            self.fields[f"pool_fee_{number}"] = AmountField(label=_("Fee"))
            self.fields[f"pool_registration_{number}"] = AmountField(label=_("Registration"))

    @property
    def share_fields(self) -> list[BoundField]:
        return [self[f"share_{target}"] for target in SHARES]

    @property
    def condition_fields(self) -> list[tuple[Promise, BoundField, BoundField]]:
        return [
            (label, self[f"entry_{condition}"], self[f"registration_{condition}"])
            for condition, label in CONDITIONS.items()
        ]

    @property
    def reentry_fields(self) -> list[tuple[int, BoundField, BoundField]]:
        return [
            (number, self[f"again_{number}"], self[f"again_registration_{number}"])
            for number in range(2, REENTRIES + 2)
        ]

    @property
    def pool_fields(self) -> list[list[BoundField]]:
        names = ("pool_name", "pool_fee", "pool_registration")
        return [[self[f"{name}_{number}"] for name in names] for number in range(1, POOLS + 1)]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("currency"):
            amounts = {
                name: self._amount(name, data["currency"])
                for name, field in self.fields.items()
                if isinstance(field, AmountField)
            }
            if not self.errors:
                self.schedule = _schedule(data, amounts)
        return data

    def _amount(self, name: str, currency: str) -> int | None:
        """Minor units; None for an empty field."""
        text = self.cleaned_data.get(name, "").strip()
        if not text:
            return None
        try:
            amount = parse_amount(text, currency, get_language() or "en")
        except SentenceError as error:
            self.add_error(name, refusal_sentence(error))
            return None
        if amount.minor < 0:
            self.add_error(name, _("A fee cannot be negative."))
        return amount.minor


def currency_choices() -> list[tuple[str, str]]:
    names = Locale.parse((get_language() or "en").replace("-", "_")).currencies
    return [(code, f"{code} · {names[code]}" if code in names else code) for code in current_currencies()]


def _schedule(data: dict[str, Any], amounts: dict[str, int | None]) -> FeeSchedule:
    def fee(name: str) -> Fee:
        prices = {
            condition: price
            for condition in CONDITIONS
            if (price := amounts.get(f"{name}_{condition}")) is not None
        }
        return Fee(amounts[name] or 0, prices)

    return FeeSchedule(
        data["currency"],
        entry=fee("entry"),
        registration=fee("registration"),
        late=Fee(amounts["late"] or 0),
        shares=tuple(
            Share(target, percent=int(percent * 100))
            for target in SHARES
            if (percent := data.get(f"share_{target}"))
        ),
        pools=tuple(_pools(data, amounts)),
        reentries=tuple(_reentries(amounts)),
    )


def _pools(data: dict[str, Any], amounts: dict[str, int | None]) -> Iterator[SidePool]:
    for number in range(1, POOLS + 1):
        if name := data.get(f"pool_name_{number}"):
            yield SidePool(
                str(number),
                name,
                Fee(amounts[f"pool_fee_{number}"] or 0),
                registration=amounts[f"pool_registration_{number}"] or 0,
            )


def _reentries(amounts: dict[str, int | None]) -> Iterator[Reentry]:
    """Up to the last price that is given."""
    prices = [
        (amounts[f"again_{number}"], amounts[f"again_registration_{number}"])
        for number in range(2, REENTRIES + 2)
    ]
    while prices and prices[-1] == (None, None):
        prices.pop()
    for entry, registration in prices:
        yield Reentry(entry or 0, registration or 0)


def schedule_as_fields(schedule: FeeSchedule) -> dict[str, Any]:
    """The initial values of the form."""

    def text(minor: int) -> str:
        return (
            str(Amount(minor, schedule.currency).decimal.normalize().quantize(1))
            if minor % 100 == 0
            else str(Amount(minor, schedule.currency).decimal)
        )

    values: dict[str, Any] = {"currency": schedule.currency}
    for name in ("entry", "registration", "late"):
        fee = getattr(schedule, name)
        values[name] = text(fee.price) if fee.price else ""
        values |= {f"{name}_{condition}": text(price) for condition, price in fee.prices.items()}
    for share in schedule.shares:
        values[f"share_{share.target}"] = share.percent / 100
    for number, prices in enumerate(schedule.reentries, 2):
        values[f"again_{number}"] = text(prices.entry)
        values[f"again_registration_{number}"] = text(prices.registration)
    for pool in schedule.pools:
        values[f"pool_name_{pool.key}"] = pool.name
        values[f"pool_fee_{pool.key}"] = text(pool.fee.price)
        values[f"pool_registration_{pool.key}"] = text(pool.registration) if pool.registration else ""
    return values


def example_of(schedule: FeeSchedule) -> list[tuple[str, str]]:
    """What one entry in everything pays, and where it goes: amounts by target, largest first."""
    facts = EntryFacts(pools=frozenset(pool.key for pool in schedule.pools))
    names = {pool.key: pool.name for pool in schedule.pools}
    totals: dict[str, int] = {}
    for charge in charges_of(schedule, facts):
        name = names.get(charge.pot) or str(TARGETS[charge.target])
        totals[name] = totals.get(name, 0) + charge.minor
    rows = [(str(_("Together")), sum(totals.values())), *totals.items()]
    return [
        (name, format_amount(Amount(minor, schedule.currency), get_language() or "en"))
        for name, minor in rows
    ]


TARGETS: dict[Target, Promise] = {
    Target.POT: _("Pot"),
    Target.REGISTRATION: _("Organizer"),
    Target.FEDERATION: _("Federation"),
    Target.MEMBERSHIP: _("Membership"),
    Target.YEARLY_POT: _("Yearly pot"),
}
