"""Formats of a tournament: their settings, their layouts over positions, presets and estimates."""

from tournament.draw.formats.definition import GROWING, LIMITS, LONGEST_NOTATION, Format, FormatError, Kind

__all__ = ["GROWING", "LIMITS", "LONGEST_NOTATION", "Format", "FormatError", "Kind"]
