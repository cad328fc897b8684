"""One match as the public sees it, its overlay and its running score."""
