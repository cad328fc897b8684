"""Fields of amounts in forms, read and written in the reader's language."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any, ClassVar

from django import forms
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from tournament.draw.sentence_error import SentenceError
from tournament.fees.amounts import Amount, current_currencies, format_number, locale_of, parse_amount
from tournament.fees.schedule import Share
from tournament.web.sentences import refusal_sentence

PERCENT = "%"


class AmountField(forms.CharField):
    """An amount as text; the form reads it in its currency. Empty means 0."""

    def __init__(self, **more: Any) -> None:
        super().__init__(required=False, max_length=20, **more)
        self.widget.attrs |= {"inputmode": "decimal", "autocomplete": "off"}


def read_percent(text: str) -> int | None:
    """Hundredths of a percent; None if the text is no percentage from 0 to 100."""
    try:
        percent = Decimal(text.replace(PERCENT, "").strip().replace(",", "."))
        hundredths = int(percent * 100)
    except (ArithmeticError, ValueError):
        return None
    return hundredths if 0 <= percent <= 100 else None


class NumberField(forms.DecimalField):
    """A number with a decimal point or a decimal comma."""

    def to_python(self, value: Any) -> Any:
        return super().to_python(value.replace(",", ".") if isinstance(value, str) else value)


class PercentField(NumberField):
    """A percentage from 0 to 100. Its value is in hundredths of a percent, None for an empty field."""

    def __init__(self, **more: Any) -> None:
        super().__init__(required=False, min_value=0, max_value=100, decimal_places=2, **more)

    def clean(self, value: Any) -> int | None:
        percent = super().clean(value)
        return None if percent is None else int(percent * 100)

    def prepare_value(self, value: Any) -> Any:
        return percent_text(value) if isinstance(value, int) else value


class ShareField(forms.CharField):
    """A percentage such as 10 %, or an amount."""

    def __init__(self, **more: Any) -> None:
        super().__init__(required=False, max_length=20, **more)
        self.widget.attrs["autocomplete"] = "off"


class AmountsForm(forms.Form):
    """Reads its amounts in its field `currency`. `amounts` are minor units by field, None for an empty one."""

    negative: ClassVar[Promise] = _("An amount cannot be negative.")

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.amounts: dict[str, int | None] = {}

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("currency"):
            for name, field in self.fields.items():
                if isinstance(field, AmountField):
                    self.amounts[name] = self.minor_units(name, data.get(name, ""))
        return data

    def minor_units(self, name: str, text: str) -> int | None:
        if not text.strip():
            return None
        try:
            return read_amount(text, self.cleaned_data["currency"], self.negative).minor
        except forms.ValidationError as error:
            self.add_error(name, error)
            return None


def read_amount(text: str, currency: str, negative: str | Promise = "") -> Amount:
    """The amount as typed. Raises ValidationError: `negative` for one below zero; empty allows it."""
    try:
        amount = parse_amount(text, currency, get_language() or "en")
    except SentenceError as error:
        raise forms.ValidationError(refusal_sentence(error)) from error
    if negative and amount.minor < 0:
        raise forms.ValidationError(negative)  # type: ignore[arg-type]
    return amount


def currency_choices(first: Iterable[str]) -> list[tuple[str, str]]:
    """All currencies with their names: `first` those in use, then the others by code."""
    names = locale_of(get_language() or "en").currencies
    codes = dict.fromkeys((*first, *current_currencies()))
    return [(code, f"{code} · {names[code]}" if code in names else code) for code in codes]


def amount_text(minor: int, currency: str) -> str:
    """The amount as an input takes it back: `12.50` or `12,50` by language, `12`, empty for 0."""
    return format_number(Amount(minor, currency), get_language() or "en", trims_zeros=True) if minor else ""


def percent_text(hundredths: int) -> str:
    """Hundredths of a percent as an input takes them back: `12.5`, `12`."""
    return f"{(Decimal(hundredths) / 100).normalize():f}"


def share_text(share: Share, currency: str) -> str:
    """The share as a `ShareField` takes it back: `10 %`, `2.50`."""
    if not share.percent:
        return amount_text(share.least, currency)
    return f"{percent_text(share.percent)} {PERCENT}"
