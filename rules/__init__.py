"""The rules of backgammon: pure, standard library only; no clock, no ORM, no chance; files in `command` alone."""
