"""A rehearsal: simulated players and a simulated desk play an event over HTTP, as phones do. Touches no database.

How a match goes is in `play`, what people are like in `people`: both pure, with a seed. `wire` speaks HTTP.
"""
