"""Screens in the hall: their set-up and what they show."""
