"""The books of an event: accounts, transfers between them, balances. Nothing is changed after it is written."""
