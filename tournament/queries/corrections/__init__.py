"""Consequences of a correction, for the director who decides it."""
