"""The draw as pure functions: graphs of pairings and feeds, recipes that write them, and who sits where.

No Django, no clock, no I/O and no chance that is not handed in.
"""
