"""Sets up, closes, hides and cleans up events and their tournaments."""
