"""The fields of a side pool in the form of a fee schedule. The number of a pool is its key."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from tournament.fees.schedule import Condition, Fee, Share, SidePool
from tournament.fees.stored import LONGEST_POOL_NAME
from tournament.ledger.labels import CONDITION_LABELS
from tournament.pages.money.amount_fields import AmountField, ShareField, amount_text, share_text

PRICES: tuple[Condition, ...] = tuple(
    condition for condition in Condition if condition is not Condition.NEW_MEMBER
)
"""The conditions for which the forms of fees offer a price."""
USUAL = ("name", "fee", "registration", "share")
JOINING = ("below", "condition", "after", "kept")


class PoolFields(NamedTuple):
    """The bound fields of a side pool: the usual ones, those about who may join, and its prices by condition."""

    number: int
    usual: list[BoundField]
    joining: list[BoundField]
    prices: list[BoundField]

    @property
    def joining_has_errors(self) -> bool:
        return any(field.errors for field in self.joining)

    @property
    def prices_have_errors(self) -> bool:
        return any(field.errors for field in self.prices)


def new_fields(number: int) -> dict[str, forms.Field]:
    fields: dict[str, forms.Field] = {
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
            choices=[("", _("everybody")), *((name, CONDITION_LABELS[name]) for name in PRICES)],
        ),
        f"pool_kept_{number}": forms.BooleanField(
            label=_("Re-entries stay in this pool without a second fee"), required=False
        ),
    }
    if number > 1:
        others = [(str(other), _("Side pool {number}").format(number=other)) for other in range(1, number)]
        fields[f"pool_after_{number}"] = forms.ChoiceField(
            label=_("Only together with"), required=False, choices=[("", "–"), *others]
        )
    for condition in PRICES:
        fields[_price(number, condition)] = AmountField(label=CONDITION_LABELS[condition])
    return fields


def bound_fields(form: forms.Form, number: int) -> PoolFields:
    return PoolFields(
        number,
        [form[f"pool_{name}_{number}"] for name in USUAL],
        [form[key] for name in JOINING if (key := f"pool_{name}_{number}") in form.fields],
        [form[_price(number, condition)] for condition in PRICES],
    )


def read_pool(
    number: int, data: Mapping[str, Any], amounts: Mapping[str, int | None], share: Share | None
) -> SidePool | None:
    """The pool in the cleaned data of a form; None without a name. `amounts`: minor units by field."""
    if not data.get(f"pool_name_{number}"):
        return None
    condition = data.get(f"pool_condition_{number}")
    return SidePool(
        str(number),
        data[f"pool_name_{number}"],
        Fee(
            amounts[f"pool_fee_{number}"] or 0,
            {name: price for name in PRICES if (price := amounts[_price(number, name)]) is not None},
        ),
        registration=amounts[f"pool_registration_{number}"] or 0,
        shares=(share,) if share else (),
        ratings_below=data.get(f"pool_below_{number}"),
        condition=Condition(condition) if condition else None,
        after=data.get(f"pool_after_{number}", ""),
        kept=data[f"pool_kept_{number}"],
    )


def pool_as_fields(pool: SidePool, currency: str) -> dict[str, Any]:
    """The initial values of the pool's fields."""
    values: dict[str, Any] = {
        f"pool_name_{pool.key}": pool.name,
        f"pool_fee_{pool.key}": amount_text(pool.fee.price, currency),
        f"pool_registration_{pool.key}": amount_text(pool.registration, currency),
        f"pool_share_{pool.key}": share_text(pool.shares[0], currency) if pool.shares else "",
        f"pool_below_{pool.key}": pool.ratings_below,
        f"pool_condition_{pool.key}": pool.condition or "",
        f"pool_after_{pool.key}": pool.after,
        f"pool_kept_{pool.key}": pool.kept,
    }
    for condition, price in pool.fee.prices.items():
        values[_price(pool.key, condition)] = amount_text(price, currency) or "0"
    return values


def _price(number: int | str, condition: Condition) -> str:
    return f"pool_fee_{number}_{condition}"
