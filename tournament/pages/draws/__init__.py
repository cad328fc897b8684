"""The draw page and the public proof of a draw."""
