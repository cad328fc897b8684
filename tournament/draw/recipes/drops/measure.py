"""The measure of a second chance: rematches, waits, second byes and rounds of play as one number, in rematches.

- An expected rematch weighs 1. A bye for a player who may have had one already weighs 1.
- A player who sits out three rounds of play between two matches weighs 5/4, and 1 more for each further round: a long
  wait weighs more than a rematch. One round weighs 1/4096 and two rounds 4/4096, which only breaks ties.
- A player who lost in the first round of play weighs 1/256 more for each round, so that these play again at once.
- Among drop recipes a round of play weighs 1/4, and so does a credit of two rounds.

See `docs/decisions/002-second-chances.md`.
"""

from __future__ import annotations

LONG_WAIT = 3
SECOND_BYE = 1.0
ROUND_OF_PLAY = 0.25
TWO_ROUNDS_CREDIT = 0.25


def wait_weight(last: int, rounds: int) -> float:
    """Returns the weight of a player who last played in slot `last` and sits out this number of rounds."""
    first_loser = rounds / 256 if last == 1 else 0.0
    return first_loser + (rounds * rounds / 4096 if rounds < LONG_WAIT else 1.25 + rounds - LONG_WAIT)
