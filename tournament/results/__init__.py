"""Results of matches: the desk, posting, awards, questions, disputes and photos."""
