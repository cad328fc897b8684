"""Finding and following players."""
