"""Corrections by the director: what would follow is shown first, and happens only as it was shown.

A preview and its correction both call `draw.seating.corrections`. The digest of a preview names everything it
rests on; where any of that has changed, the correction is refused with the new preview.
"""

from tournament.corrections.making import correct
from tournament.corrections.previewing import Change, Preview, PreviewChanged, preview
from tournament.corrections.undoing import undo

__all__ = ["Change", "Preview", "PreviewChanged", "correct", "preview", "undo"]
