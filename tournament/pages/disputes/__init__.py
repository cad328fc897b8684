"""Disputes: from the phone, at the desk, and their photos."""
