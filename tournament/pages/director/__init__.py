"""Shared parts of the directors' pages: context, actions and the pairing of a page."""
