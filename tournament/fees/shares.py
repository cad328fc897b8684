"""Shares of amounts, in hundredths of a percent. Pure."""

WHOLE = 10_000
"""The share that is all of an amount."""


def share_of(minor: int, percent: int, unit: int = 1) -> int:
    """`percent` hundredths of a percent of an amount, to the nearest multiple of `unit`. Halves are rounded up."""
    return (2 * minor * percent + WHOLE * unit) // (2 * WHOLE * unit) * unit
