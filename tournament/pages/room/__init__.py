"""The room: tables and calls."""
