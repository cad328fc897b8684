"""A position as a picture: an SVG that says in words what it shows. The one door to this package: `svg`, `Look`.

Every colour is a presentation attribute that names a CSS variable, `--diagram-…`, and the colour to fall back
on. Attributes are no inline styles, so that a strict policy of a page (style-src with nonces) lets them
through, and the page's own style sheet may set the variables. What stands alone, as a file or in an <img>, has
no page: it turns dark by a style sheet of its own, which a policy would block with a complaint; a picture that
is written into a page leaves it out (`Look.is_alone`). Without any style the picture is whole, and light.

White and black differ by fill and edge, not by a hue, and are told apart in print. No fonts are fetched, nothing
runs, no text comes in but escaped.
"""

from rules.diagram.drawing import svg
from rules.diagram.paint import DiagramStyle

__all__ = ["DiagramStyle", "svg"]
