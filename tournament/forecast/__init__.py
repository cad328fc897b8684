"""When an event is likely to end, and what holds it up: forecasts by simulation, from what is known at one moment.

Pure: no rows, no clock, and chance only from a seed that is handed in, so the same moment gives the same words.
Minutes are floats on one line of time that the caller chose; what was decided before counts only for the pace.
"""
