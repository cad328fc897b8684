"""Forecasts of an event by simulation: the likely end, and the matches that delay it.

Pure: no rows, no clock, and randomness only from a source that is passed in, so the same moment gives the same
forecast. Minutes are floats on one time line that the caller chooses. Decided matches count only for the pace.
"""
