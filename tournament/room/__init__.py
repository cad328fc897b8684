"""The room of an event: its tables, calls of matches to tables, and the order of the next calls."""
