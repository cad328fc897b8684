"""`bench formats`: times of draws, advances, rounds, previews and standings, in memory and stored."""
