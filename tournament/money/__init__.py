"""Money at the desk: fees that are set, payments that are taken, refunds."""
