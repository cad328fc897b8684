"""Corrections of posted results."""
