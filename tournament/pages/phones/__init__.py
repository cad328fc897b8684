"""Phones of players: personal links, the wall poster and printed papers."""
