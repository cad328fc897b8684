"""Pages for whoever runs an event: set-up, entries, draw, desk, journal. They never write and never decide."""
