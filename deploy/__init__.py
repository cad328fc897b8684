"""The composition root: puts the parts together and holds the files that run them. Nothing imports it."""
