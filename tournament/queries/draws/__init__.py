"""Draws before and after they are made: previews, sketches, proofs and documents."""
