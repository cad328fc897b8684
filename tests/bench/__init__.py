"""Benches for developers: they need the packages of the tests. `python -m tests.bench --help` lists them."""
