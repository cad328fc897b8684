"""Brackets: the page, its parts, and the bracket as it was earlier."""
