"""The director's pages of the room: calls, and the set-up of tables."""
