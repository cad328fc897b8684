"""A position as a picture: an SVG that says in words what it shows. The one door to this package: `svg`.

Colours are presentation attributes that name a CSS variable and the colour to fall back on, so that the
picture is whole where a page's policy blocks styles, follows a page that sets the variables, and turns dark by
its own small style sheet where it stands alone. White and black differ by their fill and by their edge, not by
a hue. No fonts are fetched and nothing runs.
"""

from rules.diagram.drawing import svg

__all__ = ["svg"]
