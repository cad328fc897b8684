"""Screens in the hall: their links, their plans of slides, and the event's own slides."""
