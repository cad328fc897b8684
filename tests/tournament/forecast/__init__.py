"""Forecasts of an event's end: no rows, no clock."""
