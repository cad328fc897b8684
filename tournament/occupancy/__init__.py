"""Locks the tables of a room and releases them when a match begins, ends or is taken back."""
