"""The form of a prize structure. Amounts are written in the currency of the form and in the reader's language."""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.fees.amounts import Amount, exponent_of
from tournament.fees.cash_pieces import PIECES
from tournament.fees.schedule import EXTRA_POT, Condition, FeeSchedule
from tournament.fees.shares import WHOLE
from tournament.ledger.labels import CONDITION_LABELS
from tournament.pages.money.amount_fields import (
    AmountField,
    AmountsForm,
    PercentField,
    amount_text,
    currency_choices,
    percent_text,
)
from tournament.prizes.stored import MOST_PARTS, StructureError, check_structure
from tournament.prizes.structure import Feat, Part, PoolPrizes, PrizeStructure, Rest, Ties
from tournament.prizes.templates import Field, is_possible
from tournament.prizes.wins import win_parts
from tournament.queries.brackets.labels import bracket_title
from tournament.web.sentences import refusal_sentence

MORE_LINES = 3
FEATS: Mapping[str, Promise] = {
    "": _("Places"),
    Feat.UNBEATEN: _("Reaches the final unbeaten"),
    Feat.PAIR_OF_THREE: _("Each of the two who play when three are left"),
}
TIES: Mapping[Ties, Promise] = {
    Ties.PLACES: _("Tie-breaks decide; entries on the same place share"),
    Ties.RECORDS: _("All with the same score share equally"),
    Ties.HALF: _("Half by place, half shared by all with the same score"),
}
RESTS: Mapping[Rest, Promise] = {Rest.FIRST: _("First place"), Rest.ORGANIZER: _("Organizer")}
UNITS = (0, 1, 5, 10, 20, 25, 50, 100, 500, 1000)
FEAT_FIELD = "line_feat_"
BRACKET_FIELDS = ("line_bracket_", "pool_first_", "pool_then_", "pool_third_")
_PLACES = re.compile(r"\s*([0-9]{1,4})\s*(?:[-–]\s*([0-9]{1,4})\s*)?")
_SHARES = re.compile(r"\s*[:/;,\s]\s*")
_DECIMALS = re.compile(r"[0-9],[0-9]")


class PrizesForm(AmountsForm):
    """The fields of a structure. Reading them fills `structure`. `lines`: how many lines the form offers."""

    currency = forms.ChoiceField(label=_("Currency"))
    added = AmountField(label=_("Added money"), help_text=_("Of the organizer or a sponsor."))
    yearly = AmountField(
        label=_("From the yearly pot"),
        help_text=_("Put aside by the organizer's events. The page Organizer has the sums."),
    )
    guaranteed = AmountField(
        label=_("Guaranteed prizes"), help_text=_("The organizer pays what the pot lacks.")
    )
    series_share = PercentField(label=_("Set aside for a series, percent"))
    series_minor = AmountField(label=_("Set aside for a series, amount"))
    unit = forms.TypedChoiceField(label=_("Round prizes down"), coerce=Decimal)
    rest = forms.ChoiceField(label=_("The rest of rounding goes to"), choices=list(RESTS.items()))
    minimum = AmountField(
        label=_("Smallest prize"),
        help_text=_("Places that would get less are not paid, and equal records do not share less."),
    )
    ties = forms.ChoiceField(label=_("Equal records"), choices=list(TIES.items()))
    bubble = forms.BooleanField(
        label=_("Entries that just miss the prizes share with paid entries that won as many matches"),
        required=False,
        help_text=_("For lives. Byes do not count."),
    )
    condition = forms.ChoiceField(label=_("Prizes of places are for"), required=False)
    is_public = forms.BooleanField(label=_("Show the prizes on the public pages"), required=False)
    own_name = forms.CharField(label=_("Name of the template"), required=False, max_length=40)

    def __init__(
        self, *args: Any, field: Field, schedule: FeeSchedule | None, lines: int, **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self.structure: PrizeStructure | None = None
        self.field, self.schedule = field, schedule
        self.line_numbers = range(1, min(lines, MOST_PARTS) + 1)
        self.pool_names = {pool.key: pool.name for pool in schedule.pools} if schedule else {}
        everybody = [("", _("everybody")), *CONDITION_LABELS.items()]
        self._choices("currency", currency_choices([self.initial["currency"]]))
        if schedule:
            self._choices("currency", [(schedule.currency, schedule.currency)])
        coin = _smallest_coin(field.currency)
        units = sorted({*map(Decimal, UNITS), coin, Decimal(self.initial.get("unit", 0))})
        self._choices("unit", [(unit, f"{unit:f}" if unit else _("not rounded")) for unit in units])
        self._choices("condition", everybody)
        brackets = [
            (key, bracket_title(key))
            for key in dict.fromkeys((*field.brackets, *self._initial_values(*BRACKET_FIELDS)))
        ]
        feats = self._feats()
        for number in self.line_numbers:
            self._add_line(number, brackets, feats)
        self.wins = {
            win_key(key): key
            for key in dict.fromkeys((*field.brackets, *self._initial_values("win_bracket_")))
        }
        for name, key in self.wins.items():
            self._add_wins(name, bracket_title(key))
        for key in [*self.pool_names, EXTRA_POT]:
            self._add_pool(key, brackets, everybody)

    def _initial_values(self, *prefixes: str) -> list[str]:
        """Brackets that have prizes, even if the format no longer plays them."""
        return [value for name, value in self.initial.items() if value and name.startswith(prefixes)]

    def _choices(self, name: str, choices: Sequence[tuple[Any, Any]]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]

    def _feats(self) -> list[tuple[str, Promise]]:
        """Those that can be achieved in the format, and those of lines from another format."""
        used = {value for name, value in (*self.initial.items(), *self.data.items()) if FEAT_FIELD in name}
        return [(feat, label) for feat, label in FEATS.items() if feat in used or self._is_possible(feat)]

    def _is_possible(self, feat: str) -> bool:
        return not feat or is_possible(Feat(feat), self.field)

    def _add_line(
        self, number: int, brackets: Sequence[tuple[str, str]], feats: Sequence[tuple[str, Promise]]
    ) -> None:
        self.fields |= {
            f"line_bracket_{number}": forms.ChoiceField(label=_("Bracket"), choices=brackets, required=False),
            f"line_feat_{number}": forms.ChoiceField(
                label=_("For"),
                choices=feats,
                required=False,
                widget=forms.Select if len(feats) > 1 else forms.HiddenInput,
            ),
            f"line_places_{number}": forms.CharField(label=_("Places"), required=False, max_length=11),
            f"line_share_{number}": forms.DecimalField(
                label=_("Share of each"), required=False, min_value=0, max_digits=9, decimal_places=2
            ),
            f"line_amount_{number}": AmountField(label=_("or fixed amount")),
        }

    def _add_wins(self, name: str, title: str) -> None:
        self.fields |= {
            f"win_amount_{name}": AmountField(label=_("{bracket}: each win").format(bracket=title)),
            f"win_from_{name}": forms.IntegerField(
                label=_("From win number"), required=False, min_value=1, max_value=99, initial=1
            ),
        }

    def _add_pool(
        self, key: str, brackets: Sequence[tuple[str, str]], everybody: Sequence[tuple[str, Any]]
    ) -> None:
        self.fields |= {
            f"pool_shares_{key}": forms.CharField(
                label=_("Shares, furthest first"), required=False, max_length=60
            ),
            f"pool_added_{key}": AmountField(label=_("Added money")),
            f"pool_first_{key}": forms.ChoiceField(label=_("Decided in"), required=False, choices=brackets),
            f"pool_then_{key}": forms.ChoiceField(
                label=_("Then in"), required=False, choices=[("", "–"), *brackets]
            ),
            f"pool_third_{key}": forms.ChoiceField(
                label=_("At last in"), required=False, choices=[("", "–"), *brackets]
            ),
            f"pool_condition_{key}": forms.ChoiceField(
                label=_("Only for"), required=False, choices=everybody
            ),
            f"pool_like_main_{key}": forms.BooleanField(
                label=_("Split like the main prizes"),
                required=False,
                help_text=_("Over the same brackets and places. Places count its entries only."),
            ),
        }

    @property
    def lines(self) -> list[list[BoundField]]:
        names = ("bracket", "feat", "places", "share", "amount")
        return [[self[f"line_{name}_{number}"] for name in names] for number in self.line_numbers]

    @property
    def win_fields(self) -> list[BoundField]:
        return [self[f"win_{part}_{name}"] for name in self.wins for part in ("amount", "from")]

    @property
    def pays_wins(self) -> bool:
        return any(self[f"win_amount_{name}"].value() for name in self.wins)

    @property
    def pool_fields(self) -> list[tuple[str, list[BoundField]]]:
        """Name and fields of each side pool; those of the extra prize come last, without a name."""
        names = ("shares", "added", "first", "then", "third", "condition", "like_main")
        return [
            (self.pool_names.get(key, ""), [self[f"pool_{name}_{key}"] for name in names])
            for key in [*self.pool_names, EXTRA_POT]
        ]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if not self.errors:
            structure = self._structure(data)
            try:
                check_structure(structure)
            except StructureError as error:
                self.add_error(None, refusal_sentence(error))
            if not self.errors:
                self.structure = structure
        return data

    def _structure(self, data: Mapping[str, Any]) -> PrizeStructure:
        amounts = {name: minor or 0 for name, minor in self.amounts.items()}
        unit = int(data["unit"].scaleb(exponent_of(data["currency"]))) or 1
        return PrizeStructure(
            data["currency"],
            (*self._parts(data, amounts), *self._win_parts(data, amounts)),
            added=amounts["added"],
            yearly=amounts["yearly"],
            guaranteed=amounts["guaranteed"],
            series_share=data["series_share"] or 0,
            series_minor=amounts["series_minor"],
            unit=unit,
            rest=Rest(data["rest"]),
            ties=Ties(data["ties"]),
            minimum=amounts["minimum"],
            bubble=data["bubble"],
            condition=_condition(data["condition"]),
            pools=tuple(self._pools(data, amounts)),
            is_public=data["is_public"],
        )

    def _parts(self, data: Mapping[str, Any], amounts: Mapping[str, int]) -> Iterator[Part]:
        """The lines with places. Shares are whole numbers; hundredths if one of them has decimals."""
        shares = [data[f"line_share_{number}"] or Decimal(0) for number in self.line_numbers]
        scale = 1 if all(share == int(share) for share in shares) else 100
        for number, share in zip(self.line_numbers, shares, strict=True):
            text, minor = data[f"line_places_{number}"], amounts[f"line_amount_{number}"]
            if not text and not share and not minor:
                continue
            places = _PLACES.fullmatch(text)
            if places is None:
                self.add_error(f"line_places_{number}", _("Write a place such as 1, or places such as 3–4."))
                continue
            first = int(places[1])
            yield Part(
                data[f"line_bracket_{number}"] or self.field.top,
                first,
                int(places[2] or first),
                int(share * scale),
                minor,
                Feat(data[f"line_feat_{number}"]) if data[f"line_feat_{number}"] else None,
            )

    def _win_parts(self, data: Mapping[str, Any], amounts: Mapping[str, int]) -> Iterator[Part]:
        for name, bracket in self.wins.items():
            if minor := amounts[f"win_amount_{name}"]:
                first = data[f"win_from_{name}"] or 1
                yield Part(bracket, first, first, minor=minor, feat=Feat.WIN)

    def _pools(self, data: Mapping[str, Any], amounts: Mapping[str, int]) -> Iterator[PoolPrizes]:
        for key in [*self.pool_names, EXTRA_POT]:
            added = amounts[f"pool_added_{key}"]
            if key == EXTRA_POT and not added:
                continue
            first = data[f"pool_first_{key}"] or self.field.top
            brackets = (first, data[f"pool_then_{key}"], data[f"pool_third_{key}"])
            yield PoolPrizes(
                key,
                self._shares(f"pool_shares_{key}", data),
                tuple(dict.fromkeys(filter(None, brackets))),
                _condition(data[f"pool_condition_{key}"]),
                added,
                is_open=key == EXTRA_POT,
                like_main=data[f"pool_like_main_{key}"],
            )

    def _shares(self, name: str, data: Mapping[str, Any]) -> tuple[int, ...]:
        has_decimals = bool(_DECIMALS.search(data[name])) and len(data[name].split()) > 1
        texts = [text for text in _SHARES.split(data[name]) if text] or ["100"]
        if has_decimals or not all(text.isdecimal() and len(text) < 6 for text in texts):
            self.add_error(name, _("Write whole numbers such as 70 30."))
            return ()
        return tuple(map(int, texts))


def _smallest_coin(currency: str) -> Decimal:
    """In whole units; 0 if it is the minor unit or not known."""
    minor = min(PIECES.get(currency, (1,)))
    return Decimal(minor).scaleb(-exponent_of(currency)) if minor > 1 else Decimal(0)


def _condition(value: str) -> Condition | None:
    return Condition(value) if value else None


def _whole_unit(structure: PrizeStructure) -> Decimal:
    """The unit of rounding in whole units of the currency; 0 without rounding."""
    if structure.unit <= 1:
        return Decimal(0)
    return Decimal(f"{Amount(structure.unit, structure.currency).decimal.normalize():f}")


def structure_as_fields(structure: PrizeStructure) -> dict[str, Any]:
    """The initial values of the form."""

    def text(minor: int) -> str:
        return amount_text(minor, structure.currency)

    names = ("added", "yearly", "guaranteed", "series_minor", "minimum")
    values: dict[str, Any] = {name: text(getattr(structure, name)) for name in names}
    values |= {
        "currency": structure.currency,
        "series_share": structure.series_share or None,
        "unit": _whole_unit(structure),
        "rest": structure.rest,
        "ties": structure.ties,
        "bubble": structure.bubble,
        "condition": structure.condition or "",
        "is_public": structure.is_public,
    }
    in_percent = sum(part.share * part.count for part in structure.parts) == WHOLE
    for part in win_parts(structure):
        name = win_key(part.bracket)
        values |= {
            f"win_bracket_{name}": part.bracket,
            f"win_amount_{name}": text(part.minor),
            f"win_from_{name}": part.place_from,
        }
    lines = [part for part in structure.parts if part.feat is not Feat.WIN]
    for number, part in enumerate(lines, 1):
        values |= {
            f"line_bracket_{number}": part.bracket,
            f"line_feat_{number}": part.feat or "",
            f"line_places_{number}": places_text(part),
            f"line_share_{number}": _share_text(part.share, in_percent=in_percent),
            f"line_amount_{number}": text(part.minor),
        }
    for pool in structure.pools:
        values |= _pool_as_fields(pool, structure.currency)
    return values


def _share_text(share: int, *, in_percent: bool) -> str:
    if not share:
        return ""
    return percent_text(share) if in_percent else str(share)


def _pool_as_fields(pool: PoolPrizes, currency: str) -> dict[str, Any]:
    first, then, third, *_more = (*pool.brackets, "", "")
    return {
        f"pool_shares_{pool.key}": " ".join(map(str, pool.shares)),
        f"pool_added_{pool.key}": amount_text(pool.added, currency),
        f"pool_first_{pool.key}": first,
        f"pool_then_{pool.key}": then,
        f"pool_third_{pool.key}": third,
        f"pool_like_main_{pool.key}": pool.like_main,
        f"pool_condition_{pool.key}": pool.condition or "",
    }


def win_key(bracket: str) -> str:
    """The bracket in names of fields."""
    return bracket.replace(" ", "-")


def places_text(part: Part) -> str:
    """“3” or “3–4”."""
    return f"{part.place_from}" if part.count == 1 else f"{part.place_from}–{part.place_to}"
