"""Screens in the hall: what they show in turn, the links that let them look on, the slides of the event's own."""
