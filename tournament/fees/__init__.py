"""Amounts of money and what an entry costs. Pure."""
