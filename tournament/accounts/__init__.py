"""Accounts of people who run events: directors, roles, links, sessions and second factors."""
