"""An organizer's own template of prizes as JSON, and back. Pure."""

from collections.abc import Iterable, Mapping
from typing import Any

from tournament.fees.amounts import DEFAULT_CURRENCY
from tournament.prizes.other_currency import parts_in_other_currency
from tournament.prizes.stored import parse_parts, parts_as_json
from tournament.prizes.structure import Part

OwnTemplate = Mapping[str, Any] | list[dict[str, Any]]
"""The currency of the fixed amounts and the parts; templates of former versions are lists of parts."""


def template_as_json(parts: Iterable[Part], currency: str) -> dict[str, Any]:
    return {"currency": currency, "parts": parts_as_json(parts)}


def parse_template(data: OwnTemplate, currency: str) -> tuple[Part, ...]:
    """The parts with their fixed amounts in this currency. Amounts without a currency have two decimals.

    Raises like `parse_parts`.
    """
    if isinstance(data, Mapping):
        return parts_in_other_currency(parse_parts(data["parts"]), data["currency"], currency)
    return parts_in_other_currency(parse_parts(data), DEFAULT_CURRENCY, currency)
