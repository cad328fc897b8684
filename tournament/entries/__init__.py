"""Entries of a tournament: registration, import, late entry, re-entry and personal data."""
