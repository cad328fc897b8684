"""The forecast of an event."""
