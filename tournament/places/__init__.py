"""Places of entries, computed from stored or supposed results."""
