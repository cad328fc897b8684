"""Measures the product on this machine: starts its real parts with a temporary database and deletes both afterwards."""
