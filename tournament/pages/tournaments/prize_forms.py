"""Fields of prizes: a currency, and the prizes of each bracket from first place on."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.draw.formats import Format, Kind
from tournament.draw.formats.layouts import has_places
from tournament.draw.prizes import LAST_PLACE, LONGEST_CURRENCY, Prize, PrizeError, Prizes, parse_prizes

CURRENCY = "prize_currency"
TABLES: Mapping[str, tuple[str, Promise, tuple[Kind, ...]]] = {
    "main": (
        "prizes_main",
        _("Prizes from the first place on"),
        tuple(kind for kind in Kind if kind != Kind.GROUPS),
    ),
    "consolation": ("prizes_consolation", _("Prizes of the consolation"), (Kind.KNOCKOUT,)),
    "last chance": ("prizes_last_chance", _("Prizes of the last chance"), (Kind.KNOCKOUT, Kind.DOUBLE)),
    "play-off": ("prizes_play_off", _("Prizes of the play-off"), (Kind.GROUPS,)),
}
"""Brackets by key: the field of their prizes, its label, and the kinds of format that have them."""
FIELDS = {CURRENCY, *(name for name, _words, _kinds in TABLES.values())}
STORED_PRIZES = "stored_prizes"
"""Prizes of brackets without a field in the form. The form keeps the values that the API has set."""


class PrizesField(forms.CharField):
    """“300, 150, Trophy” are the prizes for places 1, 2, 3. A place without text between commas has no prize."""

    def clean(self, value: Any) -> tuple[Prize, ...]:
        texts = [part.strip() for part in str(super().clean(value)).split(",")]
        if len(texts) > LAST_PLACE:
            raise forms.ValidationError(_("These are more prizes than there can be places."))
        try:
            return tuple(Prize.parse(place, text) for place, text in enumerate(texts, start=1) if text)
        except PrizeError as error:
            raise forms.ValidationError(
                _("Enter amounts such as 300 or 12.50, or short words such as Trophy, separated by commas.")
            ) from error


def prize_fields() -> dict[str, forms.Field]:
    tables = {
        name: PrizesField(label=str(words), required=False, max_length=1_000)
        for name, words, _kinds in TABLES.values()
    }
    currency = forms.CharField(label=_("Currency"), required=False, max_length=LONGEST_CURRENCY)
    return {CURRENCY: currency, **tables}


def prizes_of(form: forms.Form, chosen: Format) -> Prizes:
    """Returns the prizes of a valid form, and the stored prizes of this format's brackets that have no field."""
    data = form.cleaned_data
    posted = {key: data[name] for key, (name, _words, kinds) in TABLES.items() if chosen.kind in kinds}
    stored: Prizes = parse_prizes(form.initial.get(STORED_PRIZES, {}))
    others = {
        key: table for key, table in stored.lists.items() if key not in TABLES and has_places(chosen, key)
    }
    return Prizes(
        data[CURRENCY].strip(), {key: table for key, table in {**posted, **others}.items() if table}
    )


def prizes_as_fields(stored: Mapping[str, Any]) -> dict[str, Any]:
    prizes = parse_prizes(stored)
    tables = {name: _as_text(prizes.lists.get(key, ())) for key, (name, _words, _kinds) in TABLES.items()}
    return {CURRENCY: prizes.currency, **tables, STORED_PRIZES: stored}


def _as_text(table: tuple[Prize, ...]) -> str:
    by_place = {prize.place: prize.as_text for prize in table}
    return ", ".join(by_place.get(place, "") for place in range(1, max(by_place, default=0) + 1))
