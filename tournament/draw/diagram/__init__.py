"""Drawings of brackets as coordinates, and previews of layouts as data."""
