"""The director's forecast page."""
