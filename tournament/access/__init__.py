"""Permissions, actors and visibility: every front door asks here who may do or see something. Reads only."""
