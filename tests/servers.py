"""Starts the real servers the tests run on, before Django reads its settings."""
