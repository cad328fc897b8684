"""Makes draws, rounds, jackpots and swaps: stores what `tournament.draw` computes."""
