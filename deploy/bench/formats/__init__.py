"""How long draws, advances, rounds, previews and standings take: in memory, and stored on each kind of database."""
