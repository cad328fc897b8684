"""Words and marks that templates ask for."""
