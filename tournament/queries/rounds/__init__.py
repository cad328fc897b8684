"""Rounds of a tournament, as a director sees them."""
