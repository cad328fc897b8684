"""Seats changed by hand."""
