"""What a correction changes, for the director who decides it."""
