"""Entries: the list, names, flags, the way of an entry through the draw."""
