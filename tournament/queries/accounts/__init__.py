"""Accounts, as administrators and their owners see them."""
