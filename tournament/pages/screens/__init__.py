"""Screens in the hall: the set-up page of a director, and the pages that screens open."""
