"""Channels of live pages, the subscriptions they allow, and the journal."""
