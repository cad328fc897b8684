"""The seats page and the forms of entries and jackpots in a running tournament."""
