"""Brackets as pages, files and the API show them. A constant number of statements at any size. Reads only."""
