"""A ruleset in plain words."""
