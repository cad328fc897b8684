"""Jackpots at the desk and on phones."""
