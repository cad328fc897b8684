"""Public draws: the commitment to a secret, the closing of entries, the published document and its verification."""
