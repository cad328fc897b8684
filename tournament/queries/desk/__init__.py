"""Data of the desk of a tournament, and of one match at the desk."""
