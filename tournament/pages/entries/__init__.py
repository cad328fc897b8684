"""Entries: the list, one entry, import, late entry and personal data."""
