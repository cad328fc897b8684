"""Draws, rounds, jackpots and swaps: writes what `tournament.draw` computes."""
