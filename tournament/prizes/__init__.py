"""Prizes out of the pots of a tournament: their structure, the amounts by place, and the awards of entries. Pure."""
