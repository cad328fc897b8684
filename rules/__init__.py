"""The rules of backgammon: pure, standard library only; no clock, no I/O, no ORM, no chance of its own."""
