"""Front doors of the command line: each parses its options and calls one function."""
