"""A rehearsal: simulated players and a simulated desk play an event over HTTP, without access to the database.

`play` simulates matches and `people` players. Both are pure and use a seed. `wire` is the HTTP client.
"""
