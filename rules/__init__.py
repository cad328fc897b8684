"""The rules of backgammon. Pure, standard library only: no clock, no ORM, no randomness. Only `command` reads files."""
