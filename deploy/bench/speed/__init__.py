"""`bench speed`: times of results and of the pages and live streams that spectators read, and memory."""
