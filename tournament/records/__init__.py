"""Uploaded game records: checks them and matches their players with those of the match."""
