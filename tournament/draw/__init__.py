"""The draw as pure functions: graphs of pairings and feeds, recipes that build them, and the seating of players.

No Django, no clock, no I/O, and no randomness that is not passed in.
"""
