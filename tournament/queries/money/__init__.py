"""Money as the cash desk sees it. Reads only."""
