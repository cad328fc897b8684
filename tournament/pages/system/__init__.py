"""Addresses, HTTPS in the hall, health checks and small fixed files."""
