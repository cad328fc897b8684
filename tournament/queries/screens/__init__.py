"""The slides of a screen in the hall. No slide has more lines than can be read from ten metres."""
