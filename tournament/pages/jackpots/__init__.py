"""Pages of jackpots: at the desk and on phones."""
