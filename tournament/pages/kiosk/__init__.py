"""The kiosk: a page for a tablet at the door, and the director's page of it."""
