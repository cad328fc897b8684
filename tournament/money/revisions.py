"""The settings of money that a page replaces together, for their revisions."""

from collections.abc import Mapping
from typing import Any


def schedule_settings(fees: Mapping[str, Any]) -> dict[str, Any]:
    """Of the stored fees of a tournament, those that the page of fees sets."""
    return {name: value for name, value in fees.items() if name != "refunds"}


def refund_settings(fees: Mapping[str, Any]) -> dict[str, Any]:
    """Of the stored fees of a tournament, the refund rules and the currency of their amounts."""
    return {"currency": fees.get("currency", ""), "refunds": fees.get("refunds", [])}
