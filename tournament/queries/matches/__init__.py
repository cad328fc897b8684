"""Public data of one match, its overlay and its running score."""
