"""What is known of an event at one moment, as a forecast takes it: rows read as matches, scores, rounds and tables.

Reads only, in a number of statements that does not grow with a draw, nor with the number of tournaments.
"""

from tournament.underway.knowing import FEWEST, Underway, opening, underway
from tournament.underway.times import minute, moment_at

__all__ = ["FEWEST", "Underway", "minute", "moment_at", "opening", "underway"]
