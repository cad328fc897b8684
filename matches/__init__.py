"""A match between two sides and its score cards; it does not know that brackets exist."""
