"""Everything a director says: entries, the draw, brackets, the desk and standings."""
