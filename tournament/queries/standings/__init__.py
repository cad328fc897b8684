"""Standings, tie-breaks and prizes."""
