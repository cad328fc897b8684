"""Measures the product on this machine: starts its real parts itself, on data of its own, and leaves nothing behind."""
