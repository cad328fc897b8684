"""Draws a position as an SVG with a description in words. Import `svg` and `DiagramStyle` from here.

Every colour is a presentation attribute with a CSS variable, `--diagram-…`, and a fallback colour. Attributes are
not inline styles, so a strict content security policy (style-src with nonces) allows them, and the page's style
sheet may set the variables. A standalone picture, as a file or in an <img>, has its own style sheet for dark mode;
a policy would block that sheet, so a picture inside a page omits it (`DiagramStyle.is_standalone`).

White and black differ by fill and edge, not by hue, so that they differ in print too. No fonts are fetched, no
script runs, all text is escaped.
"""

from rules.diagram.drawing import svg
from rules.diagram.paint import DiagramStyle

__all__ = ["DiagramStyle", "svg"]
