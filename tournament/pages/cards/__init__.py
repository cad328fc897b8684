"""A player's score card on a phone."""
