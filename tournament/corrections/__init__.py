"""Corrections by the director, with a preview of all consequences.

A preview and its correction make the same call of `draw.seating.corrections`. The digest of a preview covers
everything that it depends on. If any of that changed, the correction is refused with the new preview.
"""

from tournament.corrections.making import correct
from tournament.corrections.previewing import Change, Preview, PreviewChanged, preview
from tournament.corrections.undoing import undo

__all__ = ["Change", "Preview", "PreviewChanged", "correct", "preview", "undo"]
